#!/usr/bin/env python3
"""How much longer `taut fit` takes while other processes keep every core busy: the ratio of two runs, one after the other.

    bench/under_load.py [--taut build/taut] [--rows 20000] [--processes 2]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "cos.csv"
        subprocess.run([options.taut, "synth", "cos", "--rows", str(options.rows), "-o", data], check=True, stderr=subprocess.DEVNULL)
        fit = [options.taut, "fit", data, "--target", "y", "-o", pathlib.Path(folder) / "m.taut"]
        seconds(fit)
        alone = min(seconds(fit) for _ in range(3))
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.processes)]
        try:
            loaded = min(seconds(fit) for _ in range(3))
        finally:
            for process in busy:
                process.kill()
    print(f"alone {alone:.2f} s, beside {options.processes} busy processes {loaded:.2f} s: {loaded / alone:.2f} times as long")


if __name__ == "__main__":
    main()
