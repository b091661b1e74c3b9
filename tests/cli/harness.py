"""What every command-line test needs: the program, a folder of its own, data, and words when something is not as it should be.

    from harness import TautTest, main

    class Fit(TautTest):
        def test_unknown_target(self):
            data = self.write("d.csv", "x,y\\n1,2\\n")
            self.fails(1, "fit", data, "--target", "z", says=["'z'", "d.csv"])

    if __name__ == "__main__":
        main()

The program is $TAUT (build/taut when unset), the data sets lie in $TAUT_DATA (../shared/data beside the repository when unset).
A file run by hand takes unittest's arguments: python3 tests/cli/version_test.py -v -k help

What compiles, or takes many seconds, is marked by @slow, a test or a class of them, and left to `make test-slow`: with TAUT_SLOW=1 the
slow tests of a file run and no others. A test that is named on the command line runs in any case.
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
    """`self.folder` is a fresh folder and the current folder of every command; it goes away after the test."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="taut-test-")
        self.addCleanup(holder.cleanup)
        # A folder within the fresh one: "../shared/data", where the program looks too, must not be a folder of someone else, /tmp/shared/data.
        self.folder = pathlib.Path(holder.name) / "work"
        self.folder.mkdir()

    def run_taut(self, *arguments, stdin=None, env=None, timeout=1200):
        """Runs the program whatever comes of it. `stdin` is text or bytes; `env` is added to the environment."""
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
        """Where node or npm was missing a build has no page for reports: what asks for one is left out, and said."""
        if "this build of Taut has no page for reports" in done.stderr:
            self.skipTest("LEFT OUT: this build has no page for reports: node or npm was missing")
        return done

    def taut(self, *arguments, **keywords):
        """Runs the program, which must succeed."""
        done = self.with_page(self.run_taut(*arguments, **keywords))
        self.assertEqual(done.code, 0, f"\n{done}")
        return done

    def fails(self, code, *arguments, says=(), **keywords):
        """Runs the program, which must end with `code`, say each of `says` on stderr and nothing on stdout."""
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
        """What lies in the test's folder, to see that nothing half-written stayed behind."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    def data(self, name):
        """One of the public data sets; skips the test, and says so, where they are not."""
        path = DATA / name
        if not path.exists():
            self.skipTest(f"no data set {name} in {DATA}; set TAUT_DATA to its folder")
        return path


def slow(test):
    """Leaves a test, or all tests of a class, to `make test-slow`."""
    test.is_slow = True
    return test


class OfThisRun(unittest.TestLoader):
    """Either the slow tests or the others."""

    def getTestCaseNames(self, case):
        is_slow = lambda name: getattr(case, "is_slow", False) or getattr(getattr(case, name), "is_slow", False)
        return [name for name in super().getTestCaseNames(case) if is_slow(name) == SLOW]


def main():
    """Runs the tests of the calling script. Ends with SKIPPED when all that ran passed but something was left out."""
    program = unittest.main(module="__main__", exit=False, testLoader=OfThisRun())
    if program.result.testsRun == 0 and not program.result.skipped:
        print("SKIPPED: every test of this file is " + ("quick" if SLOW else "slow, see TAUT_SLOW"), file=sys.stderr)
        sys.exit(SKIPPED)
    for test, reason in program.result.skipped:
        print(f"SKIPPED {test.id()}: {reason}", file=sys.stderr)
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if program.result.skipped else 0)
