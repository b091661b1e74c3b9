"""Writes synthetic rows with interactions, periodic effects and a noise scale that depends on three columns.   million.py ROWS COLUMNS TRAIN.csv CALIBRATE.csv TEST.csv"""
import sys

import numpy
import pandas

BLOCK = 100_000


def made(random, rows, columns):
    x = random.normal(size=(rows, columns)).astype(numpy.float32)
    f = x[:, 0] ** 2 + numpy.sin(2 * x[:, 1]) * x[:, 2] + 0.5 * numpy.abs(x[:, 3]) + x[:, 6] * (x[:, 7] > 0)
    scale = 0.2 + numpy.abs(x[:, 4]) * (1 + (x[:, 5] > 0))
    frame = pandas.DataFrame(x, columns=[f"x{i}" for i in range(columns)])
    frame["y"] = f + scale * random.normal(size=rows)
    return frame


def main():
    rows, columns = map(int, sys.argv[1:3])
    random = numpy.random.default_rng(0)
    for path, count in zip(sys.argv[3:], (rows * 3 // 4, rows // 4, rows // 5)):
        for begin in range(0, count, BLOCK):
            part = made(random, min(BLOCK, count - begin), columns)
            part.to_csv(path, index=False, header=begin == 0, mode="w" if begin == 0 else "a", float_format="%.5f")


if __name__ == "__main__":
    main()
