"""predict: columns by name, standard input and output, constant memory, the meaning of the numbers."""
import gzip
import os
import random
import subprocess

import samples
from harness import PROGRAM, TautTest, main
from samples import QUICK


class Predict(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.new = samples.rows(50, seed=1)
        self.write("new.csv", samples.csv(self.new))

    def predict(self, *options, **keywords):
        return self.taut("predict", "m.taut", *options, **keywords).stdout

    def test_header_has_the_levels_as_written(self):
        names, values = samples.intervals(self.predict("new.csv", "--confidence", "0.90,.5"))
        self.assertEqual(names, ["prediction", "lower_0.90", "upper_0.90", "lower_.5", "upper_.5"])
        self.assertEqual(len(values), 50)
        for f, lower, upper, inner_lower, inner_upper in values:
            self.assertTrue(lower <= inner_lower <= f <= inner_upper <= upper)

    def test_alpha_is_the_other_way_round(self):
        expected = self.predict("new.csv", "--confidence", "0.9,0.68")
        self.assertEqual(self.predict("new.csv", "--alpha", "0.1,0.32"), expected)
        self.assertEqual(self.predict("new.csv", "--confidence", "0.9", "--alpha", "0.32"), expected)

    def test_nine_tenths_by_default(self):
        self.assertEqual(self.predict("new.csv"), self.predict("new.csv", "--confidence", "0.9"))

    def test_standard_input_files_and_gzip_give_the_same(self):
        expected = self.predict("new.csv")
        self.assertEqual(self.predict("-", stdin=samples.csv(self.new)), expected)
        self.assertEqual(self.predict("-", stdin=gzip.compress(samples.csv(self.new).encode())), expected)
        self.assertEqual(self.predict("new.csv", "-o", "out.csv"), "")
        self.assertEqual(self.read("out.csv"), expected)
        self.assertEqual(self.predict("new.csv", "-o", "-"), expected)

    def test_columns_are_found_by_name(self):
        expected = self.predict("new.csv")
        shuffled = samples.csv([(c, "extra", z, x) for x, z, c, _ in self.new], ["colour", "more", "z", "x"])
        self.assertEqual(self.predict("-", stdin=shuffled), expected)

    def test_missing_column(self):
        self.write("e.csv", samples.csv([(x, c) for x, _, c, _ in self.new], ["X", "colour"]))
        self.fails(1, "predict", "m.taut", "e.csv", says=["e.csv", "no columns 'x' (did you mean 'X'?), 'z'", "X, colour"])

    def test_bad_row(self):
        self.write("e.csv", "x,z,colour\n1,2,red\n1,2\n")
        self.fails(1, "predict", "m.taut", "e.csv", "-o", "out.csv", says=["e.csv", "line 3", "found 2 fields", "column 'colour'"])
        self.assertNotIn("out.csv", self.files())

    def test_text_among_numbers_is_a_missing_cell(self):
        text = self.predict("-", stdin="x,z,colour\n1,2,red\n1,two,red\n").split("\n")
        empty = self.predict("-", stdin="x,z,colour\n1,2,red\n1,,red\n").split("\n")
        self.assertEqual(text, empty)
        self.assertNotEqual(text[1], text[2])

    def test_no_rows(self):
        """No rows in, no rows out; but nothing can be evaluated or calibrated with them."""
        for options in [[], ["--check-shift"], ["--smooth"], ["--strict"], ["--keep", "colour"]]:
            done = self.taut("predict", "m.taut", "-", *options, stdin="x,z,colour\n")
            self.assertEqual(done.stdout, ("colour," if "--keep" in options else "") + "prediction,lower_0.9,upper_0.9\n")
            self.assertNotIn("warning", done.stderr)
        self.taut("predict", "m.taut", "-", "-o", "out.csv", stdin="x,z,colour\n")
        self.assertEqual(self.read("out.csv"), "prediction,lower_0.9,upper_0.9\n")
        self.fails(1, "evaluate", "m.taut", "-", stdin="x,z,colour,y\n", says=["standard input", "no row", "at least one line"])
        self.fails(1, "calibrate", "m.taut", "-", "-o", "n.taut", stdin="x,z,colour,y\n", says=["no row", "at least one line"])

    def test_unseen_category(self):
        """For trees it is like a missing cell; for `linear` all unseen categories are equal."""
        linear = {cell: self.predict("-", stdin=f"x,z,colour\n1,2,{cell}\n") for cell in ("purple", "7", "", "red", "green", "blue")}
        self.assertEqual(linear["purple"], linear["7"])
        self.assertEqual(len(set(linear.values())), 5)
        self.taut("fit", "d.csv", "--target", "y", "-o", "trees.taut", "--predictor", "boost", "--localizer", "none")
        unseen = self.taut("predict", "trees.taut", "-", stdin="x,z,colour\n1,2,purple\n").stdout
        self.assertEqual(unseen, self.taut("predict", "trees.taut", "-", stdin="x,z,colour\n1,2,\n").stdout)

    def test_kept_columns_stand_in_front(self):
        done = self.predict("new.csv", "--keep", "colour,x")
        lines, plain = done.strip().split("\n"), self.predict("new.csv").strip().split("\n")
        self.assertEqual(lines[0], "colour,x," + plain[0])
        for row, line, expected in zip(self.new, lines[1:], plain[1:], strict=True):
            self.assertEqual(line, f"{row[2]},{row[0]},{expected}")
        self.fails(1, "predict", "m.taut", "new.csv", "--keep", "kolour", says=["no column 'kolour'", "did you mean 'colour'"])

    def test_kept_text_is_quoted_as_it_came(self):
        text = 'note,x,z,colour\n"a ""b"", c",1,2,red\n'
        self.assertTrue(self.predict("-", "--keep", "note", stdin=text).split("\n")[1].startswith('"a ""b"", c",'))

    def test_a_kept_column_must_not_take_the_name_of_a_result(self):
        self.fails(2, "predict", "m.taut", "-", "--keep", "prediction", stdin="prediction,x,z,colour\n1,1,2,red\n", says=["'prediction'"])

    def test_infinite_ends_where_rows_are_too_few(self):
        done = self.taut("predict", "m.taut", "new.csv", "--confidence", "0.999")
        self.assertRegex(done.stderr, "warning: 100 calibration rows are too few for confidence 0.999.* at least 999 ")
        for row in done.stdout.strip().split("\n")[1:]:
            self.assertEqual(row.split(",")[1:], ["-inf", "inf"])

    def test_numbers_read_back_exactly(self):
        _, values = samples.intervals(self.predict("new.csv"))
        for line, row in zip(self.predict("new.csv").strip().split("\n")[1:], values):
            for cell, value in zip(line.split(","), row):
                self.assertEqual(float(repr(value)), float(cell))
                self.assertLessEqual(len(cell.lstrip("-")), 24)

    def test_threads_do_not_matter(self):
        self.assertEqual(self.predict("new.csv", "--threads", "1"), self.predict("new.csv", "--threads", "3"))

    def test_a_reader_that_leaves_is_no_reason_to_complain(self):
        self.write("big.csv", samples.csv(samples.rows(30000, seed=2)))
        process = self.start("predict", "m.taut", "big.csv")
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(timeout=600), 141)


