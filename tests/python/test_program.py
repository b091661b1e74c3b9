"""The script `taut` and `python -m taut`: the command-line program of the package."""
import os
import re
import subprocess
import sys

import pytest
from conftest import PROGRAM, ROOT

import taut
from taut import _program

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason=f"LEFT OUT: there is no program at {PROGRAM}; make build")


def run(*arguments, **keywords):
    """The call of the installed script, with the program of this build in place of the wheel's."""
    script = f"from taut import _program; _program.PROGRAM = {PROGRAM!r}; _program.main()"
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False, **keywords)


def test_arguments_streams_and_exit_codes_are_those_of_the_program(tmp_path):
    assert run("--version").stdout == subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "d.csv").write_text("a b,y\n" + "".join(f"{i},{i % 7}\n" for i in range(60)), encoding="utf-8")
    found = run("look", "-", "--target", "y", input=(tmp_path / "d.csv").read_text(encoding="utf-8"))
    assert found.returncode == 0 and "a b" in found.stdout, found.stderr
    for wrong in (["predict", "nothing.taut", "d.csv"], ["fit", "d.csv", "--nonsense"], []):
        here, there = run(*wrong, cwd=tmp_path), subprocess.run([PROGRAM, *wrong], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)


def test_the_module_runs_it_too():
    if not os.access(_program.PROGRAM, os.X_OK):
        pytest.skip("LEFT OUT: this package has no program beside it")
    said = subprocess.run([sys.executable, "-m", "taut", "--version"], capture_output=True, text=True, check=False)
    assert said.returncode == 0 and taut.__version__ in said.stdout, said.stderr


def test_a_package_without_the_program_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_program, "PROGRAM", tmp_path / "bin" / "taut")
    with pytest.raises(SystemExit) as ended:
        _program.main()
    assert "has no command-line program" in ended.value.code and "make wheels" in ended.value.code and "TAUT_PROGRAM=ON" in ended.value.code


def test_the_script_is_declared():
    declared = re.search(r'(?m)^\[project.scripts\]\ntaut = "(\S+):(\S+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert declared.groups() == (_program.__name__, _program.main.__name__)
