"""A fit while other processes keep the processors busy."""
import subprocess
import sys

from harness.rows import at_most, compared, in_turn

NAME, WHAT, INSTEAD = "load", "fit beside two busy processes", "the same fit alone"


def run(context):
    data = context.folder / "cos.csv"
    context.clock([context.taut, "synth", "cos", "--rows", context.sized(20_000, 4000), "-o", data])
    fit = [context.taut, "fit", data, "--target", "y", "-o", context.folder / "m.taut"]
    context.clock(fit)
    clocks = in_turn({"loaded": lambda: beside_busy_processes(lambda: context.clock(fit)), "alone": lambda: context.clock(fit)},
                     context.sized(3, 1))
    return [compared(WHAT, INSTEAD, at_most(3.5), clocks["loaded"], clocks["alone"], "Taut's column is with the busy processes, the other without")]


def beside_busy_processes(work, count=2):
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        return work()
    finally:
        for process in busy:
            process.kill()
            process.wait()
