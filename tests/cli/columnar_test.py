"""Parquet and Arrow files in every command: results equal those of the CSV file, formats are recognised by content, and outputs are complete or
absent.

The tests are skipped, with a message, if the program was built without libtaut_columnar, or if there is no Python with pyarrow to write
files: that of build/venv, or $TAUT_PYARROW.
"""
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import PROGRAM, ROOT, TautTest, main, slow

PYTHON = os.environ.get("TAUT_PYARROW") or str(ROOT / "build" / "venv" / "bin" / "python")
MODULE = pathlib.Path(PROGRAM).resolve().parent / "libtaut_columnar.so"

# Files with the same 400 rows: texts, numbers with missing cells, whole numbers, and a list, which cannot be used.
MAKE = """
import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.csv, pyarrow.feather, pyarrow.ipc
rows = 400
x = [((37 * i) % 101) / 101 for i in range(rows)]
y = [3 * v + (1 + (i % 7)) / 10 * (1 if i % 2 else -1) for i, v in enumerate(x)]
table = pa.table({
    "x": pa.array([None if i % 50 == 7 else v for i, v in enumerate(x)], pa.float64()),
    "colour": pa.array([None if i % 60 == 11 else ["red", "green", "blue"][i % 3] for i in range(rows)]),
    "whole": pa.array([i % 5 for i in range(rows)], pa.int16()),
    "y": y,
})
pyarrow.csv.write_csv(table, "data.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))
coded = table.set_column(1, "colour", table["colour"].dictionary_encode())
with_list = table.append_column("tags", pa.array([[i] for i in range(rows)]))
pq.write_table(table, "data.parquet", row_group_size=150)
pq.write_table(with_list, "list.parquet")
pq.write_table(coded, "coded.parquet", row_group_size=150)
pq.write_table(table.slice(0, 0), "empty.parquet")
pyarrow.feather.write_feather(table, "data.feather", compression="zstd", chunksize=70)
with pa.ipc.new_file("data.arrow", table.schema) as file: file.write_table(table, max_chunksize=111)
with pa.ipc.new_stream("data.arrows", table.schema) as file: file.write_table(table, max_chunksize=111)
"""

SHOW = """
import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather
path = sys.argv[1]
table = pq.read_table(path) if path.endswith(".parquet") else pyarrow.feather.read_table(path)
print([f"{field.name}: {field.type}" for field in table.schema])
for row in table.to_pylist(): print(list(row.values()))
"""

FILES = ["data.parquet", "data.feather", "data.arrow", "data.arrows", "list.parquet", "coded.parquet"]
FLAGS = ["--predictor", "linear", "--effort", "quick", "--epochs", "20", "--seed", "1"]


@functools.cache
def has_pyarrow():
    return pathlib.Path(PYTHON).exists() and subprocess.run([PYTHON, "-c", "import pyarrow"], capture_output=True, check=False).returncode == 0


