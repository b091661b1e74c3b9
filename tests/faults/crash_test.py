"""After any failure a file is the old one or the complete new one: kill -9 at every step, full disks, limits."""
import os
import pathlib
import resource
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import samples  # noqa: E402
from harness import PROGRAM, TautTest, main  # noqa: E402

KILLER = os.environ.get("TAUT_KILL_BEFORE", str(ROOT / "build" / "tests" / "faults" / "libkill_before.so"))
SANITIZED = os.environ.get("TAUT_SANITIZED") == "1"  # the sanitizer must be the first library of a process, so nothing can be preloaded
SMALL = ["--target", "y", "--predictor", "linear", "--localizer", "boost", "--epochs", "20"]


class Writers(TautTest):
    """Three commands that write a file, each over an existing one."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.write("many.csv", samples.csv(samples.rows(3000) * 2))
        self.taut("fit", "d.csv", *SMALL, "-o", "m.taut")
        self.commands = {"fit": ["fit", "d.csv", *SMALL, "--seed", "2"], "calibrate": ["calibrate", "m.taut", "d.csv"],
                         "predict": ["predict", "m.taut", "many.csv", "--confidence", "0.5,0.9"]}
        (self.folder / "out").mkdir()
        self.place = self.folder / "out" / "file"


class Kill(Writers):
    def test_a_killed_program_leaves_the_old_file_or_the_whole_new_one(self):
        """Killed before the first call that writes, before the second, and so on, until the program completes."""
        if SANITIZED:
            self.skipTest("nothing can be preloaded before a sanitizer")
        old = b"the old file"
        for name, command in self.commands.items():
            self.taut(*command, "-o", self.place)
            whole = self.place.read_bytes()
            found = []
            while not found or found[-1] != "ended":
                self.place.write_bytes(old)
                code = self.killed_before(len(found) + 1, command)
                self.assertIn(code, (0, -signal.SIGKILL))
                content = self.place.read_bytes()
                self.assertIn(content, (old, whole), f"{name}, call {len(found) + 1}: a mixture of {len(content)} bytes")
                self.remove_neighbours(whole)
                found.append("ended" if code == 0 else "old" if content == old else "new")
            # The steps are open, write, link and rename: the old file exists until the last, the new one after it.
            self.assertEqual(found, sorted(found, key=["old", "new", "ended"].index), name)
            self.assertGreater(found.count("old"), 4, name)
            self.assertGreater(found.count("new"), 0, name)
            self.assertEqual(content, whole)

    def killed_before(self, call, command):
        environment = {**os.environ, "LD_PRELOAD": KILLER, "TAUT_KILL_BEFORE_CALL": str(call)}
        return subprocess.run([PROGRAM, *command, "-o", str(self.place)], cwd=self.folder, stderr=subprocess.DEVNULL, env=environment,
                              check=False).returncode

    def remove_neighbours(self, whole):
        """No other file is left if the file system supports files without a name, except between link and rename; that file is complete."""
        neighbours = [path for path in self.place.parent.iterdir() if path != self.place]
        for path in neighbours:
            self.assertTrue(path.name.startswith("file."), path)
            if not self.names_before_whole():
                self.assertEqual(path.read_bytes(), whole)
            path.unlink()

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
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, check=False)
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
