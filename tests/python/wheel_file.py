"""Installs a built wheel as users do, in a new environment for each Python on this machine, and uses it. `make wheels-test`.

    python3 tests/python/wheel_file.py [--wheel FILE] [--python PATH ...] [--seconds 20] [--tests [test_arrays.py ...]]

Each environment has only the packages that pip installs for the wheel. The time is from the call of pip to the end of the README's Python example.
--tests also runs tests/python (or the named files) in the last environment, with the packages that these need and a program of the same build.
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
    """Every CPython from 3.10 on, by its version."""
    found = {}
    candidates = [shutil.which(f"python3.{minor}") for minor in range(10, 20)] + [sys.executable, "/usr/bin/python3"]
    candidates += sorted(pathlib.Path.home().glob(".pyenv/versions/3.*/bin/python3.1?"))
    for each in map(str, filter(None, candidates)):
        said = subprocess.run([each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True, check=False)
        if said.returncode == 0 and tuple(map(int, said.stdout.split("."))) >= (3, 10):
            found.setdefault(said.stdout.strip(), each)
    return found


def served(wheel, found):
    """The Pythons that the wheel is for by its name: all, or those of its tags (cp310.cp311)."""
    tags = wheel.name.split("-")[2].split(".")
    return {version: python for version, python in found.items() if "py3" in tags or "cp" + version.replace(".", "") in tags}


def example():
    section = re.search(r"(?ms)^## In Python\n(.*?)^## ", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```$", section)
    return code


def run(*command, **keywords):
    """Runs a command without variables that point to this repository. A failure shows the output."""
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
    for command in ([home / "bin" / "taut"], [own, "-m", "taut"]):
        run(*command, "demo", "-o", home / "demo", stdout=subprocess.DEVNULL, cwd=home)
    level = run(own, "-c", CHECK, capture_output=True, cwd=home).stdout.split()[-1]
    for name in ["plain"] if level != "taut" else []:
        run(own, home / "example.py", stdout=subprocess.DEVNULL, cwd=home, env={"TAUT_LEVEL": name})
    print(f"Python {version}: installed in {installed:.1f} s, with the example {whole:.1f} s, module {level if level != 'taut' else 'plain'}", flush=True)
    return own, whole


def program_of(own, folder):
    """The program with the same compiler, C library and instruction set as the module that Python loads, because tests compare their bits."""
    level = run(own, "-c", CHECK, capture_output=True, cwd=folder).stdout.split()[-1]
    builds = sorted((ROOT / "build" / "wheels").glob("*/CMakeCache.txt"))
    (build,) = [each.parent for each in builds if each.parent.name == level] or [builds[0].parent] if builds else [None]
    if build is None:
        sys.exit("wheel_file: tests/python compare the wheel with a program of the same build; `make wheels` leaves it in build/wheels")
    zig_cache = str(ROOT / "build" / "portable" / "cache")
    run("cmake", "--build", build, "--target", "taut_cli", env={"ZIG_GLOBAL_CACHE_DIR": zig_cache, "ZIG_LOCAL_CACHE_DIR": zig_cache})
    return build / "taut"


def run_tests(own, names, folder):
    program = program_of(own, folder)
    run(own, "-m", "pip", "install", "--quiet", "pytest", "hypothesis", "pandas", "polars", "matplotlib", "pyarrow", "onnxruntime")
    tests = ROOT / "tests" / "python"
    run(own, "-m", "pytest", "-q", *([tests / each for each in names] or [tests]), cwd=folder, env={"TAUT": str(program)})


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
    chosen = {pathlib.Path(each).name: each for each in given.python} if given.python else served(wheels[-1], pythons())
    with tempfile.TemporaryDirectory(prefix="taut-wheel-") as name:
        for version, python in chosen.items():
            own, seconds = use(wheels[-1].resolve(), version, python, pathlib.Path(name))
            assert not given.seconds or seconds < given.seconds, f"Python {version} took {seconds:.1f} s"
        if given.tests is not None:
            run_tests(own, given.tests, name)


if __name__ == "__main__":
    main()
