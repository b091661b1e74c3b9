"""Outputs are complete or absent: missing folders, full disks, Ctrl-C."""
import array
import fcntl
import os
import pathlib
import signal
import subprocess
import termios
import time
import unittest

import samples
from harness import PROGRAM, TautTest, main
from samples import QUICK
from screen import Watched

LONG = ["--predictor", "knn", "--localizer", "mlp", "--epochs", "1000000", "--patience", "1000000"]


def is_drained(pipe):
    """Whether the other side has read everything."""
    waiting = array.array("i", [-1])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0] == 0


def is_asleep(process):
    status = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
    return status.rpartition(")")[2].split()[0] == "S"


class Places(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.before = self.files()
        self.writers = [["fit", "d.csv", "--target", "y", *QUICK], ["predict", "m.taut", "d.csv"], ["calibrate", "m.taut", "d.csv"],
                        ["synth", "cos"]]

    def test_missing_folder(self):
        for command in self.writers:
            self.fails(1, *command, "-o", "no/such/out", says=["no/such/out", "folder does not exist", "create it"])

    def test_missing_folder_is_said_before_the_work(self):
        self.fails(1, "fit", "d.csv", "--target", "y", *LONG, "-o", "no/such/out", says=["folder does not exist"], timeout=600)

    def test_a_folder_instead_of_a_file(self):
        (self.folder / "out").mkdir()
        for command in self.writers:
            self.fails(1, *command, "-o", "out", says=["out", "folder", "file name"])

    def test_two_results_do_not_share_a_file(self):
        for command in [["predict", "m.taut", "d.csv", "-o", "out", "--alarms", "./out"], ["calibrate", "m.taut", "d.csv", "-o", "out", "--alarms", f"../{self.folder.name}/out"],
                        ["report", "m.taut", "d.csv", "-o", "out", "--alarms", "out"], ["stream", "m.taut", "d.csv", "-o", "out", "--save", "out"],
                        ["export", "m.taut", "--c", "out", "--json", "out"], ["export", "m.taut", "--c", "-", "--json", "-"]]:
            self.fails(2, *command, says=["one would replace the other"])
        self.assertEqual(self.files(), self.before)
        self.taut("predict", "m.taut", "d.csv", "-o", "/dev/null", "--alarms", "/dev/null")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for command in self.writers:
            self.fails(1, *command, "-o", "/dev/full", says=["/dev/full", "disk is full"])
        with open("/dev/full", "wb") as full:
            for command in [["predict", "m.taut", "d.csv"], ["evaluate", "m.taut", "d.csv"], ["info", "m.taut"], ["--help"], ["fit", "--help"]]:
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, cwd=self.folder, check=False)
                self.assertEqual(done.returncode, 1, command)
                self.assertIn(b"standard output: cannot be written", done.stderr)
        self.assertEqual(self.files(), self.before)

    def test_a_failed_fit_leaves_the_old_model(self):
        old = (self.folder / "m.taut").read_bytes()
        self.write("bad.csv", "x,y\n1\n")
        self.fails(1, "fit", "bad.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.fails(1, "calibrate", "m.taut", "bad.csv", "-o", "m.taut")
        self.assertEqual((self.folder / "m.taut").read_bytes(), old)

    def test_a_model_may_be_written_over_itself(self):
        self.taut("calibrate", "m.taut", "d.csv", "-o", "m.taut")
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["rows"]["calibration"], 100)


class CtrlC(TautTest):
    def check_fit(self, *options, by=signal.SIGINT, code=130):
        """Interrupts work that would take hours, half a second of processor time after a predictor is done, most likely during training."""
        self.write("d.csv", samples.csv(samples.rows(3000)))
        self.write("m.taut", "the old model")
        with Watched(self, "fit", "d.csv", "--target", "y", "-o", "m.taut", *options) as running:
            running.wait_for(b"fitting the predictor [")
            running.wait_for_work(0.5)
            running.process.send_signal(by)
            self.assertIn(b"interrupted: nothing was written", running.rest())
            self.assertEqual(running.process.wait(timeout=600), code)
        self.assertEqual(self.files(), ["d.csv", "m.taut"])
        self.assertEqual(self.read("m.taut"), "the old model")

    def test_fit_network(self):
        self.check_fit(*LONG)

    def test_fit_trees(self):
        self.check_fit("--effort", "thorough", "--rate", "1e-6", "--epochs", "100000", "--patience", "100000")

    def test_terminated(self):
        self.check_fit(*LONG, by=signal.SIGTERM, code=143)

    def test_while_waiting_for_standard_input(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        with subprocess.Popen([PROGRAM, "predict", "m.taut", "-", "-o", "out.csv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder) as process:
            process.stdin.write(b"x,z,colour\n1,2,red\n")
            process.stdin.flush()
            deadline = time.monotonic() + 600
            while not (is_drained(process.stdin) and is_asleep(process)):  # it has read the row and waits for another
                self.assertLess(time.monotonic(), deadline)
                os.sched_yield()
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=600), 130)
            self.assertIn(b"interrupted", process.stderr.read())
        self.assertEqual(self.files(), ["d.csv", "m.taut"])


if __name__ == "__main__":
    main()
