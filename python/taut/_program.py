"""The command line of an installed package: the script `taut`, and `python -m taut`. Wheels of `make wheels` contain the program."""
import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).parent / "bin" / "taut"

ABSENT = """taut: this installation has no command-line program, because the package was built from source without it.
Install a wheel of `make wheels`, build the program by `make build` (build/taut), or install from source with it, which needs CLI11:
  pip install . -C cmake.define.TAUT_PROGRAM=ON
In Python, `import taut` has the same functions: fit, calibrate, predict_interval, evaluate, explain, report, export."""


def main():
    """Runs the program in place of this process, so that signals, pipes and exit codes are its own."""
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(ABSENT)
    sys.stdout.flush()
    os.execv(PROGRAM, ["taut", *sys.argv[1:]])
