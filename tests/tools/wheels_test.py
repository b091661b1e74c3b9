"""tools/build-wheels: which Pythons a wheel is built for, and what is said where one is missing. Nothing is built."""
import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest
from importlib.machinery import SourceFileLoader

ROOT = pathlib.Path(__file__).resolve().parents[2]
tool = types.ModuleType("build_wheels")  # build-wheels is a program without the suffix .py
tool.__file__ = str(ROOT / "tools" / "build-wheels")
SourceFileLoader("build_wheels", tool.__file__).exec_module(tool)


class Wheels(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="taut-wheels-")
        self.addCleanup(holder.cleanup)
        self.addCleanup(setattr, tool, "WORK", tool.WORK)
        self.addCleanup(setattr, tool, "run", tool.run)
        self.addCleanup(setattr, tool.wheel_file, "pythons", tool.wheel_file.pythons)
        tool.WORK = pathlib.Path(holder.name)
        tool.run = lambda *command, **_: pathlib.Path(command[-1]).mkdir() if "venv" in command else None

    def found(self, *versions, wanted=()):
        """The Pythons that a wheel is built for on a machine with these versions, and what is said."""
        tool.wheel_file.pythons = lambda: {version: f"/usr/bin/python{version}" for version in versions}
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            return tool.find_pythons(list(wanted)), said.getvalue()

    def test_a_stable_abi_and_the_older_ones(self):
        chosen, said = self.found("3.10", "3.11", "3.12", "3.13")
        self.assertEqual((list(chosen), said), (["3.12", "3.10", "3.11"], ""))
        self.assertEqual(tool.served(chosen), (">=3.10", "py3", "3.10 and 3.11 and every CPython since 3.12"))
        self.assertEqual(tool.settings("", chosen)["TAUT_STABLE_ABI"], "ON")
        chosen, said = self.found("3.13")
        self.assertEqual(tool.served(chosen), (">=3.12", "py3", "every CPython since 3.12"))
        self.assertIn("no Python 3.10", said)

    def test_debian_12_gets_a_wheel_of_its_own_python_and_is_told_how_to_get_more(self):
        chosen, said = self.found("3.11")
        self.assertEqual(list(chosen), ["3.11"])
        for text in ("no Python 3.12 or later", "Python 3.11 only", "pyenv install 3.12", "uv python install 3.12"):
            self.assertIn(text, said)
        self.assertEqual(tool.served(chosen), (">=3.11,<3.12", "cp311", "CPython 3.11 only"))
        self.assertEqual(tool.settings("", chosen)["TAUT_STABLE_ABI"], "OFF")
        chosen, said = self.found("3.10", "3.11")
        self.assertEqual(list(chosen), ["3.11", "3.10"])
        self.assertEqual(tool.settings("", chosen)["TAUT_FURTHER_PYTHONS"], "/usr/bin/python3.10")
        self.assertEqual(tool.served(chosen), (">=3.10,<3.12", "cp310.cp311", "CPython 3.10 and 3.11 only"))

    def test_no_python_at_all_is_an_error(self):
        for versions, wanted in (((), ()), (("3.11",), ("3.9",))):
            with self.assertRaises(SystemExit) as ended:
                self.found(*versions, wanted=wanted)
            self.assertIn("found no CPython since 3.10", str(ended.exception))

    def test_a_missing_python_is_reported_before_anything_is_built(self):
        tool.wheel_file.pythons = dict
        self.addCleanup(setattr, sys, "argv", sys.argv)
        self.addCleanup(setattr, tool, "build_sdist", tool.build_sdist)
        tool.build_sdist = lambda: self.fail("the sdist was built first")
        sys.argv = ["build-wheels"]
        with self.assertRaises(SystemExit):
            tool.main()

    def test_a_wheel_is_tried_only_with_the_pythons_that_it_is_for(self):
        here = {"3.10": "a", "3.11": "b", "3.13": "c"}
        for name, expected in (("taut-0.2.0-py3-none-manylinux_2_28_x86_64.whl", here), ("taut-0.2.0-cp311-none-linux_x86_64.whl", {"3.11": "b"}),
                               ("taut-0.2.0-cp310.cp311-none-linux_x86_64.whl", {"3.10": "a", "3.11": "b"})):
            self.assertEqual(tool.wheel_file.served(pathlib.Path(name), here), expected)


if __name__ == "__main__":
    unittest.main(verbosity=0)
