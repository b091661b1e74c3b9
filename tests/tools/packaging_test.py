"""The recipes in packaging/ are valid, agree with the project, and use only existing options and targets. Needs no packages."""
import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


def text(name):
    return (PACKAGING / name).read_text(encoding="utf-8")


VERSION = re.search(r'version = "([^"]+)"', (ROOT / "taut/core/version.hpp").read_text(encoding="utf-8")).group(1)
CMAKE = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8") + "".join(
    file.read_text(encoding="utf-8") for file in [*(ROOT / "cmake").glob("*.cmake"), ROOT / "python" / "CMakeLists.txt"])
RECIPES = ["conda/meta.yaml", "vcpkg/portfile.cmake", "debian/rules", "ci/tests.yml", "ci/wheels.yml"]


class Packaging(unittest.TestCase):
    def test_versions_are_the_projects(self):
        self.assertEqual(json.loads(text("vcpkg/vcpkg.json"))["version"], VERSION)
        self.assertIn(f'set version = "{VERSION}"', text("conda/meta.yaml"))

    def test_options_of_the_build_exist(self):
        for recipe in RECIPES:
            for option in re.findall(r"\b(TAUT_\w+)=", text(recipe)):
                self.assertRegex(CMAKE, rf"(option|set)\({option}\b", f"{recipe} sets {option}")

    def test_make_targets_exist(self):
        targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
        for workflow in ("ci/tests.yml", "ci/wheels.yml"):
            for target in re.findall(r"run: make ([a-z-]+)", text(workflow)):
                self.assertIn(target, targets, workflow)

    def test_dependencies_are_those_that_cmake_looks_for(self):
        names = {"Eigen3": "eigen", "ZLIB": "zlib", "FastFloat": "fast.?float", "fmt": "fmt", "nlohmann_json": "nlohmann.json", "CLI11": "cli11"}
        wanted = set(re.findall(r"find_package\((\w+)[^)]*REQUIRED", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))) - {"Threads"}
        self.assertEqual(wanted, set(names), "a library came or went: adapt the recipes and this test")
        for recipe in ("conda/meta.yaml", "vcpkg/vcpkg.json", "debian/control", "ci/tests.yml"):
            for package in names.values():
                self.assertRegex(text(recipe).lower(), package, recipe)

    def test_python_dependencies_agree(self):
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        for name in ("numpy", "scikit-learn"):
            least = re.search(rf'"{name}>=([\d.]+)"', project).group(1)
            self.assertIn(f"- {name} >={least}", text("conda/meta.yaml"))

    def test_scripts_parse(self):
        for script in ("build-deb", "build-static", "portable-c++", "setup"):
            done = subprocess.run(["bash", "-n", ROOT / "tools" / script], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        for script in ("build-wheels", "build-site", "compile", "configure", "draw-tutorials", "get-data"):
            compile((ROOT / "tools" / script).read_text(encoding="utf-8"), script, "exec")


if __name__ == "__main__":
    unittest.main(verbosity=0)
