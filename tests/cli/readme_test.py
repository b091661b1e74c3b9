"""The commands of docs/tour.md run and print what the page shows; and the pages have every listed name."""
import math
import os
import pathlib
import re
import subprocess
import unittest

from harness import PROGRAM, ROOT, TautTest, main, slow

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8").partition("## Which options")[0]


def blocks(text, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


# A separate number, not a part of a name such as x2 or lower_0.8. Numbers may have commas for thousands, except in lines of a table.
NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
MEMBERS = "boost|symmetric|additive|elastic|gp|network"


def without_what_may_differ(line):
    """The text without seconds, checksums and selected candidates, which may differ if two are equally good."""
    line = re.sub(r"checksum \w+", "checksum", line.strip())
    line = re.sub(r", (one scale for both sides|a scale for each side)|\bkept$", "", line)
    return re.sub(r"\([\d.e-]+ s\)", "(s)", line)


def parsed(line):
    """The line with # for each number, and the numbers as they are written."""
    line = without_what_may_differ(line)
    if " " not in line:  # cells of a table
        line = line.replace(",", " , ")
    return " ".join(NUMBER.sub("#", line).split()), NUMBER.findall(line)


def tolerance(line, at, text):
    """The allowed difference from the number that is shown. Bits differ between machines, and fitted numbers differ a little by them.
    Counts, levels, and numbers that depend on counts only, such as ranks and delivered coverages, must be equal."""
    value = float(text.replace(",", ""))
    if re.match(r"(delivered|rank|coverage low|coverage high|the coverage lies in)\b|confidence #$|# # #$", line):
        return 0
    if re.match(rf"({MEMBERS}) as-is\b", line):
        return 0.05 if at == 1 else 0.05 * abs(value)  # the weight, of 1
    if "% larger" in line and at == 1:
        return 5  # percentage points
    if line.count(" , ") or re.search(r"[.e]", text):
        # Standard errors have large errors themselves.
        rough = line.split("#")[at].endswith("± ") or (re.match(r"[a-z][^#]* # # #$", line) and at == 2)
        return (0.5 if rough else 0.05) * abs(value)
    return 0


def difference(shown, printed):
    """The difference of a printed line from the shown one that another machine cannot explain, or None."""
    (words, numbers), (found, others) = parsed(shown), parsed(printed)
    if words != found:
        return "other words"
    streamed = re.match(r"confidence #: covered #, asked for now #$", words)
    for at, (one, other) in enumerate(zip(numbers, others)):
        if streamed and at > 0:
            level, rows, value = float(numbers[0]), 1000, float(other)
            # The share of rows has a binomial bound that holds 999 times in 1,000; without drift other numbers change little.
            if abs(value - level) > (3.3 * math.sqrt(level * (1 - level) / rows) if at == 1 else 0.1):
                return f"{other} at level {level}"
        elif not re.match(r"coverage #", words):  # must be inside of its band: see check_coverage
            away = abs(float(one.replace(",", "")) - float(other.replace(",", "")))
            if not away <= tolerance(words, at, one):
                return f"{other} instead of {one}"
    return None


def place_of(lines, printed, begin):
    """The position of the consecutive lines in the printed text from `begin` on; or None, and the nearest match."""
    nearest, most = "nowhere", -1
    for start in range(begin, len(printed) - len(lines) + 1):
        said = 0
        while said < len(lines) and (wrong := difference(lines[said], printed[start + said])) is None:
            said += 1
        if said == len(lines):
            return start, None
        if said > most or (said == most and wrong != "other words" and nearest.startswith("other words")):
            nearest, most = f"{wrong}: {printed[start + said]!r} instead of {lines[said]!r}", said
    return None, nearest


def compared(shown, output):
    """The difference, or None. Printed lines must have the order of the shown ones; `...` matches any lines."""
    printed, at, part = output.splitlines(), 0, []
    for line in [*shown.splitlines(), "..."]:
        if line.strip() != "...":
            part.append(line)
            continue
        start, wrong = place_of(part, printed, at)
        if wrong:
            return wrong
        at, part = start + len(part), []
    return None


class Tour(TautTest):
    def run_block(self, commands):
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LC_ALL": "C"}
        done = subprocess.run(["sh", "-e", "-c", commands], cwd=self.folder, env=env, timeout=1200, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, f"\n{commands}\n{done.stdout}")
        return done.stdout

    def runs(self, commands):
        """Whether this build can run all commands: without node it has no page of reports."""
        return "taut report" not in commands or "has no page" not in self.run_taut("report", "m.taut", "test.csv", "-o", "-").stderr

    @slow
    def test_commands_run_and_print_what_is_shown(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "taut").symlink_to(pathlib.Path(PROGRAM).resolve())
        pairs = re.findall(r"(?ms)^```sh\n(.*?)^```\n(?:```text\n(.*?)^```$)?", TOUR)
        self.assertGreater(len(pairs), 5)
        self.assertEqual(len(pairs), len(blocks(TOUR, "sh")))
        for commands, shown in pairs:
            if not self.runs(commands):
                continue
            output = self.run_block(commands)
            self.check_coverage(output)
            wrong = compared(shown, output)
            self.assertIsNone(wrong, f"\n{commands}\n{output}")

    def check_coverage(self, output):
        """A coverage that is printed with its band is inside, because the rows of the tour are exchangeable."""
        found = {name: float(value) for name, value in re.findall(r"(?m)^  (coverage(?: low| high)?) +([\d.]+) ", output)}
        if "coverage low" in found:
            self.assertTrue(found["coverage low"] <= found["coverage"] <= found["coverage high"], found)

    def test_every_command_but_demo_is_in_the_tour(self):
        listed = re.findall(r"(?m)^  (\w+)  ", self.taut("--help").stdout.split("Commands:")[1].split("Options:")[0])
        for command in set(listed) - {"demo"}:
            self.assertIn(f"taut {command} ", TOUR)


class Comparison(unittest.TestCase):
    """Tests the comparison that the test of the tour uses."""

    TABLE = """taut: m.taut: predictor stack; transformation exp, one scale for both sides
  2,000 rows of data.csv: predictor 1,600, calibration 400
  confidence  rank of 400  delivered coverage
  0.9                 361             0.90025
    additive    as-is  0.8084    0.24
  confidence 0.9: covered 0.898, asked for now 0.9047
x,lower_0.8
-0.958,0.3183
  fixed      fixed      1           2.0415
  coverage                     0.906   share of rows whose interval holds y
  mean width                  3.0614   mean full width
"""

    def test_the_same_and_what_other_machines_print(self):
        for one, other in [("", ""), ("one scale for both sides", "a scale for each side"), ("0.24", "0.26"), ("2.0415", "2.1"), ("0.898", "0.921"),
                           ("0.9047", "0.856"), ("0.3183", "0.3184"), ("0.906", "0.88"), ("m.taut: p", "m.taut:  p")]:
            self.assertIn(one, self.TABLE)
            self.assertIsNone(compared(self.TABLE, self.TABLE.replace(one, other) if one else self.TABLE), (one, other))

    def test_other_numbers_words_and_orders_are_noticed(self):
        for one, other in [("2,000", "2,001"), ("361", "362"), ("0.90025", "0.90026"), ("0.9 ", "0.8 "), ("0.8084", "0.9"), ("0.24", "0.4"), ("0.898", "0.8"),
                           ("0.9047", "0.5"), ("lower_0.8", "lower_0.9"), ("0.3183", "0.4"), ("      1 ", "      2 "), ("2.0415", "2.3"), ("3.0614", "2.5"),
                           ("stack", "boost"), ("-0.958", "0.958"), ("  0.9                 361             0.90025\n", "")]:
            self.assertIn(one, self.TABLE)
            self.assertIsNotNone(compared(self.TABLE, self.TABLE.replace(one, other)), (one, other))
        lines = self.TABLE.splitlines()
        for at in range(1, len(lines)):
            swapped = [*lines[:at - 1], lines[at], lines[at - 1], *lines[at + 1:]]
            self.assertIsNotNone(compared(self.TABLE, "\n".join(swapped)), lines[at])
            self.assertIsNotNone(compared(self.TABLE, "\n".join([*lines[:at], "another", *lines[at:]])), lines[at])

    def test_dots_stand_for_lines(self):
        self.assertIsNone(compared("a 1\n...\nb 2\n", "a 1\nc\nb 3\nb 2\n"))
        self.assertIsNotNone(compared("a 1\nb 2\n", "a 1\nc\nb 2\n"))
        self.assertIsNotNone(compared("a 1\n...\nb 2\n", "b 2\na 1\n"))


class Words(unittest.TestCase):
    def test_lines_of_code_are_those_of_the_outside_project(self):
        for language, file in [("cpp", "main.cpp"), ("cmake", "CMakeLists.txt")]:
            source = (ROOT / "tests" / "outside" / file).read_text(encoding="utf-8")
            lines = "".join(blocks((ROOT / "docs" / "cpp.md").read_text(encoding="utf-8"), language)).splitlines()
            self.assertTrue(lines)
            for line in lines:
                code = re.sub(r"\s*//.*", "", line).strip()
                self.assertIn(code, source, f"not in tests/outside/{file}")

    def test_the_readme_is_short_and_its_commands_exist(self):
        self.assertLessEqual(len(README.splitlines()), 150)
        commands = re.findall(r"(?m)^taut (\w+) (.*?)(?: +#.*)?$", README)
        self.assertGreater(len(commands), 5)
        for command, words in commands:
            shown = subprocess.run([PROGRAM, command, "--help"], text=True, capture_output=True, check=True).stdout
            for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", words):
                self.assertRegex(shown, rf"(?<![\w-]){option}\b", f"taut {command}")

    def test_links_lead_somewhere(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), f"{page.name} links to {link}")


