"""Whatever happens to the program, a file is the old one or the whole new one: kill -9 at random moments, full disks, limits.

TAUT_KILLS is the number of kills, 21 by default; `make soak` has 210.
"""
import collections
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import samples  # noqa: E402
from harness import PROGRAM, TautTest, main  # noqa: E402

KILLS = int(os.environ.get("TAUT_KILLS", "21"))
SMALL = ["--target", "y", "--predictor", "linear", "--localizer", "boost", "--epochs", "20"]


class Writers(TautTest):
    """Three commands that write a file, each over one that stands there already."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(1500)))
        self.write("many.csv", samples.csv(samples.rows(3000) * 8))
        self.taut("fit", "d.csv", *SMALL, "-o", "m.taut")
        self.commands = {"fit": ["fit", "d.csv", *SMALL, "--seed", "2"], "calibrate": ["calibrate", "m.taut", "d.csv"],
                         "predict": ["predict", "m.taut", "many.csv", "--confidence", "0.5,0.9"]}
        (self.folder / "out").mkdir()
        self.place = self.folder / "out" / "file"


class Kill(Writers):
    def test_a_killed_program_leaves_the_old_file_or_the_whole_new_one(self):
        draw = random.Random(7)
        for name, command in self.commands.items():
            begin = time.monotonic()
            self.taut(*command, "-o", self.place)
            duration = time.monotonic() - begin
            whole, old = self.place.read_bytes(), b"the old file"
            seen = collections.Counter()
            for turn in range(KILLS // len(self.commands)):
                self.place.write_bytes(old)
                process = subprocess.Popen([PROGRAM, *command, "-o", str(self.place)], cwd=self.folder, stderr=subprocess.DEVNULL)
                # Every other time near the end, where the file is written and put in place.
                time.sleep(duration * (draw.uniform(0, 1.2) if turn % 2 == 0 else draw.uniform(0.8, 1.05)))
                process.kill()
                process.wait()
                found = self.place.read_bytes()
                self.assertIn(found, (old, whole), f"{name}: a mixture of {len(found)} bytes")
                seen["old" if found == old else "new"] += 1
                seen["left"] += self.remove_neighbours(whole)
            print(f"{name}: {dict(seen)} after kills within {duration:.2f} s", file=sys.stderr)

    def remove_neighbours(self, whole):
        """Nothing is left where a file can be without a name, but for the moment between its first name and its last: whole then."""
        neighbours = [path for path in self.place.parent.iterdir() if path != self.place]
        for path in neighbours:
            self.assertTrue(path.name.startswith("file."), path)
            if not self.names_before_whole():
                self.assertEqual(path.read_bytes(), whole)
            path.unlink()
        return len(neighbours)

    def names_before_whole(self):
        """Whether this file system needs a name for every file."""
        try:
            os.close(os.open(self.place.parent, os.O_TMPFILE | os.O_WRONLY))
        except OSError:
            return True
        return False


class FullDisk(Writers):
    def check_refused(self, where, *says, **keywords):
        self.assertEqual(where.read_bytes(), b"the old file")
        for command in self.commands.values():
            done = subprocess.run([PROGRAM, *command, "-o", str(where)], cwd=self.folder, stderr=subprocess.PIPE, check=False, **keywords)
            words = done.stderr.decode()
            self.assertEqual(done.returncode, 1, words)
            for expected in (str(where), *says):
                self.assertIn(expected, words)
            self.assertEqual(where.read_bytes(), b"the old file")
        self.assertEqual([path.name for path in where.parent.iterdir()], [where.name])

    def test_a_limit_on_the_size_of_files(self):
        self.place.write_bytes(b"the old file")
        self.check_refused(self.place, "File too large", "nothing was changed",
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))

    def test_a_full_file_system(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a small file system cannot be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        (disk / "results").mkdir()
        (disk / "results" / "file").write_bytes(b"the old file")
        with open(disk / "filler", "wb", buffering=0) as filler:
            with self.assertRaises(OSError):
                while True:
                    filler.write(bytes(4096))
        self.check_refused(disk / "results" / "file", "No space left", "nothing was changed")
        (disk / "filler").unlink()
        self.taut("calibrate", "m.taut", "d.csv", "-o", disk / "results" / "file")


if __name__ == "__main__":
    main()
