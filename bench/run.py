#!/usr/bin/env python3
"""Runs the measures of bench/measures and writes docs/performance.md. `make bench` builds the programs and runs this script.

    bench/run.py [--only csv,knn] [--quick] [--full] [--build build/bench] [--data DIR] [--list] [--page-only]

docs/performance.json keeps the newest result of each measure. --quick prints a table of smaller sizes and writes nothing. --full adds the
sizes that take many minutes. Needs only Python's standard library; other libraries run in separate environments (tools/setup peers torch).
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE.parent / "docs" / "performance.json"
sys.path.insert(0, str(HERE))

from harness import page, results  # noqa: E402
from harness.context import Context  # noqa: E402
from harness.rows import Missing  # noqa: E402
from measures import measures  # noqa: E402

# Measures that take two minutes together on two cores.
QUICK = ["network", "objective", "localizer", "fit", "model_rows", "intervals", "one_row", "knn", "metrics", "csv", "start", "load"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of measures, separated by commas")
    parser.add_argument("--quick", action="store_true", help="small sizes, one repetition, writes no file")
    parser.add_argument("--full", action="store_true", help="growth up to ten million rows")
    parser.add_argument("--build", default=str(HERE.parent / "build" / "bench"))
    parser.add_argument("--data", default=os.environ.get("TAUT_DATA", str(HERE.parent.parent / "shared" / "data")))
    parser.add_argument("--list", action="store_true", help="prints the names of the measures")
    parser.add_argument("--page-only", action="store_true", help="writes the page from the stored results")
    return parser.parse_args()


def chosen(options):
    everything = {measure.name: measure for measure in measures()}
    names = options.only.split(",") if options.only else QUICK if options.quick else list(everything)
    unknown = [name for name in names if name not in everything]
    if unknown:
        sys.exit(f"run.py: there is no measure {', '.join(unknown)}; there are {', '.join(everything)}")
    return [everything[name] for name in names]


def run(measure, context):
    print(f"{measure.name}: {measure.what}", file=sys.stderr, flush=True)
    context.folder = pathlib.Path(tempfile.mkdtemp(prefix="taut-bench-"))
    try:
        return results.run(measure, context)
    finally:
        shutil.rmtree(context.folder)


def versions(context):
    found = {}
    for environment in ("peers", "torch"):
        try:
            found.update(context.script("versions", environment=environment))
        except Missing:
            pass
    return found


def write_page(context, kept):
    if kept.get("growth", {}).get("points"):
        try:
            context.script("picture", KEPT, KEPT.with_suffix(".svg"))
        except (Missing, RuntimeError) as error:
            print(f"run.py: no picture: {error}", file=sys.stderr)
    print(f"run.py: wrote {page.write(measures(), kept, versions(context))}", file=sys.stderr)


def main():
    options = arguments()
    if options.list:
        return print("\n".join(f"{measure.name:12}{measure.what}" for measure in measures()))
    context = Context(options.build, options.data, options.quick, options.full)
    new = {}
    for measure in [] if options.page_only else chosen(options):
        new[measure.name] = run(measure, context)
        if not options.quick:
            results.keep(KEPT, measure.name, new[measure.name])
        print(page.table([measure], new), flush=True)
    if options.quick:
        print("\nSizes are smaller than those of the goals:\n\n" + page.table(chosen(options), new) + "\n\n" + page.notes(chosen(options), new))
    else:
        write_page(context, results.read(KEPT))


if __name__ == "__main__":
    main()
