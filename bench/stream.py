#!/usr/bin/env python3
"""How fast `taut stream` is: rows a second from a file, and the time from one line in to one line out through a pipe.

    bench/stream.py [--taut build/taut] [--rows 400000] [--window 0]

Five numeric columns, a predictor of 500 trees, one level; the model is made once. Both figures are the median of three runs.
"""
import argparse
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def write(path, rows, seed):
    draw = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        file.write("a,b,c,d,e,y\n")
        for _ in range(rows):
            x = [draw.random() for _ in range(5)]
            y = x[0] * x[1] + x[2] ** 2 + (0.1 + x[3]) * draw.gauss(0, 1)
            file.write(",".join(f"{value:.5f}" for value in [*x, y]) + "\n")


def rows_a_second(taut, folder, rows, options):
    begin = time.perf_counter()
    subprocess.run([taut, "stream", "m.taut", "new.csv", "-o", "out.csv", *options], cwd=folder, check=True, capture_output=True)
    return rows / (time.perf_counter() - begin)


def line_times(taut, folder, options, lines=2000):
    process = subprocess.Popen([taut, "stream", "m.taut", "-", *options], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    with open(folder / "new.csv", "rb") as file:
        process.stdin.write(next(file))
        process.stdin.flush()
        process.stdout.readline()
        times = []
        for _ in range(lines):
            line = next(file)
            begin = time.perf_counter()
            process.stdin.write(line)
            process.stdin.flush()
            process.stdout.readline()
            times.append(time.perf_counter() - begin)
    process.stdin.close()
    process.stdout.close()
    process.wait()
    return sorted(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--window", type=int, default=0)
    given = parser.parse_args()
    taut = str(pathlib.Path(given.taut).resolve())
    options = ["--window", str(given.window)] if given.window else []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "train.csv", 20_000, 1)
        write(folder / "new.csv", given.rows, 2)
        subprocess.run([taut, "fit", "train.csv", "--target", "y", "--in-order", "--predictor", "boost", "-o", "m.taut"], cwd=folder, check=True,
                       capture_output=True)
        speeds = [rows_a_second(taut, folder, given.rows, options) for _ in range(3)]
        times = [line_times(taut, folder, options) for _ in range(3)]
    print(f"file: {statistics.median(speeds):,.0f} rows a second")
    middle = statistics.median(one[len(one) // 2] for one in times)
    print(f"pipe: {1000 * middle:.3f} ms from line to line, {1000 * statistics.median(one[int(0.99 * len(one))] for one in times):.3f} ms in 99 of 100 cases")


if __name__ == "__main__":
    main()
