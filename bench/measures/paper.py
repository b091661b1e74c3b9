"""The paper's experiment. The released code is not run here: its times are quoted, in separate rows."""
from harness.context import clock_of
from harness.rows import at_least, compared, duration, in_turn, median, row
from protocol_p import SETS

NAME, WHAT, INSTEAD = "paper", "the paper's experiment, five trained methods, one run", "a PyTorch loop of our own; the released code"
METHODS = ["erc (error fit)", "erc", "linear", "exp", "sigma"]
RELEASED = {"energy": 15, "concrete": 19, "homes": 52, "CASP": 119, "facebook_1": 138}
NOTE = ("PyTorch: ten epochs on one thread, evaluated on 100 test rows. Taut: `taut reproduce table --runs 1`, up to 15 (the largest set) or "
        "120 epochs (the smallest), stopped by validation rows, the methods side by side on all cores, evaluated on all test rows.")
QUOTED = ("the seconds of the released code are quoted, not measured in this run: PyTorch 2.15, quiet machine with 2 cores, evaluated on "
          "100 test rows")


def run(context):
    rows = []
    for name in (["energy"] if context.quick else RELEASED):
        target, drop = SETS[name]
        drop = [] if name == "energy" else drop  # the paper's table leaves Y1 among the inputs
        path = context.set(name)
        reproduce = [context.taut, "reproduce", "table", "--datasets", name, "--data", context.data, "--runs", "1", "--seed", "0", "--methods",
                     ";".join(METHODS), "-o", context.folder / "table.json"]
        clocks = in_turn({"ours": lambda: context.clock(reproduce),
                          "theirs": lambda: clock_of(context.script("paper", path, target, ",".join(drop), context.sized(10, 2), environment="torch"))},
                         context.sized(3 if name in ("energy", "concrete") else 1, 1))
        note = NOTE if not rows else ""
        if context.quick:
            note = "quick: two epochs in PyTorch"
        rows.append(compared(f"the paper's experiment, {name}", "a PyTorch loop of our own", None, clocks["ours"], clocks["theirs"], note))
        rows.append(row(f"the paper's experiment, {name}", "the released code, quoted", at_least(30), ours=duration(median(clocks["ours"])),
                        theirs=f"({RELEASED[name]} s)", figure=RELEASED[name] / median(clocks["ours"]), note=QUOTED if len(rows) == 1 else ""))
    return rows
