"""Streams whose inputs are computed from earlier rows, and streams that retrain."""
import random
import subprocess

from harness import PROGRAM, main
from streams import QUICK, Streamed, csv


class Past(Streamed):
    def series(self, count, first=0, seed=1):
        draw, last, table = random.Random(seed), 0.0, []
        for i in range(first + count):
            x = draw.gauss(0, 1)
            last = 0.9 * last + x + 0.3 * draw.gauss(0, 1)
            table.append((i, x, last))
        return table[first:]

    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", csv(self.series(600)))
        self.new = self.write("new.csv", csv(self.series(400, first=600)))

    def test_lags_make_intervals_narrow(self):
        width = {}
        for name, options in {"without": [], "lags": ["--lags", "1,2"], "rolling": ["--rolling", "3,12"], "both": ["--lags", "1", "--rolling", "4", "--past-of", "x"]}.items():
            self.fit(*options)
            report = self.taut("evaluate", "m.taut", self.new, "--in-order", "--json").json()["in_order"]["levels"][0]
            self.assertAlmostEqual(report["coverage"], 0.9, delta=0.04)
            width[name] = report["mean_width"]
        self.assertLess(max(width["lags"], width["both"]), 0.5 * width["without"])
        self.assertLess(width["rolling"], 0.9 * width["without"])

    def test_no_look_ahead_and_the_same_bits_in_pieces(self):
        lines = csv(self.series(400, first=600)).splitlines()
        changed = lines[:201] + [",".join([line.split(",")[0], "7", "99"]) for line in lines[201:]]
        other = self.write("other.csv", "\n".join(changed) + "\n")
        halves = [self.write(f"half{i}.csv", "\n".join([lines[0], *part]) + "\n") for i, part in enumerate((lines[1:150], lines[150:]))]
        for fit, stream in [(["--lags", "1,24"], []), (["--rolling", "6", "--past-of", "x"], ["--controller", "pid"]),
                            (["--lags", "11,12", "--rolling", "5", "--delay", "10"], []), ([], ["--refit-every", "110"]),
                            (["--lags", "5", "--delay", "4"], ["--refit-every", "110", "--history", self.train])]:
            self.fit(*fit)
            whole = self.taut("stream", "m.taut", self.new, *stream, "--save", "whole.taut", "--threads", 1).stdout.splitlines()
            second = self.taut("stream", "m.taut", other, *stream).stdout.splitlines()
            self.assertEqual(whole[:201], second[:201], fit)
            self.assertNotEqual(whole, second, fit)
            found = []
            for i, half in enumerate(halves):
                own = [word for word in stream if i == 0 or word not in ("--history", self.train)]
                found += self.taut("stream", "m.taut", half, *own, "--save", "m.taut", "--threads", 2).stdout.splitlines()[1:]
            self.assertEqual(found, whole[1:], fit)
            self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "whole.taut").read_bytes(), fit)

    def test_killed_it_knows_the_rows_before(self):
        self.fit("--lags", "1,7", "--rolling", "5")
        lines = csv(self.series(200, first=600)).splitlines()
        options = ["--refit-every", "60", "--history", self.train]
        expected = self.taut("stream", "m.taut", self.write("a.csv", "\n".join(lines) + "\n"), *options).stdout.splitlines()
        process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-", *options, "--save", "m2.taut"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd=self.folder, text=True, bufsize=1)
        process.stdin.write("\n".join(lines[:131]) + "\n")
        process.stdin.flush()
        found = [process.stdout.readline().strip() for _ in range(131)]
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        told = self.taut("stream", "m2.taut", self.write("rest.csv", "\n".join([lines[0], *lines[131:]]) + "\n"))
        self.assertIn("130 rows of a stream that was cut off", told.stderr)
        self.assertIn("trained anew 4 times", told.stderr)
        self.assertEqual(found + told.stdout.splitlines()[1:], expected)

    def test_the_defaults_stream_too(self):
        self.taut("fit", self.train, "--target", "y", "--order-by", "t", "--drop", "t", "--lags", "1", "--effort", "quick", "-o", "m.taut")
        names, cells = self.intervals("m.taut", self.new)
        self.assertEqual(len(cells), 400)
        table = self.series(400, first=600)
        covered = sum(row[names.index("lower_0.9")] <= y <= row[names.index("upper_0.9")] for row, (_, _, y) in zip(cells, table)) / 400
        self.assertAlmostEqual(covered, 0.9, delta=0.04)

    def test_what_makes_no_sense_is_refused(self):
        fit = ["fit", self.train, "--target", "y", "--drop", "t", *QUICK, "-o", "m.taut"]
        self.fails(2, *fit, "--lags", "1", says=["--lags", "--in-order"])
        self.fails(2, *fit, "--in-order", "--lags", "0", says=["--lags", "at least 1"])
        self.fails(2, *fit, "--in-order", "--lags", "3", "--delay", "3", says=["--lags 3", "begin at 4"])
        self.fails(2, *fit, "--in-order", "--rolling", "1", says=["--rolling", "at least 2"])
        self.fails(2, *fit, "--in-order", "--past-of", "x", says=["--past-of", "--lags"])
        self.fails(1, *fit, "--in-order", "--lags", "1", "--past-of", "z", says=["'z'"])
        self.fit("--lags", "1")
        for command in (["predict", "m.taut", self.new], ["evaluate", "m.taut", self.new], ["explain", "m.taut", self.new],
                        ["calibrate", "m.taut", self.new, "-o", "n.taut"], ["report", "m.taut", self.new]):
            self.fails(1, *command, says=["--lags", "taut stream"])
        self.fails(2, "stream", "m.taut", self.new, "--delay", "2", says=["--delay 2", "fit it with"])
        self.fails(2, "stream", "m.taut", self.new, "--refit-every", "-3", says=["--refit-every"])
        self.fails(2, "stream", "m.taut", self.new, "--refit-every", "90", "--refit-lag", "90", says=["--refit-lag", "90"])
        self.fails(2, "stream", "m.taut", self.new, "--refit-every", "9", "--refit-rows", "9", says=["--refit-rows"])
        self.fails(2, "evaluate", "m.taut", self.new, "--refit-every", "9", says=["--in-order"])
        self.taut("stream", "m.taut", self.new, "--refit-every", "100", "--save", "m2.taut", "-o", "i.csv")
        self.fails(2, "stream", "m2.taut", self.new, "--refit-every", "100", "--history", self.train, "--allow-older", says=["--history"])


if __name__ == "__main__":
    main()
