"""One training step of the paper's network."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "network", "one training step of the 5 × 100 network, one thread", "PyTorch"


def run(context):
    rows = []
    for batch, goal in ((16, at_least(12)), (256, at_least(2.5))):
        clocks = in_turn({"ours": lambda: context.google("mlp_step", f"mlp_step/{batch}", 0.3)[0],
                          "theirs": lambda: clock_of(context.script("network", batch, 100 if context.quick else 400, environment="torch"))},
                         context.repeats)
        rows.append(compared(f"{WHAT}, {batch} rows", INSTEAD, goal, clocks["ours"], clocks["theirs"]))
    return rows
