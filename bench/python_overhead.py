#!/usr/bin/env python3
"""The overhead of Python: predict_interval on a million rows against the C++ call on the same rows, and `import taut` against numpy.

    PYTHONPATH=build/python build/venv/bin/python bench/python_overhead.py [--program build/bench/bench/bench_predict_interval]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def seconds_in_cpp(program, folder):
    done = subprocess.run([program, "--benchmark_filter=/0/", "--benchmark_format=json", "--benchmark_min_time=0.01"], check=True, capture_output=True,
                          env={**os.environ, "TAUT_BENCH_FOLDER": str(folder)})
    return json.loads(done.stdout)["benchmarks"][0]["real_time"] / 1000


def seconds_in_python(regressor, X):
    start = time.perf_counter()
    regressor.predict_interval(X, 0.9)
    return time.perf_counter() - start


def seconds_to_import(*modules):
    script = f"import time; start = time.perf_counter(); import {', '.join(modules)}; print(time.perf_counter() - start)"
    return min(float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout) for _ in range(5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(HERE.parent / "build" / "bench" / "bench" / "bench_predict_interval"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    from taut import ConformalRegressor

    draw = np.random.default_rng(0)
    X = draw.normal(size=(options.rows, 10))
    y = X[:5000, 0] + np.abs(X[:5000, 1]) * draw.normal(size=5000)
    for parts in ({"predictor": "boost", "effort": "quick"}, {"predictor": "linear", "localizer": "none"}):
        compare(options, ConformalRegressor(random_state=0, **parts).fit(X[:5000], y), X, parts)

    numpy, both, whole = seconds_to_import("numpy"), seconds_to_import("numpy", "taut"), seconds_to_import("taut.regressor")
    print(f"import numpy {numpy:.3f} s, then taut {both - numpy:+.3f} s; with scikit-learn for ConformalRegressor {whole:.3f} s in all")


def compare(options, regressor, X, parts):
    with tempfile.TemporaryDirectory() as folder:
        regressor.save(f"{folder}/m.taut")
        X.tofile(f"{folder}/rows.bin")
        pairs = [(seconds_in_cpp(options.program, folder), seconds_in_python(regressor, X)) for _ in range(options.repeats)]
    cpp, python = (min(times) for times in zip(*pairs))
    print(f"predict_interval, {options.rows:,} rows x 10, {parts['predictor']}: C++ {cpp:.3f} s, Python {python:.3f} s, "
          f"{100 * (python / cpp - 1):+.1f} %")


if __name__ == "__main__":
    main()
