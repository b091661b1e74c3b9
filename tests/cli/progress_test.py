"""Progress is shown on a terminal only, and leaves no trace there, also if other output goes to the same terminal."""
import collections
import re
import unittest

import samples
from harness import TautTest, main, slow
from samples import QUICK
from screen import on_a_terminal, rendered

SMALL_NETWORK = ["--predictor", "knn", "--localizer", "mlp", "--hidden", "10", "--epochs", "3"]
COMPARE = ["compare", "d.csv", "--target", "y", "--methods", "fixed,exp:boost:epochs=5", "--predictor", "linear", "--repeats", "2"]

# Every long-running command, with results on standard output if possible. None needs the files of another.
COMMANDS = {
    "fit": ["fit", "d.csv", "--target", "y", "-o", "new.taut", *SMALL_NETWORK],
    "predict": ["predict", "m.taut", "many.csv"],
    "predict, checking": ["predict", "m.taut", "many.csv", "--check-shift"],
    "predict into a file": ["predict", "m.taut", "many.csv", "-o", "out.csv"],
    "calibrate": ["calibrate", "m.taut", "many.csv", "-o", "new.taut"],
    "evaluate": ["evaluate", "m.taut", "test.csv"],
    "evaluate for programs": ["evaluate", "m.taut", "test.csv", "--json", "--confidence", "0.5,0.9"],
    "compare": COMPARE,
    "compare for programs": [*COMPARE, "--json"],
    "reproduce table": ["reproduce", "table", "--datasets", "cos", "--methods", "erc", "--runs", "1"],
    "reproduce figure": ["reproduce", "figure", "--datasets", "cos", "--methods", "erc"],
    "report": ["report", "m.taut", "test.csv", "-o", "-"],
    "demo": ["demo"],
}
QUICKEST = ["fit", "predict", "evaluate", "report"]  # the others take seconds each
BAR = re.compile(rb"\[[#.]+\] \d+ %")


def forms(lines):
    """Lines without their numbers, some of which are seconds, and without blank lines."""
    return [form for line in lines if (form := re.sub(r"[-+]?\d[\d.,e+-]*", "N", line).rstrip())]


class Progress(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(300)))
        self.write("test.csv", samples.csv(samples.rows(200, seed=1)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def test_nothing_stays_where_both_streams_are_one_terminal(self):
        self.check_commands(QUICKEST)

    @slow
    def test_nothing_stays_of_any_other_command(self):
        self.check_commands(name for name in COMMANDS if name not in QUICKEST)

    def check_commands(self, names):
        self.write("many.csv", samples.csv(samples.rows(20_000, seed=2)))
        for name in names:
            command = COMMANDS[name]
            with self.subTest(name):
                plain = self.run_taut(*command)
                if "no page for reports" in plain.stderr:
                    self.skipTest("this build has no page for reports: node or npm was missing")
                self.assertEqual(plain.code, 0, plain)
                sent = on_a_terminal(self, *command)
                self.assertRegex(sent, BAR, "this command shows no progress: nothing is tested")
                self.check_screen(forms(rendered(sent)), forms(plain.stdout.split("\n")), forms(plain.stderr.split("\n")))

    def check_screen(self, screen, results, words):
        """Checks that there are only results and messages, each in order."""
        expected = [collections.deque(results), collections.deque(words)]
        for line in screen:
            source = next((lines for lines in expected if lines and lines[0] == line), None)
            self.assertIsNotNone(source, f"on the screen: {line[:200]!r}; expected: {[lines[0][:200] for lines in expected if lines]}")
            source.popleft()
        self.assertEqual(list(map(list, expected)), [[], []])

    def test_the_bar_is_seen_while_results_go_to_a_file(self):
        self.write("many.csv", samples.csv(samples.rows(20_000, seed=2)))
        sent = on_a_terminal(self, "predict", "m.taut", "many.csv", stdout_too=False)
        self.assertRegex(sent, BAR)
        self.assertEqual(rendered(sent), [""])

    def test_silent_in_a_pipe(self):
        done = self.taut(*COMMANDS["fit"])
        self.assertNotIn("\r", done.stderr)
        self.assertNotIn("%", done.stderr)


class Screen(unittest.TestCase):
    """Tests the terminal that these tests use."""

    def test_what_is_left(self):
        self.assertEqual(rendered(b"working 10 %\r\x1b[Kdone\r\n2 rows\r\n"), ["done", "2 rows", ""])
        self.assertEqual(rendered(b"working 10 %2 rows\r\n"), ["working 10 %2 rows", ""])
        self.assertEqual(rendered(b"abc\rx"), ["xbc"])


if __name__ == "__main__":
    main()
