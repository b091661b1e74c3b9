#!/usr/bin/env python3
"""How fast the modules of a wheel are beside a build for this machine: the table of docs/performance.md.

    bench/wheel_levels.py NAME=FOLDER ...       FOLDER is put on PYTHONPATH; NAME@LEVEL sets TAUT_LEVEL
    bench/wheel_levels.py native=build/python wheel=FOLDER wheel@plain=FOLDER       FOLDER: pip install --target FOLDER dist/taut-*.whl

Processor seconds of one thread, the median of several rounds (ROUNDS=7), and the median of the ratios to the first module of the same round. Each module
runs in a separate process, in turn, so that other load affects all alike. All use the same Python; modules for newer processors need Python 3.12 or later.
"""
import json
import os
import statistics
import subprocess
import sys

WORK = """
import json, time, numpy as np
from taut import ConformalRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(20000, 10)).astype(np.float32); y = X[:, 0] ** 2 + (0.2 + np.abs(X[:, 1])) * rng.normal(size=20000)
def took(call):
    began = time.process_time(); value = call(); return time.process_time() - began, value
found = {}
found["fit, trees, 20,000 rows"], cr = took(lambda: ConformalRegressor(effort="quick", random_state=0, n_jobs=1).fit(X, y))
found["intervals, 20,000 rows"], ends = took(lambda: cr.predict_interval(X, [0.9]))
found["fit, network, 2,000 rows"], _ = took(lambda: ConformalRegressor(predictor="network", effort="quick", random_state=0, n_jobs=1).fit(X[:2000], y[:2000]))
found["fit, gp, 1,500 rows"], _ = took(lambda: ConformalRegressor(predictor="gp", effort="quick", random_state=0, n_jobs=1).fit(X[:1500], y[:1500]))
print(json.dumps(found))
"""


def main():
    runs = {}
    rounds = int(os.environ.get("ROUNDS", "7"))
    for _ in range(rounds):
        for given in sys.argv[1:]:
            name, _, folder = given.partition("=")
            environment = {**os.environ, "PYTHONPATH": folder, "OMP_NUM_THREADS": "1"}
            if "@" in name:
                environment["TAUT_LEVEL"] = name.partition("@")[2]
            done = subprocess.run([sys.executable, "-c", WORK], env=environment, capture_output=True, text=True, check=True)
            runs.setdefault(name, []).append(json.loads(done.stdout.splitlines()[-1]))
    names = list(runs)
    print("| | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    for what in runs[names[0]][0]:
        middle = {name: statistics.median(run[what] for run in runs[name]) for name in names}
        ratio = {name: statistics.median(run[what] / first[what] for run, first in zip(runs[name], runs[names[0]])) for name in names}
        cells = [f"{middle[name]:.3f} s" + ("" if name == names[0] else f" ({ratio[name]:.2f})") for name in names]
        print(f"| {what} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