class Pages(TautTest):
    def test_every_listed_name_is_in_the_method(self):
        page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
        self.write("d.csv", "x,y\n1,2\n")
        for option in ["transform", "objective", "localizer", "predictor"]:
            refusal = self.fails(2, "fit", "d.csv", "--target", "y", "-o", "m.taut", f"--{option}", "nothing-like-it").stderr
            for name in refusal.strip().split("allowed: ")[1].split(", "):
                self.assertRegex(page, rf"`{name}[`:]", f"--{option}")

    def test_every_metric_is_in_the_method(self):
        page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
        listed = (ROOT / "taut" / "metric" / "list.cpp").read_text(encoding="utf-8")
        for name in re.findall(r"LISTED\((\w+)\)\s", listed):
            self.assertIn(f"`{name}`", page)

    def test_the_tests_behind_the_guarantees_exist(self):
        page = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
        found = 0
        for file, names in re.findall(r"`(tests/[\w/.]+)`: ((?:`[\w.]+`(?:, )?)+)", page):
            source = (ROOT / file).read_text(encoding="utf-8")
            for suite, name in re.findall(r"`(\w+)\.(\w+)`", names):
                pattern = rf"def {name}\(" if file.endswith(".py") else rf"TEST\w*\({suite}, {name}\)"
                self.assertRegex(source, pattern, f"{file} has no {suite}.{name}")
                found += 1
        self.assertEqual(found, len(re.findall(r"`[A-Z]\w+\.\w+`", page)))


if __name__ == "__main__":
    main()
