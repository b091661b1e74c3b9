"""The objective `size` with its gradient."""
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "objective", "objective `size` with gradient, N = 20,000, one thread", "the sum over pairs"


def run(context):
    rows = context.sized(20_000, 4000)
    ways = {way: lambda way=way: context.google("objective", f"{way}/{rows}", 0.3)[0] for way in ("formula", "pairs", "products")}
    clocks = in_turn(ways, context.sized(3, 1))
    what = f"objective `size` with gradient, N = {rows:,}, one thread"
    return [compared(what, "the sum over pairs, as written", at_least(3000), clocks["formula"], clocks["pairs"],
                     "both sides in C++; as written: an exponential and a root for every pair, which for a scale reduce to one product; "
                     "value and gradient of all ways agree to 1e-9"),
            compared(what, "the sum over pairs, one product each", None, clocks["formula"], clocks["products"])]
