"""Reading Parquet files with pyarrow.   read_parquet.py make FILE ROWS; read_parquet.py table FILE; read_parquet.py pandas FILE"""
import sys

import pyarrow as pa
import pyarrow.parquet as pq
from timing import answer, clocked


def make(path, rows):
    """Ten numeric columns, a text column with few values, one with many, and a timestamp; four numeric columns have missing cells."""
    import numpy as np

    draw = np.random.default_rng(1)
    columns = {f"x{i}": draw.normal(size=rows) for i in range(6)}
    columns |= {f"n{i}": pa.array(draw.integers(0, 1000, rows), mask=draw.random(rows) < 0.05) for i in range(4)}
    columns["few"] = pa.array(np.array(["red", "green", "blue"])[draw.integers(0, 3, rows)])
    columns["many"] = pa.array([f"store {i}" for i in draw.integers(0, 5000, rows)])
    columns["when"] = pa.array(draw.integers(10**9, 2 * 10**9, rows) * 1000, pa.timestamp("ms"))
    pq.write_table(pa.table(columns), path, row_group_size=1 << 18)


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "table":
    figures, table = clocked(lambda: pq.read_table(sys.argv[2]))
    answer(figures, cells=table.num_rows * table.num_columns)
else:
    import pandas

    figures, frame = clocked(lambda: pandas.read_parquet(sys.argv[2]))
    answer(figures, cells=frame.size)
