#!/usr/bin/env python3
"""Reads the same numeric CSV file with taut and with pandas, in turns, one thread each, and prints the ratio of the best
processor times.

usage: csv_pandas.py BENCH_CSV_PROGRAM [ROWS] [TIMES]
"""

import os
import subprocess
import sys
import tempfile
import time

import pandas


def time_pandas(path):
    start = time.process_time()
    frame = pandas.read_csv(path)
    return time.process_time() - start, frame.size


def time_taut(program, path):
    line = subprocess.run([program, "read", path, "1"], check=True, capture_output=True, text=True).stdout.split()
    return float(line[line.index("seconds") + 1]), int(line[line.index("cells") + 1]), line


def main():
    program = sys.argv[1]
    rows = sys.argv[2] if len(sys.argv) > 2 else "1000000"
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        subprocess.run([program, "make", path, rows], check=True)
        size = os.path.getsize(path) / 1e6
        ours, theirs = [], []
        for _ in range(times):
            seconds, cells, line = time_taut(program, path)
            ours.append(seconds)
            seconds, cells_pandas = time_pandas(path)
            theirs.append(seconds)
            assert cells == cells_pandas, (cells, cells_pandas)
        print(" ".join(line))
        print(f"{size:.0f} MB: taut {min(ours):.3f} s, pandas {pandas.__version__} {min(theirs):.3f} s, ratio {min(theirs) / min(ours):.2f}")


if __name__ == "__main__":
    main()
