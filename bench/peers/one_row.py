"""XGBoost's C function for one row of ten floats, 200 trees of depth 4, one thread: seconds for one call.

Python's own functions around it take several times as long, so the function is called directly.
"""
import ctypes
import sys

import numpy
import xgboost
from timing import answer, clocked

draw = numpy.random.default_rng(1)
x = draw.standard_normal((10_000, 10), dtype=numpy.float32)
matrix = xgboost.DMatrix(x, label=x[:, 0] * x[:, 1] + x[:, 2])
booster = xgboost.train({"tree_method": "hist", "max_depth": 4, "eta": 0.05, "nthread": 1}, matrix, 200)
library = xgboost.core._LIB
settings = (b'{"type": 1, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true, "missing": NaN, '
            b'"cache_id": 0}')
rows = [b'{"data": [%d, true], "shape": [1, 10], "typestr": "<f4", "version": 3}' % (x.ctypes.data + 40 * row) for row in range(1000)]
shape, dimensions, out = ctypes.POINTER(ctypes.c_uint64)(), ctypes.c_uint64(), ctypes.POINTER(ctypes.c_float)()
rest = settings, None, ctypes.byref(shape), ctypes.byref(dimensions), ctypes.byref(out)


def call():
    for row in rows:
        if library.XGBoosterPredictFromDense(booster.handle, row, *rest) != 0:
            sys.exit("XGBoosterPredictFromDense failed")


figures, _ = clocked(call, 10)
answer({name: value / len(rows) for name, value in figures.items()})
