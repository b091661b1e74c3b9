"""Builds a wheel as `pip wheel .` does, installs it in a fresh virtual environment and uses it there.

    python tests/python/wheel.py [TAUT_UNITY=ON ...]      CMake definitions of the build

It needs no network: the current environment builds the wheel and provides numpy and scikit-learn.
"""
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

USE = """
import pathlib, sys
import numpy as np
import taut
assert pathlib.Path(taut.__file__).is_relative_to(sys.prefix), taut.__file__
X = np.random.default_rng(0).normal(size=(200, 3))
y = X[:, 0] + X[:, 1] * np.random.default_rng(1).normal(size=200)
cr = taut.ConformalRegressor(effort="quick", epochs=20, random_state=0).fit(X, y)
cr.save("m.taut")
before, after = (model.predict_interval(X, [0.8, 0.9])[1] for model in (cr, taut.load("m.taut")))
assert before.shape == (200, 2, 2) and (before == after).all()
print("the wheel of Taut", taut.__version__, "works")
"""


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # the package of the build is not tested here


def run(*command, **keywords):
    subprocess.run([str(word) for word in command], check=True, env=ENVIRONMENT, **keywords)


def build(folder, definitions):
    settings = [f"--config-settings=cmake.define.{definition}" for definition in definitions]
    run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
        "--disable-pip-version-check", "--wheel-dir", folder, f"--config-settings=build-dir={folder}", *settings)
    (wheel,) = folder.glob("taut-*.whl")
    return wheel


def check_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "taut/bin/taut" not in names, "a wheel from source has no program, and its build needs no CLI11"
    for wanted in ("taut/__init__.py", "taut/regressor.py", "taut/py.typed", "taut/_core.pyi"):
        assert wanted in names, f"{wanted} is not in the wheel: {names}"
    assert any(name.startswith("taut/_core.") and name.endswith(".so") for name in names), names
    assert any(name.endswith("LICENSE") for name in names), names
    strangers = [name for name in names if not name.startswith(("taut/", "taut-")) or "__pycache__" in name]
    assert not strangers, f"the wheel holds more than the package: {strangers}"


def main():
    # Next to the build folder that is tested, so that ccache sees the same relative paths and reuses its results.
    with tempfile.TemporaryDirectory(prefix="build-wheel-", dir=ROOT) as name:
        folder = pathlib.Path(name)
        wheel = build(folder, ["TAUT_REPORT=OFF", *sys.argv[1:]])
        check_contents(wheel)
        venv.create(folder / "venv", with_pip=False)
        python = folder / "venv" / "bin" / "python"
        site = pathlib.Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
        run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
        (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
        run(python, "-c", USE, cwd=folder)
        for command in ([folder / "venv" / "bin" / "taut", "--version"], [python, "-m", "taut", "--version"]):
            told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=ENVIRONMENT)
            assert told.returncode == 1 and "has no command-line program" in told.stderr, told


if __name__ == "__main__":
    main()
