"""The version and the help of the program."""
import re

from harness import ROOT, TautTest, main


class Version(TautTest):
    def test_version_is_that_of_the_source(self):
        header = (ROOT / "taut" / "core" / "version.hpp").read_text(encoding="utf-8")
        version = re.search(r'version = "(.*)"', header).group(1)
        done = self.taut("--version")
        self.assertEqual(done.stdout, f"taut {version}\n")
        self.assertEqual(done.stderr, "")

    def test_help_goes_to_stdout(self):
        done = self.taut("--help")
        for command in ["fit", "calibrate", "predict", "evaluate", "info", "demo"]:
            self.assertRegex(done.stdout, rf"(?m)^ +{command}\b")
        self.assertEqual(done.stderr, "")

    def test_unknown_command_is_bad_usage(self):
        self.fails(2, "fitt", says=["fitt"])

    def test_unknown_option_is_bad_usage(self):
        self.fails(2, "fit", "--no-such-option", says=["no-such-option"])

    def test_an_option_of_another_command_names_that_command(self):
        self.fails(2, "fit", "d.csv", "--weights", "w", says=["unknown option '--weights'", "'taut calibrate' has it"])
        self.fails(2, "predict", "--max-rows=3", says=["'taut fit', 'taut plan'", "have it"])


if __name__ == "__main__":
    main()
