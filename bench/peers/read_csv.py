"""Another reader of CSV files.   read_csv.py pandas|polars|duckdb FILE CORES

Each uses one thread per core. DuckDB reads into its own in-memory table, which is its fastest way.
"""
import os
import sys

reader, path, cores = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])  # before the libraries count the cores

from timing import answer, clocked  # noqa: E402

if reader == "pandas":
    import pandas
    figures, frame = clocked(lambda: pandas.read_csv(path))
    cells = frame.size
elif reader == "polars":
    import polars
    figures, frame = clocked(lambda: polars.read_csv(path))
    cells = frame.height * frame.width
else:
    import duckdb
    database = duckdb.connect()
    database.execute(f"set threads = {cores}")
    figures, _ = clocked(lambda: database.execute("create table t as select * from read_csv(?)", [path]))
    cells = database.execute("select count(*) from t").fetchone()[0] * len(database.execute("describe t").fetchall())
answer(figures, cells=cells)
