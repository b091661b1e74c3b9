"""Rows in time order: fit --in-order, stream, update, evaluate --in-order, their messages and errors."""
import math
import random
import subprocess
import threading

import samples
from harness import PROGRAM, main
from streams import Streamed, csv, iso, rows


class Fit(Streamed):
    def test_nothing_is_called_delivered_or_guaranteed(self):
        """Rows in order are not exchangeable with those that follow."""
        self.fit(order=("--in-order",))
        said = [self.taut("info", "m.taut").stdout, self.taut("evaluate", "m.taut", self.new).stdout]
        for text in said:
            self.assertNotIn("delivered", text)
            self.assertNotIn("guaranteed", text)
        self.assertIn("if exchangeable", said[0])
        self.assertIn("not exchangeable with those that follow", said[0])
        for level in self.taut("evaluate", "m.taut", self.new, "--json").json()["levels"]:
            self.assertIsNone(level["delivered"])
        self.fit(order=())
        self.assertIn("delivered coverage", self.taut("info", "m.taut").stdout)

    def test_parts_are_in_the_order_of_time(self):
        # The last fifth has other noise. It calibrates, so the intervals have its width.
        quiet, loud = rows(800), rows(200, 3, first=800)
        loud = [(t, x, 2 * x + 50 * (y - 2 * x)) for t, x, y in loud]
        table = quiet + loud
        shuffled = table[:]
        random.Random(4).shuffle(shuffled)
        self.fit(data=self.write("loud.csv", csv(table)), order=("--in-order",))
        in_order = self.taut("predict", "m.taut", self.new).stdout
        told = self.fit(data=self.write("shuffled.csv", csv(shuffled)))
        self.assertIn("come after later ones: sorted", told.stderr)
        names, cells = samples.intervals(self.taut("predict", "m.taut", self.new).stdout)
        lower, upper = names.index("lower_0.9"), names.index("upper_0.9")
        self.assertGreater(cells[0][upper] - cells[0][lower], 100)
        first = samples.intervals(in_order)[1]
        self.assertGreater(first[0][upper] - first[0][lower], 100)

    def test_times_may_be_texts(self):
        for name, dates in {"iso": iso, "short": lambda i: f"{1 + i // 24 % 28}.{1 + i // 700}.2024 {i % 24}:00"}.items():
            table = rows(600, dates=dates)
            self.fit(data=self.write(f"{name}.csv", csv(table)))
            self.assertEqual(self.taut("info", "m.taut", "--json").json()["stream"]["time"], "t")
            self.assertTrue(self.taut("info", "m.taut", "--json").json()["stream"]["latest"].startswith("2024-"), name)

    def test_repeated_times_and_gaps_are_said(self):
        table = [(t // 2 + (1000 if t > 400 else 0), x, y) for t, x, y in rows(600)]
        told = self.fit(data=self.write("gaps.csv", csv(table))).stderr
        self.assertIn("have the time of another row", told)
        self.assertIn("1 gap", told)

    def test_what_makes_no_sense_is_refused(self):
        self.fails(2, "fit", self.train, "--target", "y", "--gap", "3", "-o", "m.taut", says=["--gap", "--in-order"])
        self.fails(2, "fit", self.train, "--target", "y", "--in-order", "--gap", "-1", "-o", "m.taut", says=["--gap"])
        self.fails(1, "fit", self.train, "--target", "y", "--order-by", "T", "-o", "m.taut", says=["'T'", "'t'"])
        self.fails(2, "fit", self.train, "--target", "y", "--order-by", "y", "-o", "m.taut", says=["--order-by", "target"])
        self.fails(2, "fit", self.train, "--target", "y", "--in-order", "--keep-together", "t", "-o", "m.taut", says=["--keep-together"])
        self.fails(1, "fit", self.train, "--target", "y", "--in-order", "--gap", "300", "-o", "m.taut", says=["--gap 300", "at least"])
        words = self.write("words.csv", samples.csv([("abc"[i % 3], x, y) for i, (_, x, y) in enumerate(rows(90))], ("t", "x", "y")))
        self.fails(1, "fit", words, "--target", "y", "--order-by", "t", "-o", "m.taut", says=["'t'", "neither numbers nor dates"])
        hole = self.write("hole.csv", csv(rows(300)).replace("\n17,", "\n,"))
        self.fails(1, "fit", hole, "--target", "y", "--order-by", "t", "-o", "m.taut", says=["'t'", "line 19", "needs a time"])

    def test_gap_and_shares(self):
        self.fit("--gap", "24")
        self.fit("--gap", "24", "--split", "0.4,0.3,0.1,0.2")
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["rows"]["calibration"], 160 - 24)


class Stream(Streamed):
    def coverage(self, cells, names, table, level="0.9"):
        lower, upper = names.index(f"lower_{level}"), names.index(f"upper_{level}")
        return sum(row[lower] <= y <= row[upper] for row, (_, _, y) in zip(cells, table)) / len(table)

    def test_follows_a_drift_that_prediction_does_not(self):
        self.fit()
        table = rows(900, 2, first=800, drift=0.002)
        names, cells = self.intervals("m.taut", self.new, "--confidence", "0.9,0.95")
        self.assertEqual(names, ["prediction", "lower_0.9", "upper_0.9", "lower_0.95", "upper_0.95"])
        for level in ("0.9", "0.95"):
            self.assertAlmostEqual(self.coverage(cells, names, table, level), float(level), delta=0.02)
        for row in cells:
            self.assertTrue(row[3] <= row[1] and row[2] <= row[4])  # nested
        names, cells = samples.intervals(self.taut("predict", "m.taut", self.new).stdout)
        self.assertLess(self.coverage(cells, names, table), 0.8)

    def test_stopped_and_continued_gives_the_same_bits(self):
        whole = csv(rows(900, 2, first=800, drift=0.002)).splitlines(keepends=True)
        parts = [self.write(f"part{i}.csv", whole[0] + "".join(whole[1 + begin:1 + end]))
                 for i, (begin, end) in enumerate([(0, 1), (1, 400), (400, 900)])]
        for options in ([], ["--delay", "24"], ["--controller", "pid"], ["--controller", "aci:0.05", "--scorecast", "no"], ["--half-life", "100"]):
            self.fit()
            expected = self.taut("stream", "m.taut", self.new, *options, "--save", "whole.taut").stdout
            found = ""
            for part in parts:
                found += self.taut("stream", "m.taut", part, *options, "--save", "m.taut").stdout.split("\n", 1)[1]
            self.assertEqual(found, expected.split("\n", 1)[1], options)
            self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "whole.taut").read_bytes(), options)
            self.assertFalse((self.folder / "m.taut.journal").exists())

    def test_no_look_ahead(self):
        self.fit()
        lines = csv(rows(400, 2, first=800)).splitlines()
        changed = lines[:201] + [",".join([*line.split(",")[:2], "99"]) for line in lines[201:]]
        a, b = self.write("a.csv", "\n".join(lines) + "\n"), self.write("b.csv", "\n".join(changed) + "\n")
        for options in ([], ["--delay", "10"], ["--controller", "pid"], ["--controller", "aci"], ["--controller", "none"],
                        ["--scorecast", "no"], ["--half-life", "50"], ["--window", "100"]):
            first = self.taut("stream", "m.taut", a, *options).stdout.splitlines()
            second = self.taut("stream", "m.taut", b, *options).stdout.splitlines()
            same = 202 + (10 if "--delay" in options else 0)
            self.assertEqual(first[:same], second[:same], options)
            self.assertNotEqual(first, second, options)

    def test_rows_without_a_target_are_predicted_only(self):
        self.fit()
        lines = csv(rows(300, 2, first=800)).splitlines()
        holes = self.write("holes.csv", "\n".join(line if i % 3 else line.rsplit(",", 1)[0] + "," for i, line in enumerate(lines, 3)) + "\n")
        holes = self.write("holes.csv", lines[0] + "\n" + (self.folder / "holes.csv").read_text().split("\n", 1)[1])
        told = self.taut("stream", "m.taut", holes, "--save", "m2.taut")
        self.assertEqual(len(told.stdout.splitlines()), 301)
        self.assertIn("300 rows, 200 targets", told.stderr)
        # Without the target column nothing is learnt, and the level does not change.
        bare = self.write("bare.csv", "\n".join(line.rsplit(",", 1)[0] for line in lines) + "\n")
        names, cells = self.intervals("m2.taut", bare, "--allow-older")
        widths = {round(row[names.index("upper_0.9")] - row[names.index("lower_0.9")], 9) for row in cells}
        self.assertEqual(len(widths), 1)

    def test_a_late_target_is_used_late(self):
        self.fit()
        lines = csv(rows(100, 2, first=800)).splitlines()
        odd = lines[:]
        odd[30] = odd[30].rsplit(",", 1)[0] + ",1000"
        a, b = self.write("a.csv", "\n".join(lines) + "\n"), self.write("b.csv", "\n".join(odd) + "\n")
        for delay in (0, 24):
            first = self.taut("stream", "m.taut", a, "--delay", delay).stdout.splitlines()
            second = self.taut("stream", "m.taut", b, "--delay", delay).stdout.splitlines()
            changed = [i for i, (one, two) in enumerate(zip(first, second)) if one != two]
            self.assertEqual(changed[0], 31 + delay)

    def test_a_pipe_is_answered_line_by_line(self):
        self.fit()
        lines = csv([(t, x, y + (9 if t > 850 else 0)) for t, x, y in rows(200, 2, first=800)]).splitlines()  # so that intervals move
        expected = self.taut("stream", "m.taut", self.write("a.csv", "\n".join(lines) + "\n")).stdout.splitlines()
        process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   cwd=self.folder, text=True, bufsize=1)
        try:
            process.stdin.write(lines[0] + "\n")
            process.stdin.flush()
            found = [process.stdout.readline().strip()]
            for line in lines[1:]:
                process.stdin.write(line + "\n")
                process.stdin.flush()
                found.append(process.stdout.readline().strip())
            process.stdin.close()
            self.assertEqual(process.wait(30), 0)
        finally:
            process.kill()
            process.stdout.close()
        self.assertEqual(found, expected)

    def test_killed_it_has_lost_nothing_that_was_answered(self):
        self.fit()
        lines = csv([(t, x, y + (9 if t > 850 else 0)) for t, x, y in rows(200, 2, first=800)]).splitlines()  # so that intervals move
        expected = self.taut("stream", "m.taut", self.write("a.csv", "\n".join(lines) + "\n")).stdout.splitlines()
        process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-", "--save", "m2.taut"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd=self.folder, text=True, bufsize=1)
        process.stdin.write("\n".join(lines[:121]) + "\n")
        process.stdin.flush()
        found = [process.stdout.readline().strip() for _ in range(121)]
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        rest = self.write("rest.csv", "\n".join([lines[0], *lines[121:]]) + "\n")
        told = self.taut("stream", "m2.taut", rest)
        self.assertIn("120 rows of a stream that was cut off", told.stderr)
        self.assertEqual(found + told.stdout.splitlines()[1:], expected)

    def test_an_adversary_on_a_pipe_gains_nothing_by_several_levels(self):
        # It chooses targets between the two intervals where they differ, else just outside of both.
        self.fit(order=("--in-order",))
        for controller in ("dtaci", "aci:0.02", "pid"):
            process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-", "--confidence", "0.9,0.95", "--controller", controller,
                                        "--recentre", "no", "--save", "m2.taut"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder, text=True, bufsize=1)
            count, covered = 3000, [0, 0]
            try:
                process.stdin.write("t,x,y\n")
                process.stdout.readline()
                before = None
                for t in range(count):
                    # A row without a target shows the interval of the next row, because nothing is learnt from it.
                    process.stdin.write(f"{2 * t},1,\n")
                    process.stdin.flush()
                    _, low, high, wide_low, wide_high = (float(cell) if cell else math.nan for cell in process.stdout.readline().split(","))
                    y = (high + wide_high) / 2 if wide_high > high else high + 0.01
                    y = y if math.isfinite(y) and y < 1e6 else 2.0
                    process.stdin.write(f"{2 * t + 1},1,{y!r}\n")
                    process.stdin.flush()
                    before = process.stdout.readline().split(",")
                    ends = [float(cell) if cell else math.nan for cell in before]
                    covered[0] += ends[1] <= y <= ends[2]
                    covered[1] += ends[3] <= y <= ends[4]
                process.stdin.close()
                self.assertEqual(process.wait(30), 0)
            finally:
                process.kill()
                process.stdout.close()
            for level, found in zip((0.9, 0.95), covered):
                self.assertLess(abs(found - level * count), 52, f"{controller} at {level}: {found / count}")

    def test_at_least_the_level(self):
        # f is exact. To keep the level, some intervals must be empty; `at least the level` needs no empty ones.
        perfect = [(x, 2 * x, 2 * x) for _, x, _ in rows(2300)]
        train, new = (self.write(name, samples.csv(part, ("x", "f", "y"))) for name, part in
                      (("perfect.csv", perfect[:800]), ("perfect_new.csv", perfect[800:])))
        self.taut("fit", train, "--target", "y", "--prediction", "f", "--transform", "fixed", "--in-order", "-o", "m.taut")
        for controller in ("dtaci", "aci:0.02", "pid"):
            exact = self.taut("stream", "m.taut", new, "--controller", controller).stdout
            self.assertIn(",,\n", exact)  # no ends
            told = self.taut("stream", "m.taut", new, "--controller", controller, "--at-least", "yes", "--save", "m2.taut")
            names, cells = samples.intervals(told.stdout)
            self.assertTrue(all(cell is not None for row in cells for cell in row), controller)
            self.assertTrue(self.taut("info", "m2.taut", "--json").json()["stream"]["at_least"])
            self.assertIn("at least the level", self.taut("info", "m2.taut").stdout)
            again = self.taut("stream", "m2.taut", new).stdout  # the model keeps the option
            self.assertNotIn(",,\n", again)
        self.taut("update", "m.taut", new, "-o", "m3.taut", "--at-least", "yes")
        self.assertTrue(self.taut("info", "m3.taut", "--json").json()["stream"]["at_least"])

    def test_a_delay_does_not_make_levels_oscillate(self):
        self.fit(order=("--in-order",))
        table = rows(6000, 5)
        new = self.write("long.csv", csv(table))
        _, still = self.intervals("m.taut", new, "--controller", "none", "--scorecast", "no", "--delay", "336")
        names, cells = self.intervals("m.taut", new, "--delay", "336")
        width = [sum(row[2] - row[1] for row in table) for table in (still, cells)]
        self.assertLess(width[1] / width[0], 1.03)
        covered = [row[1] <= y <= row[2] for row, (_, _, y) in zip(cells, table)]
        self.assertGreater(min(sum(covered[i:i + 500]) for i in range(0, 5500, 50)) / 500, 0.8)

    def test_a_level_that_jumps_is_followed(self):
        self.fit()
        new = self.write("jump.csv", csv([(t, x, y + (30 if t >= 900 else 0)) for t, x, y in rows(600, 2, first=800)]))
        mean_width = {}
        for answer in ("yes", "no"):
            names, cells = samples.intervals(self.taut("stream", "m.taut", new, "--recentre", answer, "--save", "m2.taut").stdout)
            lower, upper = names.index("lower_0.9"), names.index("upper_0.9")
            widths = [row[upper] - row[lower] for row in cells[300:] if row[lower] is not None]  # an interval may be empty
            self.assertGreater(len(widths), 290)
            mean_width[answer] = sum(widths) / len(widths)
            self.assertEqual(self.taut("info", "m2.taut", "--json").json()["stream"]["recentre"], answer == "yes")
        self.assertLess(mean_width["yes"], mean_width["no"] / 4)
        self.assertEqual(self.taut("stream", "m.taut", new).stdout, self.taut("stream", "m.taut", new, "--recentre", "yes").stdout)

    def test_trains_on_the_rows_of_the_fit(self):
        self.fit()
        kept = self.taut("stream", "m.taut", self.new).stdout
        trained = self.taut("stream", "m.taut", self.new, "--history", self.train, "--save", "m2.taut").stdout
        self.assertNotEqual(trained, kept)
        self.assertEqual(trained, self.taut("stream", "m.taut", self.new, "--history", self.train, "--threads", "1").stdout)
        self.fails(2, "stream", "m2.taut", self.new, "--history", self.train, "--allow-older", says=["--history", "streamed already"])
        few = self.write("few.csv", csv(rows(50)))
        self.fails(2, "stream", "m.taut", self.new, "--history", few, says=["--history", "at least 100"])

    def test_journals_of_all_kinds_are_read(self):
        # The first format has no errors after the side, the score and the latest time of a row, 1 + 8 + 8 bytes.
        self.fit(order=("--in-order",))
        lines = csv(rows(300, 2)).splitlines()
        first, rest = "\n".join(lines[:201]) + "\n", "\n".join([lines[0], *lines[201:]]) + "\n"
        whole = self.taut("stream", "m.taut", self.write("a.csv", "\n".join(lines) + "\n"), "--recentre", "no").stdout.splitlines()
        process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-", "--recentre", "no", "--save", "m2.taut"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder, text=True)
        process.stdin.write(first)
        process.stdin.flush()
        self.assertEqual([process.stdout.readline().strip() for _ in range(201)], whole[:201])
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        journal = self.folder / "m2.taut.journal"
        old = journal.read_bytes()
        # The second format has them, but not the first level that covered, 8 bytes, nor the row's hash, 1 + 8.
        record, left = divmod(len(old) - 16, 200)
        self.assertEqual((old[:8], left), (b"TAUTJ3\r\n", 0))
        self.assertGreaterEqual(record, 58)  # and cells that later rows need
        rest = self.write("rest.csv", rest)
        for magic, size in ((b"TAUTJ1\r\n", 17), (b"TAUTJ2\r\n", 41), (b"TAUTJ3\r\n", 58)):
            journal.write_bytes(magic + old[8:16] + b"".join(old[at:at + size] + old[at + 58:at + record] for at in range(16, len(old), record)))
            told = self.taut("stream", "m2.taut", rest)
            self.assertIn("200 rows of a stream that was cut off", told.stderr)
            self.assertEqual(told.stdout.splitlines()[1:], whole[201:])

    def test_a_long_stream_has_a_short_journal(self):
        # After 100,000 rows the model is saved again, so the journal does not grow with the stream.
        self.fit(order=("--in-order",))
        lines = csv(rows(1000, 2)).splitlines()
        text = "\n".join([lines[0], *(lines[1:] * 130)]) + "\n"
        expected = self.taut("stream", "m.taut", self.write("a.csv", text)).stdout.splitlines()
        process = subprocess.Popen([PROGRAM, "stream", "m.taut", "-", "--save", "m2.taut"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd=self.folder, text=True)
        feeder = threading.Thread(target=lambda: (process.stdin.write(text), process.stdin.flush()))
        feeder.start()
        found = [process.stdout.readline().strip() for _ in range(len(expected))]
        feeder.join()
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(found, expected)
        self.assertLess((self.folder / "m2.taut.journal").stat().st_size, 60_000 * 58)
        self.taut("stream", "m.taut", self.write("b.csv", text + "\n".join(lines[1:]) + "\n"), "-o", "whole.csv")
        told = self.taut("stream", "m2.taut", self.write("rest.csv", "\n".join(lines) + "\n"))
        self.assertIn("rows of a stream that was cut off", told.stderr)
        self.assertEqual(told.stdout.splitlines()[1:], self.read("whole.csv").splitlines()[-1000:])

    def test_odd_tables(self):
        """Each of these is streamed to the end with the right coverage."""
        draw = rows(900, 2, first=800)
        # 1e9 above zero, only five different targets, a single row, no row, lines that end as on Windows.
        offset = [(t, x, 1e9 + y) for t, x, y in rows(800)], [(t, x, 1e9 + y) for t, x, y in draw]
        tied = [(t, round(x), round(y / 3)) for t, x, y in rows(800)], [(t, round(x), round(y / 3)) for t, x, y in draw]
        for name, (train, new) in {"offset": offset, "tied": tied}.items():
            self.fit(data=self.write(f"{name}.csv", csv(train)))
            names, cells = self.intervals("m.taut", self.write(f"{name}_new.csv", csv(new)))
            self.assertGreater(self.coverage(cells, names, new), 0.89, name)
            self.assertTrue(all(math.isfinite(cell) for row in cells for cell in row), name)
        self.fit()
        expected = self.taut("stream", "m.taut", self.write("a.csv", csv(draw))).stdout
        self.assertEqual(self.taut("stream", "m.taut", self.write("crlf.csv", csv(draw).replace("\n", "\r\n"))).stdout, expected)
        self.assertEqual(self.taut("stream", "m.taut", self.write("one.csv", csv(draw[:1]))).stdout.splitlines(), expected.splitlines()[:2])
        self.assertEqual(self.taut("stream", "m.taut", self.write("none.csv", csv([]))).stdout.splitlines(), expected.splitlines()[:1])
        # If no target is known before the end, all rows have the first level.
        names, cells = self.intervals("m.taut", "a.csv", "--delay", "100000")
        self.assertEqual(len({round(row[2] - row[1], 9) for row in cells}), 1)
        names, cells = self.intervals("m.taut", "a.csv", "--window", "10000000", "--half-life", "200")
        self.assertAlmostEqual(self.coverage(cells, names, draw), 0.9, delta=0.02)
        # One extreme target is one miss.
        wild = [(t, x, 1e308 if i == 40 else y) for i, (t, x, y) in enumerate(draw)]
        names, cells = self.intervals("m.taut", self.write("wild.csv", csv(wild)))
        self.assertAlmostEqual(self.coverage(cells, names, wild), 0.9, delta=0.02)
        self.assertTrue(all(math.isfinite(cell) for row in cells for cell in row))
        levels = ["0.5", "0.8", "0.9", "0.95", "0.99"]
        names, cells = self.intervals("m.taut", "a.csv", "--confidence", ",".join(levels))
        for row in cells:
            ends = [(row[names.index(f"lower_{level}")], row[names.index(f"upper_{level}")]) for level in levels]
            self.assertTrue(all(b[0] <= a[0] and a[1] <= b[1] for a, b in zip(ends, ends[1:])))

    def test_without_order_by_and_without_in_order(self):
        for order in ((), ("--in-order",)):
            self.fit(order=order)
            table = rows(900, 2, first=800, drift=0.002)
            names, cells = self.intervals("m.taut", self.new)
            self.assertAlmostEqual(self.coverage(cells, names, table), 0.9, delta=0.02)

    def test_what_makes_no_sense_is_refused(self):
        self.fit()
        self.fails(2, "stream", "m.taut", self.new, "--delay", "-2", says=["--delay"])
        self.fails(2, "stream", "m.taut", self.new, "--controller", "acy", says=["controller", "'aci'"])
        self.fails(2, "stream", "m.taut", self.new, "--controller", "aci:7", says=["step", "7"])
        self.fails(2, "stream", "m.taut", self.new, "--window", "2", says=["--window"])
        self.fails(2, "stream", "m.taut", self.new, "--half-life", "0.2", says=["--half-life"])
        self.fails(2, "stream", "m.taut", self.new, "--scorecast", "maybe", says=["--scorecast"])
        self.fails(2, "stream", "m.taut", self.new, "--save", "-", says=["--save"])
        self.fails(2, "stream", "m.taut", self.new, "--save", self.new, says=["one of the inputs"])
        self.fails(2, "stream", "m.taut", self.new, "--save", "x.taut", "-o", "x.taut", says=["one would replace the other", "x.taut"])
        self.fails(2, "stream", "m.taut", self.new, "--save", "x.taut", "-o", "./x.taut", says=["one would replace the other"])
        self.fails(2, "stream", "m.taut", self.new, "--window", "", says=["--window"])
        self.fails(1, "stream", "m.taut", self.new, "-o", "/dev/full", says=["/dev/full", "No space left"])
        self.fails(1, "stream", "m.taut", self.write("empty.csv", ""), says=["empty"])
        self.fails(1, "stream", "m.taut", self.write("infinite.csv", "t,x,y\n900,1,inf\n"), says=["finite", "line 2"])
        self.fails(1, "stream", "m.taut", self.train, says=["train.csv, line 2", "older", "--allow-older"])
        self.taut("stream", "m.taut", self.train, "--allow-older")
        lines = csv(rows(20, 2, first=800)).splitlines()
        lines[10], lines[11] = lines[11], lines[10]
        self.fails(1, "stream", "m.taut", self.write("swapped.csv", "\n".join(lines) + "\n"), says=["line 12", "came before it"])
        text = csv(rows(5, 2, first=800)).replace("\n802,", "\nlater,")
        self.fails(1, "stream", "m.taut", self.write("text.csv", text), says=["'t'", "line 4"])
        self.fails(1, "stream", "m.taut", self.write("no_time.csv", "x,y\n1,2\n"), says=["'t'"])
        done = self.run_taut("stream", "m.taut", self.write("bad_y.csv", "t,x,y\n900,1,abc\n"))
        self.assertEqual((done.code, done.stdout.count("\n")), (1, 1))  # the header alone
        self.assertIn("abc", done.stderr)
        self.taut("calibrate", "m.taut", self.train, "--local", "-o", "local.taut")
        self.fails(1, "stream", "local.taut", self.new, says=["local", "--plain"])


if __name__ == "__main__":
    main()
