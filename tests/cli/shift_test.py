"""predict --check-shift: it reports rows that differ from the calibration rows, no others, and does not change intervals."""
import math
import random
import struct

import samples
from harness import TautTest, main
from samples import QUICK


class CheckShift(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(1500)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def check(self, rows, names=("x", "z", "colour", "y")):
        text = samples.csv(rows, names)
        done = self.taut("predict", "m.taut", "-", "--check-shift", stdin=text)
        self.assertEqual(done.stdout, self.taut("predict", "m.taut", "-", stdin=text).stdout)
        return done.stderr

    def test_rows_of_the_same_kind(self):
        said = self.check(samples.rows(400, seed=1))
        self.assertIn("400 rows of - compared with 300 calibration rows: no difference", said)
        self.assertNotIn("warning", said)

    def test_a_number_has_moved(self):
        said = self.check([(x, z + 1, colour, y) for x, z, colour, y in samples.rows(400, seed=1)])
        for words in ["warning: 400 rows differ from the 300 calibration rows", "'z': ", "of the rows lie", "the prediction: ", "taut calibrate"]:
            self.assertIn(words, said)
        self.assertNotIn("'x'", said)

    def test_categories_have_changed(self):
        said = self.check([(x, z, "blue" if x > 0 else colour, y) for x, z, colour, y in samples.rows(400, seed=1)])
        self.assertIn("of the rows have the value 'blue'", said)

    def test_categories_never_seen(self):
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--effort", "quick", "--localizer", "none")
        said = self.check([(x, z, "violet" if x > 0 else colour, y) for x, z, colour, y in samples.rows(400, seed=1)])
        self.assertIn("of the rows have a value that the fit did not know; of the calibration rows 0 %", said)

    def test_many_batches(self):
        rows = samples.rows(40_000, seed=2)
        self.assertIn("40,000 rows of - compared", self.check(rows))
        self.assertIn("'x': ", self.check([(0.8 * x, z, colour, y) for x, z, colour, y in rows]))

    def test_new_calibration_rows_remove_it(self):
        moved = [(x, z + 1, colour, y - 1) for x, z, colour, y in samples.rows(800, seed=1)]
        self.write("fresh.csv", samples.csv(moved[:400]))
        self.taut("calibrate", "m.taut", "fresh.csv", "-o", "m.taut")
        self.assertIn("no difference", self.check(moved[400:]))

    def test_a_file_without_calibration_inputs_says_what_to_do(self):
        """Removes the entries of the check, as in files of versions before it."""
        archive = Archive((self.folder / "m.taut").read_bytes())
        self.write("old.taut", archive.without("calibration/inputs/"))
        self.write("new.csv", samples.csv(samples.rows(10, seed=1)))
        self.taut("predict", "old.taut", "new.csv")
        self.fails(1, "predict", "old.taut", "new.csv", "--check-shift", "-o", "out.csv",
                   says=["old.taut", "--check-shift", "taut calibrate"])
        self.assertNotIn("out.csv", self.files())


def patients(count, seed, mean=0.0):
    """Columns x, patient, w, y; eight rows of each patient have nearly the same x."""
    draw = random.Random(seed)
    table, centre = [], 0.0
    for i in range(count):
        if i % 8 == 0:
            centre = draw.gauss(mean, 1)
        x = centre + 0.05 * draw.gauss(0, 1)
        table.append((x, f"p{seed}_{i // 8}", math.exp(x - 0.5), x + draw.gauss(0, 1)))
    return samples.csv(table, ("x", "patient", "w", "y"))


class KindsOfCalibration(TautTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", patients(400, 1))
        self.write("cal.csv", patients(320, 2))
        self.taut("fit", "train.csv", "--target", "y", "--drop", "patient,w", "-o", "m.taut", *QUICK)

    def test_new_groups_are_no_shift(self):
        self.taut("calibrate", "m.taut", "cal.csv", "--keep-together", "patient", "-o", "m2.taut")
        self.taut("calibrate", "m.taut", "cal.csv", "-o", "plain.taut")
        found = plain = 0
        for seed in range(10, 22):
            self.write("new.csv", patients(320, seed))
            done = self.taut("predict", "m2.taut", "new.csv", "--check-shift")
            found += "differ from" in done.stderr
            plain += "differ from" in self.taut("predict", "plain.taut", "new.csv", "--check-shift").stderr
        self.assertIn("40 groups of new.csv compared with 40 groups of calibration rows: no difference", done.stderr)
        self.assertEqual(found, 0)
        self.assertGreater(plain, 6)  # rows of a patient are alike
        self.write("far.csv", patients(320, 30, mean=3.0))
        done = self.taut("predict", "m2.taut", "far.csv", "--check-shift")
        self.assertIn("40 groups differ from the 40 groups of calibration rows by more than chance explains: 'x': ", done.stderr)
        self.assertIn("of the groups lie", done.stderr)

    def test_groups_must_be_told(self):
        self.taut("calibrate", "m.taut", "cal.csv", "--keep-together", "patient", "-o", "m2.taut")
        self.write("bare.csv", "x\n1\n2\n")
        self.fails(1, "predict", "m2.taut", "bare.csv", "--check-shift", "-o", "out.csv", says=["bare.csv", "'patient'", "counts groups"])
        self.fails(2, "predict", "m2.taut", "-", "--check-shift", "-o", "out.csv", says=["--check-shift", "a file instead"])
        self.assertNotIn("out.csv", self.files())
        self.taut("predict", "m2.taut", "bare.csv")

    def test_the_population_that_it_was_calibrated_towards(self):
        single = lambda seed, mean: samples.csv([(x, "p", math.exp(x - 0.5), x) for x in
                                                 (random.Random(seed * 1000 + i).gauss(mean, 1) for i in range(300))], ("x", "patient", "w", "y"))
        self.write("cal.csv", single(1, 0.0))
        self.write("target.csv", single(2, 1.0))
        for options, words in ((["--towards", "target.csv"], "300 rows that the model was calibrated towards"),
                               (["--weights", "w"], "calibration rows sampled by their weights")):
            with self.subTest(options=options):
                self.taut("calibrate", "m.taut", "cal.csv", *options, "-o", "m2.taut")
                for seed in (3, 4, 5):
                    self.write("new.csv", single(seed, 1.0))
                    self.assertIn(f"{words}: no difference", self.taut("predict", "m2.taut", "new.csv", "--check-shift").stderr)
                self.write("far.csv", single(6, -2.0))
                self.assertIn("differ from the", self.taut("predict", "m2.taut", "far.csv", "--check-shift").stderr)
                archive = Archive((self.folder / "m2.taut").read_bytes())
                self.write("old.taut", archive.without("calibration/population/"))
                self.taut("predict", "old.taut", "new.csv")
                self.fails(1, "predict", "old.taut", "new.csv", "--check-shift", says=["old.taut", "calibrate it anew"])


class Archive:
    """Splits a model file into its entries by docs/model-file.md, without decoding them."""

    def __init__(self, data):
        self.data, self.at = data, 20
        self.entries = []
        for _ in range(self.count()):
            begin = self.at
            name = self.skip(self.count()).decode()
            self.skip_value(self.skip(1)[0])
            self.entries.append((name, data[begin:self.at]))

    def skip(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def count(self):
        return struct.unpack("<Q", self.skip(8))[0]

    def skip_value(self, tag):
        if tag in (0, 1):
            self.skip(8)
        elif tag in (2, 4):
            self.skip(self.count())
        elif tag == 3:
            for _ in range(self.count()):
                self.skip(self.count())
        elif tag in (9, 10):
            self.skip(self.count() * self.count() * (4 if tag == 9 else 8))
        else:
            self.skip(self.count() * (4 if tag in (5, 7) else 8))

    def without(self, prefix):
        kept = [entry for name, entry in self.entries if not name.startswith(prefix)]
        payload = struct.pack("<Q", len(kept)) + b"".join(kept)
        framed = self.data[:12] + struct.pack("<Q", len(payload)) + payload
        return framed + struct.pack("<Q", checksum(framed))


def checksum(data):
    """CRC-64/XZ."""
    value = 2**64 - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xC96C5795D7870F42 if value & 1 else 0)
    return value ^ 2**64 - 1


if __name__ == "__main__":
    main()
