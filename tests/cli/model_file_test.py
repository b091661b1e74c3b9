"""Damaged model files."""
import random
import struct

import samples
from harness import TautTest, main
from samples import QUICK

READERS = [["info"], ["predict", "d.csv"], ["evaluate", "d.csv"], ["calibrate", "d.csv", "-o", "n.taut"]]


class Damaged(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(60)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.bytes = (self.folder / "m.taut").read_bytes()

    def refused(self, content, *says):
        self.write("bad.taut", content)
        for command, *rest in READERS:
            self.fails(1, command, "bad.taut", *rest, says=["taut: bad.taut: ", *says])
        self.assertEqual(self.files(), ["bad.taut", "d.csv", "m.taut"])

    def test_whole(self):
        self.write("good.taut", self.bytes)
        self.taut("info", "good.taut")

    def test_not_a_model(self):
        self.refused(self.read("d.csv"), "not a Taut model")
        self.refused("", "not a Taut model")
        self.refused(b"\0" * 1000, "not a Taut model")

    def test_no_such_file(self):
        for command, *rest in READERS:
            self.fails(1, command, "none.taut", *rest, says=["none.taut", "No such file"])

    def test_cut_short(self):
        for length in [8, 12, 19, 28, len(self.bytes) // 2, len(self.bytes) - 1]:
            self.refused(self.bytes[:length], "cut short", "copy it again")

    def test_longer(self):
        self.refused(self.bytes + b"\0", "damaged")

    def test_newer(self):
        self.refused(self.bytes[:8] + struct.pack("<I", 99) + self.bytes[12:], "version 99", "newer")

    def test_one_bit_flipped(self):
        """Anywhere in the file. `info` has to read all of it."""
        draw = random.Random(0)
        places = [*range(28), *(len(self.bytes) - 1 - back for back in range(8)), *(draw.randrange(len(self.bytes)) for _ in range(164))]
        for place in places:
            bad = bytearray(self.bytes)
            bad[place] ^= 1 << draw.randrange(8)
            self.write("bad.taut", bytes(bad))
            self.fails(1, "info", "bad.taut", says=["bad.taut"])

    def test_a_folder(self):
        (self.folder / "f.taut").mkdir()
        self.fails(1, "info", "f.taut", says=["f.taut"])


if __name__ == "__main__":
    main()