class Smooth(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(100)))  # 20 for calibration
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def test_draws_do_not_depend_on_batches_or_threads(self):
        count = 40000  # several batches
        new = "x,z,colour\n" + "".join(f"1,{i / 1000},red\n" for i in range(count))
        one = self.taut("predict", "m.taut", "-", "--confidence", "0.93", "--smooth", "7", stdin=new).stdout
        _, values = samples.intervals(one)
        upper = [row[2] - row[0] for row in values]
        widest = max(upper)
        share = sum(value > widest - 1e-6 for value in upper) / count
        # (20 + 1) · 0.93 = 19.53: the rank is 20 with probability .53, else 19. The random number of a row depends on its inputs: a row alone has the same interval.
        self.assertAlmostEqual(share, 0.53, delta=0.015)
        again = self.taut("predict", "m.taut", "-", "--confidence", "0.93", "--threads", "1", "--smooth", "7", stdin=new).stdout
        self.assertEqual(one, again)
        for index in (3, 20_000, 39_999):
            alone = self.taut("predict", "m.taut", "-", "--confidence", "0.93", "--smooth", "7", stdin=f"x,z,colour\n1,{index / 1000},red\n").stdout
            self.assertEqual(alone.splitlines()[1], one.splitlines()[index + 1])

    def test_seed_is_optional_and_matters(self):
        new = "x,z,colour\n" + "".join(f"1,{i},red\n" for i in range(100))
        alone = self.taut("predict", "--confidence", "0.93", "--smooth", "m.taut", "-", stdin=new).stdout
        self.assertEqual(alone, self.taut("predict", "m.taut", "-", "--confidence", "0.93", "--smooth", "0", stdin=new).stdout)
        self.assertNotEqual(alone, self.taut("predict", "m.taut", "-", "--confidence", "0.93", "--smooth", "1", stdin=new).stdout)

    def test_empty_sets_are_empty_cells(self):
        new = "x,z,colour\n" + "".join(f"1,{i},red\n" for i in range(300))
        _, values = samples.intervals(self.taut("predict", "m.taut", "-", "--confidence", "0.01", "--smooth", stdin=new).stdout)
        empty = sum(row[1] is None and row[2] is None for row in values)
        self.assertGreater(empty, 150)  # the rank is 0 with probability .79
        self.assertLess(empty, 300)


class Memory(TautTest):
    def peak(self, rows):
        path = self.folder / "big.csv"
        draw = random.Random(rows)
        block = "".join(f"{draw.random()},{draw.random()},red\n" for _ in range(1000))
        with open(path, "w", encoding="utf-8") as file:
            file.write("x,z,colour\n")
            for _ in range(rows // 1000):
                file.write(block)
        with subprocess.Popen([PROGRAM, "predict", "m.taut", "big.csv", "-o", "out.csv"], cwd=self.folder) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss / 1024  # MB

    def test_memory_does_not_grow_with_rows(self):
        with open(PROGRAM, "rb") as program:
            if b"__asan_init" in program.read():
                return  # the sanitizer keeps freed memory
        self.write("d.csv", samples.csv(samples.rows(200)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        small, large = self.peak(40_000), self.peak(400_000)
        self.assertLess(large, small + 10)
        self.assertLess(large, 100)


if __name__ == "__main__":
    main()
