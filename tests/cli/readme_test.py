"""The tour of docs/tour.md is run as it stands, what it shows has the form of what the program prints, and the pages know every name."""
import os
import pathlib
import re
import subprocess
import unittest

from harness import PROGRAM, ROOT, TautTest, main

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8").partition("## Which options")[0]


def blocks(text, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


def form(line):
    """A line without what may differ between machines: numbers, spaces that line them up, and what validation rows chose."""
    line = re.sub(r"checksum \w+", "checksum", line)
    line = re.sub(r", (one scale for both sides|a scale for each side)|\bkept$", "", line.strip())
    return " ".join(re.sub(r"-?\d[\d.,]*(e[-+]?\d+)?", "#", line).split())


class Tour(TautTest):
    def run_block(self, commands):
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LC_ALL": "C"}
        done = subprocess.run(["sh", "-e", "-c", commands], cwd=self.folder, env=env, timeout=300, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, f"\n{commands}\n{done.stdout}")
        return done.stdout

    def runs(self, commands):
        """Whether this build can run them all: without node it has no page for reports."""
        return "taut report" not in commands or "has no page" not in self.run_taut("report", "m.taut", "test.csv", "-o", "-").stderr

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
            printed = iter([form(line) for line in output.splitlines()])
            for line in shown.splitlines():
                if line.strip() != "...":
                    self.assertIn(form(line), printed, f"\nnot printed, or not after the line before it: {line}\n{commands}\n{output}")

    def check_coverage(self, output):
        """Where a coverage is printed with its band, it lies inside: the tour's rows are exchangeable."""
        found = {name: float(value) for name, value in re.findall(r"(?m)^  (coverage(?: low| high)?) +([\d.]+) ", output)}
        if "coverage low" in found:
            self.assertTrue(found["coverage low"] <= found["coverage"] <= found["coverage high"], found)

    def test_every_command_but_demo_is_in_the_tour(self):
        listed = re.findall(r"(?m)^  (\w+)  ", self.taut("--help").stdout.split("Commands:")[1].split("Options:")[0])
        for command in set(listed) - {"demo"}:
            self.assertIn(f"taut {command} ", TOUR)


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
