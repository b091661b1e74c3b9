"""Installs a built wheel as users do, in a fresh environment for each Python that is here, and uses it. `make wheels-test`.

    python3 tests/python/wheel_file.py [--wheel FILE] [--python PATH ...] [--seconds 20] [--tests [test_arrays.py ...]]

Each environment has nothing but what pip installs for the wheel. Measured: from the call of pip to the end of the README's Python example. With
--tests also tests/python (or the files that are named), in the last environment, with the packages that these need; `make static` comes first.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = """
import pathlib, sys, taut, taut._core
assert pathlib.Path(taut.__file__).is_relative_to(sys.prefix), taut.__file__
print("level", pathlib.Path(taut._core.__file__).parent.name)
"""


def pythons():
    """Every CPython from 3.10 on, by its number."""
    found = {}
    candidates = [shutil.which(f"python3.{minor}") for minor in range(10, 20)] + [sys.executable, "/usr/bin/python3"]
    candidates += sorted(pathlib.Path.home().glob(".pyenv/versions/3.*/bin/python3.1?"))
    for each in map(str, filter(None, candidates)):
        said = subprocess.run([each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True, check=False)
        if said.returncode == 0 and tuple(map(int, said.stdout.split("."))) >= (3, 10):
            found.setdefault(said.stdout.strip(), each)
    return found


def example():
    section = re.search(r"(?ms)^## In Python\n(.*?)^## ", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```$", section)
    return code


def run(*command, **keywords):
    """Without what points at this clone; a failure shows what was said."""
    environment = {"OMP_WAIT_POLICY": "passive"}  # scikit-learn's threads would spin, for minutes on a busy machine
    environment.update((name, value) for name, value in os.environ.items() if not name.startswith(("PYTHON", "TAUT_")))
    return subprocess.run([str(word) for word in command], check=True, env={**environment, **keywords.pop("env", {})}, text=True, **keywords)


def use(wheel, version, python, folder):
    home = folder / version
    run(python, "-m", "venv", home)
    own = home / "bin" / "python"
    began = time.monotonic()
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    installed = time.monotonic() - began
    (home / "example.py").write_text(example(), encoding="utf-8")
    run(own, home / "example.py", stdout=subprocess.DEVNULL, cwd=home)
    whole = time.monotonic() - began
    level = run(own, "-c", CHECK, capture_output=True, cwd=home).stdout.split()[-1]
    for name in ["plain"] if level != "taut" else []:
        run(own, home / "example.py", stdout=subprocess.DEVNULL, cwd=home, env={"TAUT_LEVEL": name})
    print(f"Python {version}: installed in {installed:.1f} s, with the example {whole:.1f} s, module {level if level != 'taut' else 'plain'}", flush=True)
    return own, whole


def run_tests(own, names, folder):
    """tests/python. What compares bits with the command line needs a program of the same compiler and instruction set: that of `make static`, and the plain module."""
    program = ROOT / "build" / "static" / "taut"
    if not program.exists():
        sys.exit("wheel_file: tests/python compare the wheel with build/static/taut; `make static` builds it")
    run(own, "-m", "pip", "install", "--quiet", "pytest", "hypothesis", "pandas", "polars", "matplotlib", "pyarrow")
    tests = ROOT / "tests" / "python"
    same_bits = [tests / "test_command_line.py", tests / "test_stream.py"]
    wanted = [tests / each for each in names] or [tests, *(f"--ignore={each}" for each in same_bits)]
    run(own, "-m", "pytest", "-q", *wanted, cwd=folder, env={"TAUT": str(program)})
    run(own, "-m", "pytest", "-q", *same_bits, cwd=folder, env={"TAUT": str(program), "TAUT_LEVEL": "plain"})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--python", action="append")
    parser.add_argument("--tests", nargs="*")
    parser.add_argument("--seconds", type=float, default=0, help="fail if an installation and the example take longer")
    given = parser.parse_args()
    wheels = [given.wheel] if given.wheel else sorted((ROOT / "dist").glob("taut-*.whl"))
    if not wheels:
        sys.exit("wheel_file: there is no dist/taut-*.whl; `make wheels` builds it")
    chosen = {pathlib.Path(each).name: each for each in given.python} if given.python else pythons()
    with tempfile.TemporaryDirectory(prefix="taut-wheel-") as name:
        for version, python in chosen.items():
            own, seconds = use(wheels[-1].resolve(), version, python, pathlib.Path(name))
            assert not given.seconds or seconds < given.seconds, f"Python {version} took {seconds:.1f} s"
        if given.tests is not None:
            run_tests(own, given.tests, name)


if __name__ == "__main__":
    main()
