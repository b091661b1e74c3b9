"""Code that all command-line tests share: it runs the program in a temporary folder, finds data, and describes failures.

    from harness import TautTest, main

    class Fit(TautTest):
        def test_unknown_target(self):
            data = self.write("d.csv", "x,y\\n1,2\\n")
            self.fails(1, "fit", data, "--target", "z", says=["'z'", "d.csv"])

    if __name__ == "__main__":
        main()

The program is $TAUT (build/taut when unset), the data sets are in $TAUT_DATA (../shared/data next to the repository when unset).
A file run by hand takes unittest's arguments: python3 tests/cli/version_test.py -v -k help

Tests and classes that compile code, or take many seconds, are marked by @slow and run in `make test-slow`: with TAUT_SLOW=1 only the
slow tests of a file run. A test that is named on the command line always runs.
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TAUT", str(ROOT / "build" / "taut"))
DATA = pathlib.Path(os.environ.get("TAUT_DATA") or ROOT.parent / "shared" / "data")
SKIPPED = 77  # the exit code that ctest shows as skipped
SLOW = os.environ.get("TAUT_SLOW") == "1"


@dataclass
class Done:
    """A command that has ended."""

    command: str
    code: int
    stdout: str
    stderr: str

    def json(self):
        return json.loads(self.stdout)

    def __str__(self):
        return f"$ {self.command}\nexit {self.code}\n-- stdout\n{self.stdout}-- stderr\n{self.stderr}"


class TautTest(unittest.TestCase):
    """`self.folder` is a fresh folder and the current folder of every command; it is deleted after the test."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="taut-test-")
        self.addCleanup(holder.cleanup)
        # A subfolder, because the program also searches "../shared/data", which would otherwise be /tmp/shared/data, perhaps of another user.
        self.folder = pathlib.Path(holder.name) / "work"
        self.folder.mkdir()

    def run_taut(self, *arguments, stdin=None, env=None, timeout=1200):
        """Runs the program and allows any exit code. `stdin` is text or bytes; `env` is added to the environment."""
        command = [PROGRAM, *map(str, arguments)]
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(command, input=given if given is not None else b"", capture_output=True, cwd=self.folder,
                              env={**os.environ, **(env or {})}, timeout=timeout, check=False)
        return Done(shlex.join(["taut", *command[1:]]), done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments, env=None):
        """The running program, for tests that interrupt it; killed at the end if it still runs."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.folder, env={**os.environ, **(env or {})})

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def with_page(self, done):
        """Skips the test, with a message, if this build has no page of reports, which needs node and npm."""
        if "this build of Taut has no page for reports" in done.stderr:
            self.skipTest("LEFT OUT: this build has no page for reports: node or npm was missing")
        return done

    def taut(self, *arguments, **keywords):
        """Runs the program, which must succeed."""
        done = self.with_page(self.run_taut(*arguments, **keywords))
        self.assertEqual(done.code, 0, f"\n{done}")
        return done

    def fails(self, code, *arguments, says=(), **keywords):
        """Runs the program, which must end with `code`, write each of `says` to stderr and nothing to stdout."""
        done = self.with_page(self.run_taut(*arguments, **keywords))
        self.assertEqual(done.code, code, f"\n{done}")
        self.assertEqual(done.stdout, "", f"\n{done}")
        for words in says:
            self.assertIn(words, done.stderr, f"\n{done}")
        return done

    def write(self, name, content):
        """A file in the test's folder, from text or bytes."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def files(self):
        """The files in the test's folder, to check that no partial file is left."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    def data(self, name):
        """The path of a public data set. Skips the test, with a message, if it is missing."""
        path = DATA / name
        if not path.exists():
            self.skipTest(f"no data set {name} in {DATA}; set TAUT_DATA to its folder")
        return path


def slow(test):
    """Marks a test, or all tests of a class, for `make test-slow`."""
    test.is_slow = True
    return test


class OfThisRun(unittest.TestLoader):
    """Loads either the slow tests or the others."""

    def getTestCaseNames(self, case):
        is_slow = lambda name: getattr(case, "is_slow", False) or getattr(getattr(case, name), "is_slow", False)
        return [name for name in super().getTestCaseNames(case) if is_slow(name) == SLOW]


def main():
    """Runs the tests of the calling script. Ends with SKIPPED if all tests that ran passed but some were skipped."""
    program = unittest.main(module="__main__", exit=False, testLoader=OfThisRun())
    if program.result.testsRun == 0 and not program.result.skipped:
        print("SKIPPED: every test of this file is " + ("quick" if SLOW else "slow, see TAUT_SLOW"), file=sys.stderr)
        sys.exit(SKIPPED)
    for test, reason in program.result.skipped:
        print(f"SKIPPED {test.id()}: {reason}", file=sys.stderr)
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if program.result.skipped else 0)