class Columnar(TautTest):
    @classmethod
    def setUpClass(cls):
        """Makes the files and the model of data.csv once; every test gets copies."""
        holder = tempfile.TemporaryDirectory(prefix="taut-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.made = pathlib.Path(holder.name)
        if MODULE.exists() and has_pyarrow():
            subprocess.run([PYTHON, "-c", MAKE], cwd=cls.made, check=True)
            subprocess.run([PROGRAM, "fit", "data.csv", "--target", "y", "-o", "m.taut", *FLAGS], cwd=cls.made, check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        if not MODULE.exists():
            self.skipTest("this program was built without Parquet and Arrow (no libtaut_columnar.so beside it)")
        if not has_pyarrow():
            self.skipTest(f"no Python with pyarrow at {PYTHON}; set TAUT_PYARROW to one")
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)

    def python(self, script, *arguments):
        done = subprocess.run([PYTHON, "-c", script, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def read_bytes(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else b""

    def named_data(self, name):
        """A model stores the name of its file. With the same name, the same table must give the same bytes."""
        target = self.folder / "data"
        target.write_bytes((self.folder / name).read_bytes())
        return "data"

    def test_fit_gives_the_same_bytes_as_from_csv(self):
        self.taut("fit", self.named_data("data.csv"), "--target", "y", "-o", "csv.taut", *FLAGS)
        for name in FILES:
            with self.subTest(name):
                done = self.taut("fit", self.named_data(name), "--target", "y", "-o", "columnar.taut", *FLAGS)
                self.assertEqual((self.folder / "columnar.taut").read_bytes(), (self.folder / "csv.taut").read_bytes())
                self.assertEqual("data, column 'tags': left out, it holds lists" in done.stderr, name == "list.parquet", done)

    def test_every_command_reads_every_file_like_the_csv_file(self):
        commands = [
            ("predict", "m.taut", "data", "--keep", "colour,whole", "--confidence", "0.5,0.9"),
            ("evaluate", "m.taut", "data", "--json"),
            ("calibrate", "m.taut", "data", "-o", "m2.taut"),
            ("compare", "data", "--target", "y", "--methods", "fixed", "--repeats", "1", "--json", "--predictor", "linear"),
            ("report", "m.taut", "data", "-o", "-"),
        ]
        for command in commands:
            self.named_data("data.csv")
            expected = self.run_taut(*command)
            calibrated = self.read_bytes("m2.taut")
            for name in FILES:
                with self.subTest(command=command[0], file=name):
                    self.named_data(name)
                    got = self.run_taut(*command)
                    self.assertEqual(got.code, expected.code, f"\n{got}")
                    self.assertEqual(self.read_bytes("m2.taut"), calibrated)
                    if command[0] == "compare":  # its last entry is the seconds
                        got, expected_text = got.stdout.rpartition("seconds")[0], expected.stdout.rpartition("seconds")[0]
                        self.assertEqual(got, expected_text)
                    else:
                        self.assertEqual(got.stdout, expected.stdout)

    def test_calibrate_with_and_standard_input(self):
        self.taut("fit", "data.csv", "--target", "y", "--calibrate-with", "data.csv", "-o", "a.taut", *FLAGS)
        self.taut("fit", "data.csv", "--target", "y", "--calibrate-with", "data.parquet", "-o", "b.taut", *FLAGS)
        self.assertEqual((self.folder / "a.taut").read_bytes(), (self.folder / "b.taut").read_bytes())
        expected = self.taut("predict", "a.taut", "data.csv").stdout
        with open(self.folder / "data.parquet", "rb") as file:
            done = subprocess.run([PROGRAM, "predict", "a.taut", "-"], stdin=file, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, expected, done.stderr)

    def test_predict_writes_columnar_files_with_the_types_of_kept_columns(self):
        keep = ("--keep", "whole,colour,tags")
        for output in ("out.parquet", "out.arrow", "out.feather"):
            with self.subTest(output):
                self.taut("predict", "m.taut", "list.parquet", *keep, "-o", output)
                lines = self.python(SHOW, output).splitlines()
                self.assertEqual(lines[0], "['whole: int16', 'colour: string', 'tags: list<element: int64>', 'prediction: double', "
                                           "'lower_0.9: double', 'upper_0.9: double']")
                csv = self.taut("predict", "m.taut", "data.csv", "--keep", "whole,colour").stdout.splitlines()[1:]
                self.assertEqual(len(lines) - 1, len(csv))
                for i, (line, expected) in enumerate(zip(lines[1:], csv)):
                    whole, colour, tags, *numbers = eval(line, {"inf": float("inf"), "nan": float("nan")})
                    self.assertEqual(",".join([str(whole), colour or "", *map(repr, numbers)]).replace(".0,", ","), expected.replace(".0,", ","))
                    self.assertEqual(tags, [i])
        self.assertEqual([name for name in self.files() if name.startswith("out")], ["out.arrow", "out.feather", "out.parquet"])

    def test_kept_categories_and_texts(self):
        shown = {}
        for data in ("coded.parquet", "data.csv"):
            for output in ("out.parquet", "out.arrow"):
                self.taut("predict", "m.taut", data, "--keep", "colour", "-o", output)
                shown[data, output] = self.python(SHOW, output).splitlines()
        self.assertIn("colour: dictionary", shown["coded.parquet", "out.parquet"][0])
        self.assertIn("colour: string", shown["coded.parquet", "out.arrow"][0])
        rows = {tuple(lines[1:]) for lines in shown.values()}
        self.assertEqual(len(rows), 1)
        self.assertIn("[None, ", shown["data.csv", "out.parquet"][12])

    def test_a_list_cannot_be_kept_in_csv_nor_be_a_target(self):
        self.fails(1, "predict", "m.taut", "list.parquet", "--keep", "tags", says=["list.parquet: the column 'tags' holds lists, which a CSV file cannot"])
        self.fails(1, "fit", "list.parquet", "--target", "tags", "-o", "n.taut", says=["list.parquet, column 'tags': left out, it holds lists"])
        self.fails(1, "fit", "list.parquet", "--target", "wole", "-o", "n.taut", says=["list.parquet: there is no column 'wole' (did you mean 'whole'?)"])
        self.taut("fit", "list.parquet", "--target", "y", "--drop", "tags", "-o", "n.taut", *FLAGS)

    def test_no_rows_and_damaged_files(self):
        self.fails(1, "fit", "empty.parquet", "--target", "y", "-o", "n.taut", says=["empty.parquet: the table has columns, but no rows"])
        self.assertEqual(self.taut("predict", "m.taut", "empty.parquet").stdout, "prediction,lower_0.9,upper_0.9\n")
        self.taut("predict", "m.taut", "empty.parquet", "-o", "none.parquet")
        self.assertEqual(len(self.python(SHOW, "none.parquet").splitlines()), 1)
        before = self.files()
        for name in ("data.parquet", "data.arrow", "data.arrows"):
            whole = (self.folder / name).read_bytes()
            for end in (6, len(whole) // 2, len(whole) - 1):
                with self.subTest(name, end=end):
                    self.write(name, whole[:end])
                    done = self.run_taut("predict", "m.taut", name, "-o", "out.parquet")
                    self.assertEqual(done.code, 1, f"\n{done}")
                    self.assertIn(name, done.stderr)
                    self.assertEqual(self.files(), before)

    def test_flipped_bytes_never_crash(self):
        self.check_flipped_bytes(12)

    @slow
    def test_more_flipped_bytes_never_crash(self):
        self.check_flipped_bytes(200)

    def check_flipped_bytes(self, places):
        for name in ("data.parquet", "data.arrow", "data.feather"):
            whole = bytearray((self.folder / name).read_bytes())
            for at in range(8, len(whole), max(1, len(whole) // places)):
                damaged = bytearray(whole)
                damaged[at] ^= 0xFF
                self.write("damaged", bytes(damaged))
                done = subprocess.run([PROGRAM, "predict", "m.taut", "damaged"], cwd=self.folder, capture_output=True, check=False)
                self.assertIn(done.returncode, (0, 1), f"{name}, byte {at}: {done.stderr!r}")

    @slow
    def test_memory_does_not_grow_with_the_file(self):
        self.taut("fit", "data.csv", "--target", "y", "-o", "m.taut", *FLAGS, "--localizer", "none")
        peaks = []
        for copies in (1000, 4000):
            self.python("import sys, pyarrow as pa, pyarrow.parquet as pq; t = pq.read_table('data.parquet').combine_chunks()\n"
                        "with pq.ParquetWriter('big.parquet', t.schema) as w:\n"
                        f"  for _ in range({copies} // 500): w.write_table(pa.concat_tables([t] * 500))")
            done = subprocess.run([sys.executable, "-c", "import os, resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
                                   "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                                   PROGRAM, "predict", "m.taut", "big.parquet", "--threads", "1", "-o", "big-out.parquet"],
                                  cwd=self.folder, capture_output=True, text=True, check=True)
            code, peak = map(int, done.stdout.split())
            self.assertEqual(code, 0, done.stderr)
            peaks.append(peak)
        more_rows = 3000 * 400
        self.assertLess(1024 * (peaks[1] - peaks[0]), more_rows * 8 * 4, f"peaks in kB: {peaks}: the four columns of the further rows would fit")


class WithoutModule(TautTest):
    def test_a_program_without_the_module_says_what_to_do(self):
        alone = self.folder / "taut"
        alone.write_bytes(pathlib.Path(PROGRAM).read_bytes())
        alone.chmod(0o755)
        self.write("data.parquet", b"PAR1....")
        self.write("data", b"ARROW1\0\0")
        for name, kind in (("data.parquet", "a Parquet file"), ("data", "an Arrow file")):
            done = subprocess.run([alone, "fit", name, "--target", "y", "-o", "m.taut"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            for words in (f"{name}: this is {kind}, and this build of Taut has no support for it", "libtaut_columnar.so was not built", "pyarrow",
                          "to_csv"):
                self.assertIn(words, done.stderr)
        self.assertEqual(self.files(), ["data", "data.parquet", "taut"])

    def test_old_feather_files_are_refused(self):
        self.write("old.feather", b"FEA1....")
        self.fails(1, "fit", "old.feather", "--target", "y", "-o", "m.taut", says=["old.feather: this is a Feather file of version 1"])


if __name__ == "__main__":
    main()
