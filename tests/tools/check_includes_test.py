"""The include check must report every violation, and nothing else."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-includes"
LOADER = importlib.machinery.SourceFileLoader("check_includes", str(TOOL))
check_includes = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_includes", LOADER))
LOADER.exec_module(check_includes)

MODULES = {"core": [], "data": ["core"], "score": ["core"], "train": ["core", "score"], "model": ["core", "data", "train"]}
TABLE = """
taut_module(core LINKS Some::library)
taut_module(data USES core LINKS ZLIB::ZLIB)
taut_module(score USES core)
taut_module(train USES core score TESTS data)
taut_module(model USES core data train)
"""


class CheckIncludes(unittest.TestCase):
    def check(self, path, line, modules=MODULES, tests_include=True):
        """The complaints, as one string, about a tree in which each module includes those listed in `modules`, with one more file."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text(TABLE)
            for module, used in modules.items():
                (root / "taut" / module).mkdir(parents=True)
                (root / "taut" / module / "uses.cpp").write_text("".join(f"#include <taut/{other}/{other}.hpp>\n" for other in used))
            (root / "tests" / "train").mkdir(parents=True)
            (root / "tests" / "train" / "train_test.cpp").write_text("#include <taut/data/table.hpp>\n" if tests_include else "")
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(line + "\n")
            return "\n".join(check_includes.complaints(root))

    def test_allows(self):
        for path, include in [
            ("taut/core/text.cpp", "<fast_float/fast_float.h>"),
            ("taut/core/types.hpp", "<Eigen/Core>"),
            ("taut/train/loop.cpp", "<taut/score/score.hpp>"),
            ("taut/train/loop.cpp", "<taut/train/loop.hpp>"),
            ("taut/taut.hpp", "<taut/model/model.hpp>"),
            ("taut/data/source.cpp", "<zlib.h>"),
            ("tests/data/source_test.cpp", "<zlib.h>"),
            ("tests/model/model_test.cpp", "<taut/score/score.hpp>"),  # through train
            ("tests/score/score_test.cpp", "<tests/support/derivatives.hpp>"),
            ("tests/train/loop_test.cpp", "<taut/data/table.hpp>"),  # listed for its tests only
            ("cli/main.cpp", "<CLI/CLI.hpp>"),
            ("cli/main.cpp", "<taut/taut.hpp>"),
            ("bench/step.cpp", "<taut/train/loop.hpp>"),
            ("python/module.cpp", "<experiments/table.hpp>"),
        ]:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.check(path, f"#include {include}"), "")

    def test_objects(self):
        for path, include in [
            ("taut/core/text.cpp", "<taut/data/table.hpp>"),
            ("taut/score/score.cpp", "<taut/data/table.hpp>"),
            ("taut/model/model.cpp", "<taut/score/score.hpp>"),  # only what the table lists
            ("taut/train/loop.cpp", "<taut/data/table.hpp>"),  # listed for its tests only
            ("taut/train/loop.cpp", "<taut/taut.hpp>"),
            ("taut/train/loop.cpp", "<cli/options.hpp>"),
            ("taut/score/score.cpp", "<tests/support/derivatives.hpp>"),
            ("taut/attic/old.cpp", "<vector>"),
            ("experiments/table.cpp", "<cli/options.hpp>"),
            ("cli/main.cpp", "<python/module.hpp>"),
            ("bench/step.cpp", "<cli/options.hpp>"),
            ("tests/score/score_test.cpp", "<taut/data/table.hpp>"),
            ("taut/train/loop.cpp", "<zlib.h>"),
            ("taut/train/loop.cpp", "<Eigen/Core>"),
            ("taut/model/model.cpp", "<CLI/CLI.hpp>"),
            ("cli/main.cpp", "<gtest/gtest.h>"),
            ("taut/core/threads.cpp", "<omp.h>"),
            ("taut/core/text.cpp", '"text.hpp"'),
        ]:
            with self.subTest(path=path, include=include):
                self.assertIn(path.rpartition("/")[0], self.check(path, f"  #  include {include} // why"))

    def test_a_module_that_lists_what_it_never_includes(self):
        for module, uses in MODULES.items():
            for missing in uses:
                with self.subTest(module=module, missing=missing):
                    modules = MODULES | {module: [used for used in uses if used != missing]}
                    self.assertEqual(self.check("cli/main.cpp", "", modules).count("\n"), 0)
                    self.assertIn(f"'{module}' lists '{missing}' in USES", self.check("cli/main.cpp", "", modules))

        self.assertIn("'train' lists 'data' in TESTS", self.check("cli/main.cpp", "", tests_include=False))

    def test_a_class_is_defined_once(self):
        model = "class Rows final : public Base {\n};\ntemplate <class T>\nstruct Panel {\n};\nclass Later;\n  struct Inner {};"
        self.assertEqual(self.check("taut/model/rows.hpp", model), "")
        self.assertIn("class 'Rows' is also defined in taut/model/a.hpp:1", self.check("taut/model/a.hpp", model + "\nclass Rows {\n};"))
        self.assertIn("class 'Panel' is also defined", self.check("cli/a.hpp", model + "\nstruct Panel {"))
        self.assertEqual(self.check("taut/model/a.hpp", model + "\nclass Later {\n};\nclass Rows;"), "")  # declared before
        self.assertEqual(self.check("taut/model/a.cpp", model + "\nclass Rows {\n};"), "")  # source files have a namespace without a name

    def test_length(self):
        self.assertEqual(self.check("cli/main.cpp", "\n" * 399), "")
        self.assertIn("401 lines", self.check("cli/main.cpp", "\n" * 400))
        self.assertIn("401 lines", self.check("tests/cli/long_test.py", "\n" * 400))
        self.assertIn("401 lines", self.check("report-page/src/long.js", "\n" * 400))

    def test_modules_hold_cpp_only(self):
        self.assertIn("taut/core/page.js: modules hold C++ only", self.check("taut/core/page.js", "let a;"))
        self.assertIn("taut/core/page/page.js: modules hold C++ only", self.check("taut/core/page/page.js", "let a;"))
        self.assertEqual(self.check("report-page/src/page.js", "let a;"), "")


if __name__ == "__main__":
    unittest.main()
