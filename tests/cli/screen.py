"""A pseudo-terminal for both output streams of the program, and the text that it would show."""
import os
import pathlib
import pty
import select
import shlex
import subprocess

from harness import PROGRAM, Done


def rendered(data):
    """The lines on the screen. It supports the sequences that the program uses: carriage return, line end, and erasing a line."""
    lines, column = [""], 0
    at = 0
    text = data.decode()
    while at < len(text):
        if text.startswith("\x1b[K", at):
            lines[-1] = lines[-1][:column]
            at += 3
            continue
        letter = text[at]
        at += 1
        if letter == "\r":
            column = 0
        elif letter == "\n":
            lines.append("")
        elif letter == "\x1b":
            raise ValueError(f"unknown terminal sequence: {text[at - 1:at + 8]!r}")
        else:
            lines[-1] = lines[-1][:column].ljust(column) + letter + lines[-1][column + 1:]
            column += 1
    return [line.rstrip() for line in lines]


class Watched:
    """The running program with its standard error on a terminal. Tests wait for its messages instead of for seconds."""

    def __init__(self, test, *arguments):
        ours, theirs = open_terminal(test)
        self.test, self.ours, self.seen = test, ours, b""
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=theirs, cwd=test.folder)
        os.close(theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def wait_for(self, words, seconds=600):
        while words not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], seconds)
            self.test.assertTrue(ready, f"{words} was not said in {seconds} s; said was {self.seen}")
            try:
                self.seen += os.read(self.ours, 1 << 16)
            except OSError:
                self.test.fail(f"the program ended without the message {words}; it printed {self.seen}")

    def computed(self):
        """Processor seconds of all threads."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_for_work(self, seconds):
        """Waits until the program has used `seconds` more of processor time."""
        enough = self.computed() + seconds
        while self.computed() < enough:
            self.test.assertIsNone(self.process.poll(), "the program has ended: too quick to be interrupted")
            os.sched_yield()

    def rest(self):
        """The output until the program ends."""
        return read_all(self.ours)


def open_terminal(test):
    try:
        return pty.openpty()
    except OSError as error:
        test.skipTest(f"this machine has no pseudo-terminals: {error}")


def read_all(descriptor):
    seen = b""
    try:
        while chunk := os.read(descriptor, 1 << 16):
            seen += chunk
    except OSError:
        pass  # on Linux, this means that the other side has closed
    return seen


def on_a_terminal(test, *arguments, stdout_too=True):
    """Runs the program, which must succeed, with standard error on a terminal, and standard output too. Returns what was sent."""
    ours, theirs = open_terminal(test)
    command = [PROGRAM, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs if stdout_too else subprocess.DEVNULL, stderr=theirs,
                          cwd=test.folder) as process:
        os.close(theirs)
        seen = read_all(ours)
        code = process.wait(timeout=1200)
    os.close(ours)
    test.assertEqual(code, 0, Done(shlex.join(command), code, "", seen.decode()))
    return seen
