"""reproduce: the paper's table and figure, with and without interruption."""
import json
import re
import signal
import time
import xml.etree.ElementTree as xml

from harness import TautTest, main, slow

QUICK = ["--methods", "fixed;exp;trees"]


class Table(TautTest):
    def test_synthetic_sets_beside_the_oracle(self):
        self.taut("reproduce", "table", "--datasets", "cos,linear", "--runs", "3", *QUICK, "-o", "t.json")
        table = json.loads(self.read("t.json"))
        self.assertEqual([one["name"] for one in table["sets"]], ["cos", "linear"])
        self.assertEqual(table["coverages"], 2 * 3 * 3 * 3)
        self.assertEqual(table["coverages_outside_band"], 0)
        for one in table["sets"]:
            self.assertEqual([row["method"] for row in one["methods"]], ["exp", "fixed", "trees"])
            smallest = one["oracles"][-1]["sizes"]
            widths = {row["method"]: [level["size"]["mean"] for level in row["levels"]] for row in one["methods"]}
            # Nearest neighbours of 400 rows are not an oracle, but adaptive widths are between the smallest possible and a constant width.
            self.assertLess(widths["exp"][1], 0.9 * widths["fixed"][1])
            self.assertGreater(widths["exp"][1], smallest[1])
            for row in one["methods"]:
                for level in row["levels"]:
                    rank = -(-200 * round(100 * (1 - level["alpha"])) // 100)  # of the 199 others
                    self.assertAlmostEqual(level["coverage_leave_one_out"]["mean"], rank / 200)  # for every method
                    self.assertIsNone(level["published"])

    def test_the_same_whatever_the_threads_and_the_format(self):
        common = ["reproduce", "table", "--datasets", "squared", "--runs", "2", *QUICK]
        one = self.taut(*common, "--threads", "1").stdout
        self.assertEqual(one, self.taut(*common, "--threads", "3").stdout)
        self.assertIn("### squared", one)
        self.assertIn("| Taut: trees", one)
        self.assertIn("oracle: smallest possible", one)
        self.taut(*common, "-o", "t.csv")
        lines = self.read("t.csv").splitlines()
        self.assertTrue(lines[0].startswith("set,method,alpha,size,"))
        self.assertEqual(len(lines), 1 + 3 * 3 + 4 * 3)

    def test_other_seed_other_rows(self):
        common = ["reproduce", "table", "--datasets", "cos", "--runs", "1", "--methods", "fixed", "-o"]
        self.taut(*common, "a.csv")
        self.taut(*common, "b.csv", "--seed", "1")
        self.assertNotEqual(self.read("a.csv"), self.read("b.csv"))

    def test_own_protocol(self):
        done = self.taut("reproduce", "table", "--datasets", "cos", "--runs", "1", "--methods", "fixed", "--protocol", "taut")
        self.assertIn("200 rows calibrate, 200 test", done.stdout)
        self.assertNotIn("left out", done.stdout)

    def test_real_sets_beside_published_sizes(self):
        folder = self.data("energy.csv.gz").parent
        done = self.taut("reproduce", "table", "--datasets", "energy,energy8,concrete", "--data", folder, "--runs", "2", *QUICK)
        self.assertRegex(done.stdout, r"\(0\.161, [+-]?\d+\.\d\)")  # exp on energy
        table = {name: text for name, text in re.findall(r"(?s)### (\S+)[^\n]*\n(.*?)(?=\n### |\Z)", done.stdout)}
        self.assertEqual(list(table), ["energy", "energy8", "concrete", "The"])  # sets of the paper, with the best published sizes
        self.assertRegex(table["The"], r"\| energy  *\| \S+ ± \S+ \(0\.161, ")
        self.assertNotIn("energy8", table["The"])
        self.assertNotIn("0.161", table["energy8"])  # nothing was published without Y1
        self.assertIn("0 of 54", done.stdout)

    def test_says_where_it_looked(self):
        self.fails(1, "reproduce", "table", "--datasets", "CASP", "--data", "nowhere", says=["CASP.csv.gz", "nowhere", "--data"])
        self.fails(1, "reproduce", "table", "--datasets", "CASP", env={"TAUT_DATA": "void"},
                   says=["in void nor in ../shared/data", "TAUT_DATA"])

    def test_hostile_data(self):
        self.write("data/energy.csv", "X1,Y1,Y2\n" + "1,2,3\n" * 5)
        self.fails(1, "reproduce", "table", "--datasets", "energy", "--data", "data", says=["energy.csv", "too few rows"])
        self.write("data/energy.csv", "X1,Y1\n" + "1,2\n" * 50)
        self.fails(1, "reproduce", "table", "--datasets", "energy", "--data", "data", says=["energy.csv", "Y2"])

    def test_bad_usage(self):
        self.fails(2, "reproduce", "tabel", says=["did you mean 'table'"])
        self.fails(2, "reproduce", "table", "--runs", "0", says=["--runs", "at least 1"])
        self.fails(2, "reproduce", "table", "--seed", "-1", says=["--seed"])
        self.fails(2, "reproduce", "table", "--datasets", "cosine", says=["unknown data set", "cos, squared"])
        self.fails(2, "reproduce", "table", "--methods", "expp", says=["unknown method 'expp'", "did you mean 'exp'", "erc (error fit)"])
        self.fails(2, "reproduce", "table", "--protocol", "mine", says=["paper, taut"])
        self.fails(2, "reproduce", "table", "-o", "t.pdf", says=["t.pdf", ".md, .csv, .json"])
        self.assertEqual(self.files(), [])


class Resume(TautTest):
    COMMAND = ["reproduce", "table", "--datasets", "cos,squared,inverse,linear", "--runs", "3", "--methods", "erc;linear;exp;sigma",
               "--threads", "1", "--resume", "done"]

    def lines(self):
        path = self.folder / "done"
        return path.read_text().count("\n") if path.exists() else 0

    def stop_after(self, count, how):
        process = self.start(*self.COMMAND)
        until = time.monotonic() + 600
        while self.lines() < count and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(how)
        _, words = process.communicate(timeout=600)
        return process.returncode, words.decode()

    @slow
    def test_stopped_work_goes_on(self):
        code, words = self.stop_after(4, signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertRegex(words, r"interrupted: done holds \d+ of 48 fits; the same command goes on from there")
        after_interrupt = self.lines()
        code, _ = self.stop_after(after_interrupt + 3, signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        resumed = self.taut(*self.COMMAND)
        self.assertRegex(resumed.stderr, r"done: \d+ of 48 fits are done already")
        self.assertEqual(self.lines(), 49)
        whole = self.taut(*[word for word in self.COMMAND if word not in ("--resume", "done")])
        self.assertEqual(resumed.stdout, whole.stdout)

    def test_more_runs_reuse_the_first(self):
        common = ["reproduce", "table", "--datasets", "cos", "--methods", "fixed", "--resume", "done"]
        self.taut(*common, "--runs", "2")
        self.assertIn("2 of 3 fits", self.taut(*common, "--runs", "3").stderr)

    def test_foreign_file(self):
        self.write("data.csv", "x,y\n1,2\n")
        self.fails(1, "reproduce", "table", "--datasets", "cos", "--methods", "fixed", "--resume", "data.csv",
                   says=["data.csv", "left alone"])
        self.assertEqual(self.read("data.csv"), "x,y\n1,2\n")


class Figure(TautTest):
    def test_panels(self):
        self.taut("reproduce", "figure", "--datasets", "cos,linear", *QUICK, "-o", "f.svg")
        root = xml.fromstring(self.read("f.svg"))
        words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
        for title in ["cos", "linear", "exp", "fixed", "Taut: trees", "oracle: smallest possible"]:
            self.assertIn(title, words)
        ribbons = [one for one in root.iter("{http://www.w3.org/2000/svg}path") if re.fullmatch("[rok][012]", one.get("class"))]
        self.assertEqual(len(ribbons), 2 * 4 * 3)
        self.assertNotIn("nan", self.read("f.svg"))

    def test_page(self):
        self.taut("reproduce", "figure", "--datasets", "squared", "--methods", "fixed", "-o", "f.html")
        page = self.read("f.html")
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertEqual(page.count("<svg "), 1)
        self.assertNotRegex(page, r"(src|href)=")  # the page loads nothing from other servers

    def test_bad_usage(self):
        self.fails(2, "reproduce", "figure", "--datasets", "energy", says=["synthetic sets only"])
        self.fails(2, "reproduce", "figure", "-o", "f.png", says=[".html, .svg"])


if __name__ == "__main__":
    main()
