"""Malicious files: they are refused with a message, fast and with little memory. The checksums of the model files are correct."""
import ctypes
import os
import resource
import select
import struct
import subprocess
import zlib

from archive import File, frame  # which also finds the harness
from harness import PROGRAM, ROOT, TautTest, main

OLD = ROOT / "tests" / "model" / "old" / "0.2"
NAN, INFINITY = float("nan"), float("inf")
MEGABYTE = 1 << 20
MOST_MEMORY = 512 * MEGABYTE  # of address space, including the program, its libraries and the stacks of its threads
SANITIZED = os.environ.get("TAUT_SANITIZED") == "1"  # sanitizers reserve terabytes of address space
MOST_SECONDS = 5  # of processor time; a refusal takes milliseconds
HUGE = struct.pack("<Q", 1 << 60)
DEEP = 100_000


def computed():
    """Processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class HostileTest(TautTest):
    def limited(self, *arguments, stdin=subprocess.DEVNULL):
        """The running program with a limit on its memory."""
        def limit():
            if not SANITIZED:
                resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=stdin, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=limit)

    def finish(self, process, code, *says):
        before = computed()
        stdout, stderr = process.communicate(timeout=600)
        self.assertLess(computed() - before, MOST_SECONDS)
        self.assertEqual(process.returncode, code, stderr)
        self.assertEqual(stdout, b"")
        for words in says:
            self.assertIn(words, stderr.decode())


def without_covers(model):
    """Removes the numbers of rows of leaves, which the trees of these tests do not have."""
    return File({name: entry for name, entry in model.items() if not name.endswith("/covers")})


class HostileModels(HostileTest):
    def refused(self, what, content, *says):
        with self.subTest(what):
            self.write("bad.taut", content if isinstance(content, bytes) else content.bytes())
            self.finish(self.limited("info", "bad.taut"), 1, "bad.taut: ", *says)

    def test_counts_that_nothing_stands_behind(self):
        model = File.read(OLD / "knn-mlp.taut")
        more = "claims more data than it holds"
        self.refused("2^60 entries", frame(HUGE), more)
        self.refused("a name of 2^60 bytes", frame(struct.pack("<Q", 1) + HUGE), more)
        for kind in ("text", "texts", "bytes", "int32s", "int64s", "floats", "doubles"):
            model["extra"] = (kind, HUGE)
            self.refused(kind, model, more)
        for rows, columns in [(1 << 60, 1), (1, 1 << 60), (1 << 31, 1 << 31), (1 << 32, 1 << 32), (1 << 63, 2)]:
            for kind in ("float matrix", "matrix"):
                model["extra"] = (kind, struct.pack("<QQ", rows, columns))
                self.refused(f"{rows} x {columns}", model, more)
        del model["extra"]
        for matrix in ("predictor__member0__rows", "localization__member0__stage0__layer0__weights"):
            self.refused("rows of no width", model.but(**{matrix: struct.pack("<QQ", 1 << 31, 0)}), "damaged")

    def test_numbers_that_are_none(self):
        linear, network, knn, trees = (File.read(OLD / f"{name}.taut") for name in ("linear-mlp", "exp", "knn-none", "boost-boost"))
        for bad in (NAN, INFINITY):
            self.refused("weights", linear.but(predictor__member0__weights=[bad] * 5), "finite")
            self.refused("intercept", linear.but(predictor__member0__intercept=bad), "finite")
            self.refused("encoding", linear.but(predictor__encoder__scale=[bad] * 5), "finite")
            self.refused("units", linear.but(predictor__unit=bad), "units")
            self.refused("unit", linear.but(unit=bad), "unit")
            self.refused("network", network.but(localization__member0__stage0__layer1__weights=[[bad] * 2] * 3), "finite")
            self.refused("bias", network.but(localization__member0__stage0__layer1__bias=[bad] * 2), "finite")
            self.refused("exponents", network.but(localization__exponents=[bad]), "exponents")
            self.refused("centre", network.but(localization__member0__centre=bad), "centred")
            self.refused("targets", knn.but(predictor__member0__targets=[bad] * len(knn["predictor/member0/targets"][1])), "finite")
            leaves = [bad] * len(trees["predictor/member0/trees/values"][1])
            self.refused("trees", trees.but(predictor__member0__trees__values=leaves), "finite")
            self.refused("start of trees", trees.but(localization__member0__stage0__initial=[bad] * 2), "finite")
        self.refused("scores", linear.but(calibration__scores=[0.0, NAN]), "order")
        self.refused("scores that fall", linear.but(calibration__scores=[1.0, 0.0]), "order")

    def test_counts_that_make_no_sense(self):
        model = File.read(OLD / "knn-mlp.taut")
        for entry in ("predictor__members", "predictor__member0__neighbours", "localization__members", "localization__sides",
                      "localization__member0__stage0__layers", "sees_prediction", "record__fell_back"):
            for count in (-1, 1 << 31, 1 << 60, -(1 << 63)):
                self.refused(f"{entry} {count}", model.but(**{entry: count}), "allowed are")
        for entry in ("predictor__members", "localization__members", "localization__sides"):
            self.refused(f"{entry} 0", model.but(**{entry: 0}), "allowed are 1 to")
        self.refused("neurons", model.but(options__hidden=[-5]), "--hidden")
        self.refused("components", model.but(transform="mixture:exp*1e18"), "1 to 16 times")
        self.refused("stages", model.but(localization__exponents=[1.0] * 1000), "exponents")
        self.refused("columns", model.but(columns__names=["x"] * 4), "do not fit")

    def test_trees_that_are_none(self):
        """Trees must be acyclic: a child must be after its parent and inside of the tree."""
        model = without_covers(File.read(OLD / "boost-none.taut"))
        scope = "predictor__member0__trees__"

        def tree(features, sizes=None, values=None):
            count = len(features)
            return model.but(**{scope + "features": features, scope + "sizes": sizes or [count], scope + "values": values or [0.5] * count,
                                scope + "missing_left": [0] * count})
        self.write("good.taut", tree([0, -1, -1]).bytes())
        self.taut("info", "good.taut")
        self.refused("children beyond the end", tree([0, -1]), "damaged")
        self.refused("a node that is its own child", tree([0]), "damaged")
        self.refused("children at or before their parent", tree([-1, 0, -1]), "damaged")
        self.refused("all inner nodes", tree([0, 0, 0, 0, 0]), "damaged")
        self.refused("nodes that belong to nobody", tree([0, -1, -1, -1, -1]), "damaged")
        self.refused("an input that is not there", tree([99, -1, -1]), "input")
        self.refused("a negative input", tree([-2, -1, -1]), "input")
        self.refused("the least input", tree([-(1 << 31), -1, -1]), "input")
        self.refused("a tree without nodes", tree([0, -1, -1], [0, 3]), "damaged")
        self.refused("a negative size", tree([0, -1, -1], [-3]), "damaged")
        self.refused("sizes beyond the nodes", tree([0, -1, -1], [(1 << 31) - 1]), "damaged")
        self.refused("sizes that leave nodes over", tree([0, -1, -1, -1], [3]), "damaged")
        self.refused("arrays of different length", tree([0, -1, -1], values=[0.5] * 4), "damaged")

    def test_nested_deep(self):
        """A hundred thousand levels. tests/model/file_test.cpp has a million, which Python would write slowly."""
        model = without_covers(File.read(OLD / "boost-none.taut"))
        self.refused("a transformation", model.but(transform="mixture:" * DEEP + "exp"), "mixture")
        self.refused("an objective", model.but(options__objective="power:" * DEEP), "power")
        # Names are not nested, and trees are traversed without recursion, so both are harmless.
        model["a/" * DEEP] = ("integer", 1)
        features = [0] + [-1, 0] * (DEEP - 1) + [-1, -1]
        tree = {"features": features, "sizes": [len(features)], "values": [0.5] * len(features), "missing_left": [0] * len(features)}
        deep = model.but(**{"predictor__member0__trees__" + name: value for name, value in tree.items()})
        self.write("deep.taut", deep.bytes())
        self.finish(self.limited("predict", "deep.taut", OLD / "rows.csv", "--threads", "2", "-o", "out.csv"), 0)
        self.assertEqual(len(self.read("out.csv").splitlines()), 41)

    def test_what_is_no_file(self):
        self.finish(self.limited("info", "/dev/zero"), 1, "not a Taut model")
        with open(self.folder / "sparse.taut", "wb") as sparse:
            sparse.write((OLD / "exp.taut").read_bytes())
            sparse.truncate(1 << 40)
        self.finish(self.limited("info", "sparse.taut"), 1, "longer than it says")


class HostileTables(HostileTest):
    """These tables are not written to a file: they come from a pipe, as long as the program reads."""

    def poured(self, blocks, *says):
        """Writes the blocks to `taut fit -` until it ends with an error that has these words. Returns the number of bytes written."""
        process = self.limited("fit", "-", "--target", "y", "-o", "m.taut", stdin=subprocess.PIPE)
        sent = 0
        try:
            for block in blocks:
                process.stdin.raw.write(block)
                sent += len(block)
        except BrokenPipeError:
            pass
        process.stdin.raw.close()
        process.stdin = None
        self.finish(process, 1, *says)
        self.assertEqual(self.files(), [])
        return sent

    def test_a_field_without_end(self):
        gigabyte = [b"z" * MEGABYTE] * 1024
        for quote in (b"", b'"'):
            sent = self.poured([b"x,y\n1," + quote, *gigabyte], "standard input, line 2, column 'y'", "16 MiB")
            self.assertLess(sent, 64 * MEGABYTE)
        self.poured([b"x,", *gigabyte], "line 1, field 2", "16 MiB")
        self.poured([b"x,y\n1,2", *([b" " * MEGABYTE] * 1024)], "line 2", "16 MiB")

    def test_ten_million_columns(self):
        names = (b"".join(b"%d," % name for name in range(first, first + 10_000)) for first in range(0, 10_000_000, 10_000))
        self.poured(names, "line 1, column 1000001", "more than 1,000,000 columns")

    def test_fields_without_end_in_a_row(self):
        self.poured([b"x,y\n1,2", *([b",3" * (MEGABYTE // 2)] * 32)], "line 2", "header names 2 columns")

    def test_zeros_packed_small(self):
        """Zero bytes compress by a factor of a thousand; the program must stop at the first one."""
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = bytes(16 * MEGABYTE)
        self.poured([packer.compress(b"x,y\n"), *(packer.compress(zeros) for _ in range(8)), packer.flush()], "zero byte")


class Paths(HostileTest):
    """No path in a model file is ever opened: every text in it is replaced by the path of a file that inotify watches."""

    OPENED_OR_CHANGED = 0xFFF & ~0x8  # every event except closing a written file

    def watch(self, folder):
        library = ctypes.CDLL(None, use_errno=True)
        descriptor = library.inotify_init()
        self.assertGreaterEqual(descriptor, 0)
        self.addCleanup(os.close, descriptor)
        self.assertGreaterEqual(library.inotify_add_watch(descriptor, os.fsencode(folder), self.OPENED_OR_CHANGED), 0)

        def events():
            seen = b""
            while select.select([descriptor], [], [], 0.1)[0]:
                seen += os.read(descriptor, 4096)
            return seen
        return events

    def test_no_path_is_opened(self):
        bait = self.folder / "bait" / "secret.csv"
        self.write("bait/secret.csv", "x,y\n1,2\n")
        model = File.read(OLD / "linear-none.taut")
        path = str(bait)
        for name, (kind, value) in model.items():
            if name.startswith("options/") and name not in ("options/target", "options/drop", "options/split"):
                continue  # names from lists, where another text would be refused
            if kind == "text" and name not in ("transform", "options/split") and not name.endswith(("/encoding", "/name")):
                model[name] = (kind, path)
            if kind == "texts":
                model[name] = (kind, [path + "?" * i for i in range(len(value))])
        columns = model["columns/names"][1]
        self.assertGreater(len(columns), 1)
        levels = model["columns/levels2"][1]
        row = ["1", "2", levels[0], "3"]
        self.write("rows.csv", ",".join([*columns, "t"]) + "\n" + ",".join(row) + "\n")
        model["options/target"] = ("text", "t")
        model["target/names"] = ("texts", ["t"])
        self.write("paths.taut", model.bytes())
        events = self.watch(bait.parent)
        self.taut("info", "paths.taut", "--json")
        self.taut("predict", "paths.taut", "rows.csv")
        self.taut("evaluate", "paths.taut", "rows.csv")
        self.taut("calibrate", "paths.taut", "rows.csv", "-o", "new.taut")
        self.run_taut("report", "paths.taut", "rows.csv", "-o", "report.html")
        self.assertEqual(events(), b"")
        self.assertIn(path, self.taut("info", "paths.taut", "--json").stdout)
        bait.read_text(encoding="utf-8")
        self.assertIn(b"secret.csv", events())  # the watch would have seen it


if __name__ == "__main__":
    main()
