"""Help, misspelt names and invalid levels: exit code 2, and a message that says how to fix it."""
import re

import samples
from harness import TautTest, main, slow
from samples import QUICK

COMMANDS = ["fit", "predict", "calibrate", "evaluate", "info", "demo", "synth"]


class Help(TautTest):
    def test_every_listed_command_has_help_with_an_example(self):
        listed = re.search(r"(?ms)^Commands:\n(.*?)\n\n", self.taut("--help").stdout).group(1)
        names = re.findall(r"(?m)^  (\w+)", listed)
        self.assertEqual([name for name in COMMANDS if name not in names], [])
        for name in names:
            done = self.taut(name, "--help")
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, rf"(?s)Usage: taut {name} .*Example:\n  taut {name}\b")
            self.assertEqual(done.stdout, self.taut("help", name).stdout)
            self.assertEqual(done.stdout, self.taut(name, "-h").stdout)
            self.assertLessEqual(max(map(len, done.stdout.split("\n"))), 110)

    def check_examples(self, names):
        for name in names:
            example = re.search(r"Example:\n  taut (.*)\n", self.taut(name, "--help").stdout).group(1)
            done = self.run_taut(*example.split())
            self.assertNotEqual(done.code, 2, f"\n{done}")

    def test_examples_are_usage_that_the_program_takes(self):
        self.check_examples(name for name in COMMANDS if name != "demo")

    @slow
    def test_the_example_of_the_demonstration_too(self):
        self.check_examples(["demo"])

    def test_no_command(self):
        self.fails(2, says=["Usage: taut COMMAND", "fit"])


class Misspelt(TautTest):
    def test_command(self):
        self.fails(2, "fitt", says=["taut: unknown command 'fitt'", "did you mean 'fit'", "predict"])
        self.fails(2, "help", "evalute", says=["did you mean 'evaluate'"])
        self.fails(2, "--verson", says=["'--verson'", "did you mean '--version'"])

    def test_option(self):
        self.fails(2, "fit", "d.csv", "--tarjet", "y", "-o", "m", says=["'--tarjet'", "did you mean '--target'", "taut fit --help"])
        self.fails(2, "predict", "m.taut", "d.csv", "--confidense=0.9", says=["'--confidense'", "did you mean '--confidence'"])

    def test_names(self):
        for option, name, guess in [("transform", "expp", "exp"), ("predictor", "linaer", "linear"), ("localizer", "bost", "boost"),
                                    ("objective", "siz", "size"), ("sides", "twoo", "two"),
                                    ("effort", "quik", "quick")]:
            self.fails(2, "fit", "d.csv", "--target", "y", "-o", "m", f"--{option}", name, says=[f"'{name}'", f"did you mean '{guess}'"])
        self.fails(2, "synth", "coss", says=["'coss'", "did you mean 'cos'", "inverse"])


class Values(TautTest):
    def fit(self, *options, says):
        self.fails(2, "fit", "d.csv", "--target", "y", "-o", "m.taut", *options, says=says)

    def test_what_is_needed(self):
        self.fails(2, "fit", "--target", "y", "-o", "m", says=["DATA.csv"])
        self.fails(2, "fit", "d.csv", "-o", "m", says=["--target"])
        self.fails(2, "fit", "-", "--target", "y", says=["-o FILE"])
        self.fails(2, "predict", "m.taut", says=["NEW.csv"])
        self.fails(2, "fit", "d.csv", "e.csv", "--target", "y", "-o", "m", says=["unexpected argument 'e.csv'"])
        self.fails(2, "fit", "d.csv", "--target", says=["--target needs a value"])
        self.fails(2, "fit", "d.csv", "--target", "-o", "m.taut", says=["--target needs a value"])  # and not "-o" for a value
        self.fails(2, "fit", "d.csv", "-o", "--target", "y", says=["-o needs a value"])
        self.fails(2, "report", "m.taut", "d.csv", "--learning-curve", "--strict", says=["--learning-curve needs a value"])
        self.fails(1, "fit", "d.csv", "--target=-o", says=["no such file"])  # a value all the same
        self.fit("--seed", "1", "--seed", "2", says=["--seed is given more than once"])

    def test_numbers(self):
        self.fit("--seed", "one", says=["--seed", "whole number", "'one'"])
        self.fit("--seed", "1.5", says=["--seed", "whole number", "'1.5'"])
        self.fit("--seed", "-1", says=["--seed", "at least 0", "-1"])
        self.fit("--y-min", "low", says=["--y-min", "number", "'low'"])
        self.fit("--y-min", "3", "--y-max", "-2.5", says=["3", "-2.5"])
        self.fit("--focus", "95", says=["--focus", "between 0 and 1", "95"])
        self.fit("--threads", "-1", says=["--threads", "'-1'"])
        self.fit("--hidden", "10,x", says=["--hidden", "'x'"])
        self.fit("--delimiter", "ab", says=["--delimiter", "'ab'"])
        self.fit("--depth", "31", says=["--depth", "at most 30", "got 31"])
        self.fit("--depth", "200000", says=["--depth", "at most 30", "got 200000"])

    def test_a_column_has_one_part(self):
        """The error comes before the file is read; it does not exist."""
        self.fit("--prediction", "y", says=["--prediction", "--target", "'y'"])
        self.fit("--drop", "x,y", says=["--drop", "--target", "'y'"])
        self.fit("--prediction", "p", "--drop", "p", says=["--drop", "--prediction", "'p'"])
        self.fit("--drop", "x,z,x", says=["--drop", "'x' twice"])

    def test_shares(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.fit("--split", "0.5,0.5,0.5,0.5", says=["--split", "more than 1"])
        self.fit("--split", "0.5,0.5", says=["--split", "four shares"])
        self.fit("--split", "half", says=["--split", "'half'"])

    def test_confidence(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        for command in ["predict", "evaluate"]:
            for level in ["0", "1", "1.5", "-0.1", "ninety", "nan", "inf", "0.9,1"]:
                done = self.fails(2, command, "m.taut", "d.csv", "--confidence", level)
                self.assertIn("--confidence: a level is a number between 0 and 1, both excluded, for example 0.9; got '", done.stderr)
                self.assertIn(level.split(",")[-1], done.stderr)
            self.fails(2, command, "m.taut", "d.csv", "--alpha", "0", says=["--alpha", "'0'"])
            self.fails(2, command, "m.taut", "d.csv", "--confidence", "95%", says=["'95%'", "did you mean 0.95?"])
            self.fails(2, command, "m.taut", "d.csv", "--confidence", "0.8,0.90,0.9", says=["0.90", "twice"])


if __name__ == "__main__":
    main()
