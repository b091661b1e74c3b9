#!/usr/bin/env python3
"""taut.h from C, compiled as C, and from Python's ctypes: the same bits as the command line, errors as text, many threads."""
import csv
import ctypes
import math
import os
import pathlib
import shutil
import subprocess
import threading
import unittest

from harness import PROGRAM, ROOT, TautTest, main, slow

LIBRARY = os.environ.get("TAUT_LIBRARY") or str(ROOT / "build" / "libtaut.so")
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
SANITIZED = os.environ.get("TAUT_SANITIZED") == "1"


def opened():
    library = ctypes.CDLL(LIBRARY)
    for name in ("taut_version", "taut_last_error", "taut_target", "taut_description", "taut_column_name", "taut_category"):
        getattr(library, name).restype = ctypes.c_char_p
    for name in ("taut_load", "taut_load_bytes"):
        getattr(library, name).restype = ctypes.c_void_p
    for name in ("taut_columns", "taut_categories", "taut_answers", "taut_calibration_rows"):
        getattr(library, name).restype = ctypes.c_size_t
    return library


@unittest.skipIf(SANITIZED, "the sanitizers must be loaded before Python")
class CInterface(TautTest):
    def fitted(self):
        lines = ["a,colour,day,y"]
        for i in range(300):
            lines.append(f"{(i * 37 % 101) / 10},{'red' if i % 3 else 'blue'},2024-{1 + i % 12:02}-{1 + i % 28:02},{i * 37 % 101 / 20 + (i % 3) + i * 17 % 13 / 6}")
        data = self.write("d.csv", "\n".join(lines) + "\n")
        self.taut("fit", data, "--target", "y", "--predictor", "boost", "--effort", "quick", "-o", "m.taut")
        self.taut("predict", "m.taut", data, "--confidence", "0.5,0.9", "-o", "p.csv")
        with open(self.folder / "p.csv", encoding="utf-8") as file:
            found = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
        return str(self.folder / "m.taut"), [line.split(",")[:3] for line in lines[1:]], found

    def test_ctypes_gets_the_bits_of_the_command_line(self):
        path, rows, wanted = self.fitted()
        library = opened()
        model = ctypes.c_void_p(library.taut_load(path.encode()))
        self.assertTrue(model.value, library.taut_last_error())
        self.assertIn(library.taut_version().decode(), subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout)
        names = [library.taut_column_name(model, ctypes.c_size_t(i)).decode() for i in range(library.taut_columns(model))]
        self.assertEqual(names, ["a", "colour", "day"])
        self.assertEqual([library.taut_column_kind(model, ctypes.c_size_t(i)) for i in range(3)], [0, 3, 2])
        categories = [library.taut_category(model, ctypes.c_size_t(1), ctypes.c_size_t(i)).decode() for i in range(2)]
        self.assertEqual(sorted(categories), ["blue", "red"])
        n = len(rows)
        levels, f = (ctypes.c_double * 2)(0.5, 0.9), (ctypes.c_double * n)()
        lower, upper = (ctypes.c_double * (2 * n))(), (ctypes.c_double * (2 * n))()
        texts = (ctypes.c_char_p * (3 * n))(*[cell.encode() for row in rows for cell in row])
        as_texts = lambda: library.taut_predict_texts(model, texts, ctypes.c_size_t(n), levels, ctypes.c_size_t(2), f, lower, upper, 1)
        results = []
        threads = [threading.Thread(target=lambda: results.append(as_texts())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [0] * 4)
        found = [[f[i], lower[2 * i], upper[2 * i], lower[2 * i + 1], upper[2 * i + 1]] for i in range(n)]
        self.assertEqual(found, wanted)
        # Numbers instead of texts, one row per call; the model is loaded from bytes.
        content = (self.folder / "m.taut").read_bytes()
        again = ctypes.c_void_p(library.taut_load_bytes(content, ctypes.c_size_t(len(content))))
        seconds = lambda day: (math.floor(__import__("datetime").datetime.fromisoformat(day + "T00:00:00+00:00").timestamp()))
        for row, expected in list(zip(rows, wanted))[:20]:
            cells = (ctypes.c_double * 3)(float(row[0]), categories.index(row[1]), seconds(row[2]))
            one = ctypes.c_double()
            self.assertEqual(library.taut_predict(again, cells, ctypes.c_size_t(1), levels, ctypes.c_size_t(2), ctypes.byref(one), lower, upper, 1), 0)
            self.assertEqual([one.value, lower[0], upper[0], lower[1], upper[1]], expected)
        # Errors have messages.
        cells = (ctypes.c_double * 3)(1, 77, 0)
        self.assertNotEqual(library.taut_predict(again, cells, ctypes.c_size_t(1), levels, ctypes.c_size_t(2), None, None, None, 1), 0)
        self.assertIn(b"colour", library.taut_last_error())
        library.taut_free(model)
        library.taut_free(again)

    def test_damaged_bytes_are_refused(self):
        path, _, _ = self.fitted()
        library = opened()
        content = pathlib.Path(path).read_bytes()
        for cut in (0, 10, len(content) // 2, len(content) - 1):
            self.assertFalse(library.taut_load_bytes(content[:cut], ctypes.c_size_t(cut)))
            self.assertTrue(library.taut_last_error())

    @slow
    @unittest.skipIf(COMPILER is None, "there is no C compiler")
    def test_a_program_in_c(self):
        path, rows, wanted = self.fitted()
        program = str(self.folder / "use_taut")
        folder = str(pathlib.Path(LIBRARY).parent)
        subprocess.run([COMPILER, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'c'}", str(ROOT / "tests" / "c" / "use_taut.c"), "-o", program,
                        f"-L{folder}", "-ltaut", f"-Wl,-rpath,{folder}", "-lm"], check=True)
        done = subprocess.run([program, path, *rows[5]], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual([float(number) for number in lines[6].split()], wanted[5])
        self.assertEqual(lines[-1], "done")

    def test_names_carry_their_version(self):
        if shutil.which("nm") is None:
            self.skipTest("there is no nm")
        names = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("taut_predict@@TAUT_C_1", names)
        self.assertFalse([name for name in names if "Eigen" in name and "taut" not in name])


if __name__ == "__main__":
    main()
