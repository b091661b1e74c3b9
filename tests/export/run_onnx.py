"""run_onnx.py MODEL CELLS COLUMNS OUT: runs the graph on rows of doubles and writes f and the ends of every level, row after row."""
import sys

import numpy as np
import onnxruntime

model, cells, columns, out = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
rows = np.fromfile(cells).reshape(-1, int(columns))
prediction, lower, upper = session.run(["prediction", "lower", "upper"], {"cells": rows})
ends = np.stack([lower, upper], axis=2).reshape(len(rows), -1)
np.hstack([prediction, ends]).tofile(out)
