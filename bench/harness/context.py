"""Where programs, data sets and environments are, and how a measure runs them."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from .rows import Clock, Missing

BENCH = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCH.parent


class Context:
    def __init__(self, build, data, quick=False, full=False):
        self.build, self.data, self.quick, self.full = pathlib.Path(build), pathlib.Path(data), quick, full
        self.taut = self.build / "taut"
        self.repeats = 1 if quick else 5
        self.folder = None  # temporary folder of one measure, removed after it

    def sized(self, usual, quick):
        return quick if self.quick else usual

    def python(self, environment):
        """An interpreter that has the peers (or torch)."""
        found = ROOT / "build" / environment / "bin" / "python"
        if not (found.parent.parent / "installed").exists():
            raise Missing(f"no complete environment build/{environment}; `tools/setup {environment}` makes it")
        return found

    def set(self, name):
        """One of the paper's data sets, which are not part of the repository."""
        path = self.data / f"{name}.csv.gz"
        if not path.exists():
            raise Missing(f"the data set {name} was not found; give its folder with --data DIR or TAUT_DATA")
        return path

    def clock(self, command, output=None, environment=None):
        """Runs a command to its end: seconds, processor time and peak memory of that process alone."""
        return _clock([str(word) for word in command], output, {**os.environ, **(environment or {})})

    def script(self, name, *words, environment="peers"):
        """Runs bench/peers/NAME.py and reads the JSON on the last line of its output, if there is any."""
        command = [self.python(environment), BENCH / "peers" / f"{name}.py", *words]
        return self._json(command, {"PYTHONPATH": str(self.build / "python"), "OMP_WAIT_POLICY": "passive"})

    def program(self, name, *words):
        """The same for build/bench/bench/bench_NAME."""
        return self._json([self.build / "bench" / f"bench_{name}", *words], {})

    def google(self, name, which, seconds=None, environment=None):
        """One benchmark of a program that Google Benchmark runs: a Clock for one iteration, and its counters."""
        done = self._output([self.build / "bench" / f"bench_{name}", f"--benchmark_filter=^{which}$", "--benchmark_format=json",
                             f"--benchmark_min_time={seconds or (0.2 if self.quick else 1)}"], environment or {})
        found = json.loads(done)["benchmarks"][0]
        if found.get("error_occurred"):
            raise RuntimeError(found["error_message"])
        unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[found["time_unit"]]
        return Clock(found["real_time"] * unit, found["cpu_time"] * unit), found

    def _json(self, command, environment):
        lines = self._output(command, environment).strip().splitlines()
        return json.loads(lines[-1]) if lines else {}

    def _output(self, command, environment):
        if not pathlib.Path(command[0]).exists():
            raise Missing(f"{command[0]} is not built")
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
        if done.returncode != 0:
            raise RuntimeError(f"{pathlib.Path(command[1]).name} failed: {done.stderr.strip().splitlines()[-1:]}")
        return done.stdout


def clock_of(answer):
    return Clock(answer["seconds"], answer.get("processor"), answer.get("memory"))


# The peak memory of a child process includes the memory of the process that it was forked from. So a small process starts the command.
_RUNNER = """
import json, os, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]),
      file=sys.stderr)
"""


def _clock(command, output, environment):
    with open(output or os.devnull, "wb") as out, tempfile.TemporaryFile("w+") as err:
        subprocess.run([sys.executable, "-S", "-E", "-c", _RUNNER, *command], stdout=out, stderr=err, env=environment, check=True)
        err.seek(0)
        *words, last = err.read().strip().splitlines()
    code, seconds, processor, memory = json.loads(last)
    if code != 0:
        raise RuntimeError(f"{' '.join(command[:2])} ended with {code}: {' '.join(words[-2:])}")
    return Clock(seconds, processor, memory)


def load_average():
    return os.getloadavg()[0]


def now():
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime())


def commit():
    """The short commit hash, followed by a plus sign if taut/ or cli/ have changes that are not committed."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.strip()
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if git("status", "--porcelain", "--untracked-files=no", "taut", "cli") else "")
