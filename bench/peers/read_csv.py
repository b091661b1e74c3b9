"""pandas.read_csv.   read_csv.py FILE CORES

It reads on two threads where it may; given one core, it is the one thread that a reader on one thread can be compared with.
"""
import os
import sys

cores = sorted(os.sched_getaffinity(0))[:int(sys.argv[2])]
os.sched_setaffinity(0, cores)  # before pandas counts them

import pandas  # noqa: E402
from timing import answer, clocked  # noqa: E402

figures, frame = clocked(lambda: pandas.read_csv(sys.argv[1]))
answer(figures, cells=frame.size)
