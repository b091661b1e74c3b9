"""scikit-learn's nearest neighbours on the floats of bench/nearest.cpp.   nearest.py DATA QUERIES COLUMNS K THREADS OURS

It uses the faster algorithm, `kd_tree` up to 15 columns and `brute` above, and compares the neighbours with those in the file OURS.
`nearest.py DATA QUERIES COLUMNS make ROWS` generates the rows.
"""
import sys

import numpy
from sklearn.neighbors import NearestNeighbors
from timing import answer, clocked


def same(ours, theirs, data, queries):
    """The share of queries with the same neighbours. Different neighbours are accepted at equal distance up to rounding."""
    different = numpy.flatnonzero((numpy.sort(ours, 1) != numpy.sort(theirs, 1)).any(1))
    for query in different:
        farthest = [((data[rows[query]].astype(float) - queries[query]) ** 2).sum(1).max() for rows in (ours, theirs)]
        if farthest[0] > farthest[1] * (1 + 1e-12):
            sys.exit(f"query {query}: our farthest neighbour is at {farthest[0]}, theirs at {farthest[1]}")
    return 1 - len(different) / len(queries)


def main():
    data_file, query_file, columns = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if sys.argv[4] == "make":
        draw = numpy.random.default_rng(columns)
        for path in (data_file, query_file):
            draw.standard_normal((int(sys.argv[5]), columns), dtype=numpy.float32).tofile(path)
        return
    k, threads, ours = int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
    data, queries = (numpy.fromfile(path, dtype=numpy.float32).reshape(-1, columns) for path in (data_file, query_file))
    search = NearestNeighbors(n_neighbors=k, algorithm="kd_tree" if columns <= 15 else "brute", n_jobs=threads)
    figures, theirs = clocked(lambda: search.fit(data).kneighbors(queries, return_distance=False))
    answer(figures, same=same(numpy.fromfile(ours, dtype=numpy.int64).reshape(-1, k), theirs, data, queries))


if __name__ == "__main__":
    main()
