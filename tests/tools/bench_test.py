"""The driver of the benchmarks, without timings: ratios, goals, failures, stored results and the page."""
import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import types
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import run as driver  # noqa: E402
from harness import page, results  # noqa: E402
from harness.context import Context  # noqa: E402
from harness.rows import FASTER, LONGER, Clock, Missing, at_least, at_most, compared, duration, in_turn, row  # noqa: E402
from measures import growth, measures  # noqa: E402


def fake(name, run):
    return types.SimpleNamespace(name=name, what=f"what {name} does", instead="something else", run=run)


def fail(_):
    raise ValueError("it broke")


def lack(_):
    raise Missing("no such package")


class Rows(unittest.TestCase):
    def test_sides_take_turns(self):
        order = []
        clocks = in_turn({"a": lambda: order.append("a") or Clock(1), "b": lambda: order.append("b") or Clock(2)}, 2)
        self.assertEqual(order, ["a", "b", "a", "b"])
        self.assertEqual([clock.seconds for clock in clocks["b"]], [2, 2])

    def test_median_of_ratios_not_ratio_of_medians(self):
        ours, theirs = [Clock(1), Clock(2), Clock(4)], [Clock(10), Clock(2), Clock(8)]
        self.assertEqual(compared("w", "i", at_least(2), ours, theirs)["figure"], 2)
        self.assertEqual(compared("w", "i", at_most(2), ours, theirs)["figure"], 0.5)
        self.assertEqual(compared("w", "i", None, ours, theirs, unit=LONGER)["figure"], 0.5)
        self.assertEqual(compared("w", "i", None, ours, theirs)["unit"], FASTER)

    def test_processor_time_only_where_both_sides_have_it(self):
        self.assertIsNone(compared("w", "i", None, [Clock(1, 1)], [Clock(1)])["processor"])
        self.assertEqual(compared("w", "i", None, [Clock(1, 2)], [Clock(1, 6)])["processor"], 3)

    def test_goals(self):
        self.assertTrue(at_least(12).met(12) and at_most(5).met(5))
        self.assertFalse(at_least(12).met(11.99) or at_most(5).met(5.01))
        self.assertEqual(page.met(row("w", "i", at_least(3), figure=2)), "**no**")
        self.assertEqual(page.met(row("w", "i", at_least(3), figure=4)), "yes")
        self.assertEqual(page.met(row("w", "i", at_least(3))), "not measured")

    def test_words(self):
        self.assertEqual([duration(s) for s in (123.4, 1.5, 0.0123, 4.56e-6, 2e-9)], ["123 s", "1.5 s", "12.3 ms", "4.56 µs", "0.002 µs"])


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.context = Context(folder.name, folder.name)
        self.kept = pathlib.Path(folder.name) / "deep" / "results.json"

    def result(self, name, work):
        with contextlib.redirect_stderr(io.StringIO()):
            return results.run(fake(name, work), self.context)

    def test_a_failure_is_a_row(self):
        failed, missing = self.result("f", fail), self.result("m", lack)
        self.assertEqual(failed["rows"][0]["note"], "failed: ValueError: it broke")
        self.assertEqual(missing["rows"][0]["note"], "not measured: no such package")

    def test_newest_of_each_is_kept(self):
        for value in (1, 2):
            results.keep(self.kept, "a", self.result("a", lambda _: [row("a", "", ours=str(value))]))
            results.keep(self.kept, f"b{value}", self.result("b", lack))
        kept = results.read(self.kept)
        self.assertEqual(sorted(kept), ["a", "b1", "b2"])
        self.assertEqual(kept["a"]["rows"][0]["ours"], "2")
        self.assertEqual(results.read(self.kept.with_name("none.json")), {})

    def test_page(self):
        points = [{"rows": n, "raw": 44 * n, "fit": {"seconds": n / 1e4, "memory": 88 * n}, "predict": {"seconds": 1, "memory": 1e7}}
                  for n in (10_000, 100_000)]
        everything = [fake("good", None), fake("bad", None), fake("growth", None), fake("never run", None)]
        kept = {"good": self.result("good", lambda _: [row("quick thing", "slow thing", at_least(3), figure=4.5, ours="1 s", theirs="4.5 s")]),
                "bad": self.result("bad", lack), "growth": self.result("growth", lambda _: {"rows": [], "points": points})}
        text = page.page(everything, json.loads(json.dumps(kept)), {"some": "1.0"})
        self.assertIn("| quick thing | slow thing | 1 s | 4.5 s | 4.5 × as fast |  | ≥ 3 × as fast | yes |", text)
        self.assertRegex(text, r"\| what bad does \| something else \|  \|  \|  \|  \|  \| not measured \|")
        self.assertIn("| what never run does | something else | | | | | | not run | |", text)
        self.assertIn("some 1.0.", text)
        self.assertIn("- what bad does: not measured: no such package", text)
        self.assertIn("| 100,000 | 10 s | 9 MB | 2.00 | 1 s | 10 MB |", text)
        self.assertIn((BENCH / "notes.md").read_text().strip(), text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        for header, line in zip(rows, rows[1:]):
            if line.startswith("|---"):
                self.assertEqual(header.count("|"), line.count("|"))

    def test_clock_of_a_process(self):
        clock = self.context.clock([sys.executable, "-c", "x = bytearray(50_000_000)"])
        self.assertGreater(clock.memory, 50e6)
        self.assertGreater(clock.processor, 0)
        with self.assertRaisesRegex(RuntimeError, "ended with 3: sorry"):
            self.context.clock([sys.executable, "-c", "import sys; print('sorry', file=sys.stderr); sys.exit(3)"])

    def test_slope(self):
        points = [{"rows": n, "fit": {"seconds": 3 * n**1.25}} for n in (10, 100, 1000, 10_000)]
        self.assertAlmostEqual(growth.slope(points, "fit", "seconds"), 1.25)


class Measures(unittest.TestCase):
    def test_names(self):
        names = [measure.name for measure in measures()]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(set(driver.QUICK), set(names))

    def test_what_they_run_exists(self):
        text = "\n".join(path.read_text() for path in (BENCH / "measures").glob("*.py"))
        scripts, programs = (set(re.findall(rf'context\.(?:{verb})\("(\w+)"', text)) for verb in ("script", "program|google"))
        self.assertGreater(len(scripts), 5)
        self.assertGreater(len(programs), 5)
        for name in scripts:
            self.assertTrue((BENCH / "peers" / f"{name}.py").exists(), name)
        for name in programs:
            self.assertTrue((BENCH / f"{name}.cpp").exists(), name)

    def test_page_of_the_repository_is_of_this_driver(self):
        text = (BENCH.parent / "docs" / "performance.md").read_text()
        self.assertTrue(text.startswith(page.INTRODUCTION), "docs/performance.md is out of date: bench/run.py --page-only")
        self.assertTrue(text.endswith("\n" + (BENCH / "notes.md").read_text()), "bench/notes.md and the end of docs/performance.md differ: "
                        "edit the former, then run bench/run.py --page-only")


if __name__ == "__main__":
    unittest.main()
