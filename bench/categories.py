#!/usr/bin/env python3
"""Interval scores on tables with categories and dates, against an older program and against LightGBM's and CatBoost's own categories.

Rows and units are those of protocol_p.py. `before` reads the table without declarations of its columns. --peers names a Python interpreter with
lightgbm and catboost; without it, the peers are left out.

    bench/categories.py [--taut build/taut] [--before OLD_TAUT] [--peers build/peers/bin/python] [--data DIR] [--seeds 5] [--sets diamonds]
"""
import json
import math
import pathlib
import subprocess
import tempfile

import protocol_p

HERE = pathlib.Path(__file__).resolve().parent
# set: (target, columns to leave out, categories that look like numbers, all categories, dates)
SETS = {
    "diamonds": ("price", [], [], ["cut", "color", "clarity"], []),
    "homes": ("price", ["id"], ["zipcode"], ["zipcode"], ["date"]),
    "bike": ("count", ["casual", "registered"], [], [], ["datetime"]),
}


def score(taut, folder, target, seed, declared):
    subprocess.run([taut, "fit", folder / "train.csv", "--target", target, "--calibrate-with", folder / "calibrate.csv", "--seed", str(seed),
                    "-o", folder / "m.taut", *declared], check=True, stderr=subprocess.DEVNULL)
    evaluate = [taut, "evaluate", folder / "m.taut", folder / "test.csv", "--confidence", "0.9", "--json"]
    return json.loads(subprocess.run(evaluate, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["levels"][0]


def one_run(options, folder, set_name, table, seed):
    target, drop, declared, categories, dates = SETS[set_name]
    header, rows = table
    kept = [i for i, name in enumerate(header) if name not in drop]
    header, rows = [header[i] for i in kept], [[row[i] for i in kept] for row in rows]
    parts = protocol_p.split(len(rows), seed)
    protocol_p.write_parts(folder, header, rows, parts)
    unit = sum(abs(float(rows[i][header.index(target)])) for i in parts["train"]) / len(parts["train"])
    found = {}
    if options.before:
        found["before"] = score(options.before, folder, target, seed, [])
    words = (["--categorical", ",".join(declared)] if declared else []) + (["--date", ",".join(dates)] if dates else [])
    found["now"] = score(options.taut, folder, target, seed, words)
    if options.peers:
        command = [options.peers, HERE / "peers" / "categories.py", folder, target, ",".join(categories), ",".join(dates), str(seed)]
        found.update(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    return {method: (figures["interval_score"] / unit, figures["mean_width"] / unit, figures["coverage"]) for method, figures in found.items()}


def main():
    parser = protocol_p.common_arguments(__doc__)
    parser.set_defaults(sets=",".join(SETS))
    parser.add_argument("--before", help="an older program, for comparison")
    parser.add_argument("--peers", help="a Python that has lightgbm and catboost")
    options = parser.parse_args()
    print("| set | method | interval score at 0.9 | mean width | coverage | score / before |\n|---|---|---|---|---|---|", flush=True)
    for set_name in options.sets.split(","):
        table = protocol_p.read(pathlib.Path(options.data) / f"{set_name}.csv.gz")
        runs = []
        for seed in range(options.seeds):
            with tempfile.TemporaryDirectory() as folder:
                runs.append(one_run(options, pathlib.Path(folder), set_name, table, seed))
        for method in runs[0]:
            cells = ["{:.4f} ± {:.4f}".format(*protocol_p.mean_and_error([run[method][i] for run in runs])) for i in range(3)]
            ratio = ""
            if "before" in runs[0]:
                logs = [math.log(run[method][0] / run["before"][0]) for run in runs]
                ratio = f"{math.exp(sum(logs) / len(logs)):.3f}"
            print(f"| {set_name} | {method} | " + " | ".join(cells) + f" | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
