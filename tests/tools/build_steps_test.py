"""tools/configure and tools/compile, which the Makefile calls: settings stay, changes are reported. With toy projects; nothing is compiled."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # the exit code that ctest shows as skipped
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(toy LANGUAGES NONE)
option(TAUT_UNITY "" ON)
option(TAUT_WERROR "" OFF)
set(TAUT_PYTHON AUTO CACHE STRING "")
if(EXISTS ${PROJECT_SOURCE_DIR}/broken)
  message(FATAL_ERROR "a package is missing")
endif()
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="taut-build-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def run_command(self, *words, code=0):
        done = subprocess.run(words, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout


class Configure(Folder):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", PROJECT)
        presets = [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build", "cacheVariables": {"CMAKE_BUILD_TYPE": "Release"}},
                   {"name": "dev", "inherits": "release", "binaryDir": "${sourceDir}/build/dev", "cacheVariables": {"TAUT_UNITY": "OFF"}}]
        self.write("CMakePresets.json", json.dumps({"version": 3, "configurePresets": presets}))

    def configure(self, *words, code=0):
        return self.run_command(sys.executable, ROOT / "tools" / "configure", *words, code=code)

    def setting(self, name, folder="build"):
        return re.search(rf"(?m)^{name}:\w+=(.*)$", (self.folder / folder / "CMakeCache.txt").read_text(encoding="utf-8")).group(1)

    def test_settings_that_are_not_given_stay_and_changed_ones_are_reported(self):
        self.assertNotIn("is now", self.configure("release"))
        self.assertEqual(self.setting("TAUT_UNITY"), "ON")
        said = self.configure("release", "TAUT_UNITY=OFF", "TAUT_WERROR=ON")
        self.assertIn("TAUT_UNITY is now 'OFF', it was 'ON'", said)
        self.assertIn("TAUT_WERROR is now 'ON', it was 'OFF'", said)
        self.assertNotIn("is now", self.configure("release"))
        self.assertEqual((self.setting("TAUT_UNITY"), self.setting("TAUT_WERROR")), ("OFF", "ON"))
        self.configure("dev")
        self.assertEqual((self.setting("TAUT_UNITY", "build/dev"), self.setting("TAUT_UNITY")), ("OFF", "OFF"))

    def test_another_generator_is_replaced_and_settings_stay(self):
        self.run_command("cmake", "-S", ".", "-B", "build", "-G", "Unix Makefiles", "-DTAUT_UNITY=OFF", "-DTAUT_PYTHON=OFF")
        said = self.configure("release", "TAUT_WERROR=ON")
        self.assertIn("once more with an empty cache", said)
        self.assertTrue((self.folder / "build" / "build.ninja").exists())
        self.assertEqual([self.setting(name) for name in ("TAUT_UNITY", "TAUT_PYTHON", "TAUT_WERROR")], ["OFF", "OFF", "ON"])

    def test_an_error_is_reported_and_settings_stay(self):
        self.configure("release", "TAUT_UNITY=OFF")
        self.write("broken", "")
        said = self.configure("release", code=1)
        self.assertIn("a package is missing", said)
        self.assertIn("its messages are above", said)
        (self.folder / "broken").unlink()
        self.configure("release")
        self.assertEqual(self.setting("TAUT_UNITY"), "OFF")

    def test_an_unknown_preset(self):
        self.assertIn("there are: release, dev", self.configure("relaese", code=1))


class Compile(Folder):
    FILES = 12

    def setUp(self):
        super().setUp()
        self.rules("first")
        for i in range(self.FILES):
            self.write(f"f{i}.cpp", "")

    def rules(self, options):
        lines = ["rule compile", f"  command = : {options} && touch $out", "  description = Building CXX object $out", "build all: phony " +
                 " ".join(f"f{i}.o" for i in range(self.FILES)), *(f"build f{i}.o: compile f{i}.cpp" for i in range(self.FILES)), ""]
        self.write("build.ninja", "\n".join(lines))
        # As in a real build, the file checks itself first.
        self.write("build.ninja", (self.folder / "build.ninja").read_text(encoding="utf-8") + "rule again\n  command = touch build.ninja\n  generator = 1\n"
                   "build force: phony\nbuild build.ninja: again force\n")
        self.write("CMakeCache.txt", f"CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_MAKE_PROGRAM:FILEPATH={shutil.which('ninja')}\n"
                   f"CMAKE_HOME_DIRECTORY:INTERNAL={self.folder}\nCMAKE_CACHEFILE_DIR:INTERNAL={self.folder}\n")

    def planned(self):
        """What the script says before it builds; the build itself is that of ninja."""
        code = (f"import sys; sys.argv = ['compile', {str(self.folder)!r}, '1', 'all']; import subprocess, runpy; real = subprocess.run\n"
                "def run(words, **keywords): return real(['true'] if words[0] == 'cmake' else words, **keywords)\n"
                f"subprocess.run = run; runpy.run_path({str(ROOT / 'tools' / 'compile')!r}, run_name='__main__')")
        said = self.run_command(sys.executable, "-B", "-c", code)
        self.assertFalse((self.folder / "planned.ninja").exists())
        return said

    def build(self):
        self.write("plan.ninja", (self.folder / "build.ninja").read_text(encoding="utf-8").replace("build build.ninja:", "build other:"))
        self.run_command("ninja", "-f", "plan.ninja", "all")

    def test_many_files_are_announced_with_their_reasons(self):
        self.assertIn("12 files of", said := self.planned())
        self.assertIn("12 because they have not been compiled here", said)
        self.build()
        self.assertEqual(self.planned(), "")
        self.rules("second")
        self.assertIn("12 because of other compiler options than before", self.planned())
        self.build()
        later = (self.folder / "f0.o").stat().st_mtime + 10
        for i in range(self.FILES):
            os.utime(self.folder / f"f{i}.cpp", (later, later))
        self.assertIn("12 because files changed", self.planned())

    def test_a_few_files_are_compiled_without_a_word(self):
        self.build()
        later = (self.folder / "f0.o").stat().st_mtime + 10
        os.utime(self.folder / "f0.cpp", (later, later))
        self.assertEqual(self.planned(), "")


class Parquet(Folder):
    def test_a_build_that_began_without_pyarrow_finds_it_later(self):
        shutil.copytree(ROOT / "cmake", self.folder / "cmake")
        self.write("columnar/CMakeLists.txt", "")
        libraries = [f"{self.folder}/env/lib/python3.11/site-packages/pyarrow/lib{name}.so.1" for name in ("arrow", "parquet")]
        links = re.sub(r"\W", "_", "TAUT_ARROW_LINKS_" + ";".join(libraries))  # says that they link, so that nothing is compiled
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.22)\nproject(toy LANGUAGES NONE)\nset(TAUT_PYTHON_ENVIRONMENT env CACHE PATH \"\")\n"
                   f"set({links} ON)\ninclude(cmake/columnar.cmake)\nadd_custom_target(work ALL COMMAND true)\n")
        said = self.run_command("cmake", "-G", "Ninja", "-S", ".", "-B", "build", f"-DTAUT_PYTHON_ENVIRONMENT={self.folder}/env", "-Wno-dev")
        self.assertIn("Parquet and Arrow files are left out", said)
        self.assertNotIn("from now on", self.run_command("ninja", "-C", "build"))
        for library in libraries:
            self.write(library, "")
        self.write("env/lib/python3.11/site-packages/pyarrow/include/parquet/arrow/reader.h", "")
        said = self.run_command("ninja", "-C", "build")
        self.assertIn("Parquet and Arrow files are part of this build from now on", said)
        self.assertNotIn("from now on", self.run_command("ninja", "-C", "build"))


class Makefile(unittest.TestCase):
    def recipe(self, *words):
        # Without the settings of a `make test UNITY=OFF` that may be running this test.
        outside = {name: value for name, value in os.environ.items() if not re.match(r"MAKE|MFLAGS|PRESET$|UNITY$|WERROR$|BENCH$|ALSO$", name)}
        return subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=True, env=outside).stdout

    def test_no_target_changes_a_setting_by_itself(self):
        for target in ("build", "site", "demo", "test"):
            said = self.recipe(target)
            self.assertIn("tools/configure release", said)
            self.assertNotIn("TAUT_UNITY", said)
            self.assertNotIn("--fresh", said)
        self.assertRegex(self.recipe("build", "UNITY=OFF"), "tools/configure release +TAUT_UNITY=OFF")


if __name__ == "__main__":
    missing = [name for name in ("cmake", "ninja", "make") if not shutil.which(name)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    unittest.main(verbosity=0)
