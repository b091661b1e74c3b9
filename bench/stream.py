#!/usr/bin/env python3
"""How fast `taut stream` is, predicting and learning: rows a second from a file, memory, and the time from one line in to one line out of a pipe.

    bench/stream.py [--taut build/taut] [--rows 400000] [--window 0]

Five numeric columns, one level. Two models: one of exactly 500 trees (g; f is linear), and the default model of `taut fit --predictor boost`, whose
number of trees is printed. Each figure is the median of three runs. Wall time depends on other load of the machine; processor time, the sum over all threads,
hardly does. Memory is the peak of the process, for the file and for one with a quarter of the rows.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MODELS = {
    "500 trees": ["--predictor", "linear", "--transform", "exp", "--sides", "one", "--split", "0.4,0.3,0.1,0.2",
                  "--epochs", "500", "--patience", "500", "--rate", "0.001"],
    "as fitted by default": ["--predictor", "boost"],
}


def write(path, rows, seed):
    draw = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        file.write("a,b,c,d,e,y\n")
        for _ in range(rows):
            x = [draw.random() for _ in range(5)]
            y = x[0] * x[1] + x[2] ** 2 + (0.1 + x[3]) * draw.gauss(0, 1)
            file.write(",".join(f"{value:.5f}" for value in [*x, y]) + "\n")


def run(command, folder):
    """Wall-clock seconds, processor seconds and peak memory in kilobytes."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss


def trees_of(taut, folder):
    """The number of trees of the model: the entries of every array `sizes`."""
    subprocess.run([taut, "export", "m.taut", "--json", "m.json"], cwd=folder, check=True, capture_output=True)

    def count(part):
        if not isinstance(part, dict):
            return 0
        return sum(len(value) if key == "sizes" and isinstance(value, list) else count(value) for key, value in part.items())

    return count(json.loads((folder / "m.json").read_text()))


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


def measure(taut, folder, rows, options):
    command = [taut, "stream", "m.taut", "new.csv", "-o", "out.csv", *options]
    walls, processors, memory = zip(*(run(command, folder) for _ in range(3)))
    wall, processor = rows / statistics.median(walls), rows / statistics.median(processors)
    *_, short = run([*command[:3], "short.csv", *command[4:]], folder)
    print(f"  file: {wall:,.0f} rows a second of wall time, {processor:,.0f} a second of processor time")
    print(f"  memory: {max(memory) / 1024:.1f} MB for {rows:,} rows, {short / 1024:.1f} MB for {rows // 4:,}")
    times = [line_times(taut, folder, options) for _ in range(3)]
    middle, most = (1000 * statistics.median(one[int(share * len(one))] for one in times) for share in (0.5, 0.99))
    print(f"  pipe: {middle:.3f} ms from line to line, {most:.3f} ms in 99 of 100 cases, wall time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--window", type=int, default=0)
    given = parser.parse_args()
    taut = str(pathlib.Path(given.taut).resolve())
    options = ["--window", str(given.window)] if given.window else []
    print(f"{os.cpu_count()} cores, load average of the last minute {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "train.csv", 20_000, 1)
        write(folder / "new.csv", given.rows, 2)
        write(folder / "short.csv", given.rows // 4, 3)
        for model, fit in MODELS.items():
            subprocess.run([taut, "fit", "train.csv", "--target", "y", "--in-order", *fit, "-o", "m.taut"], cwd=folder, check=True, capture_output=True)
            print(f"{model}: {trees_of(taut, folder)} trees")
            measure(taut, folder, given.rows, options)


if __name__ == "__main__":
    main()
