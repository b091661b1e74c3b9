"""`taut report`: one file, complete or absent. tests/report tests the page in a browser."""
import json
import re

import samples
from harness import TautTest, main


class Report(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(400)))
        self.write("t.csv", samples.csv(samples.rows(200, 1)))
        self.taut("fit", "d.csv", "--target", "y", *samples.QUICK, "-o", "m.taut")
        if "has no page for reports" in self.run_taut("report", "m.taut", "t.csv").stderr:
            self.skipTest("this build has no page for reports: node or npm was missing")
        (self.folder / "report.html").unlink()

    def test_writes_one_page_and_says_where(self):
        done = self.taut("report", "m.taut", "t.csv", "-o", "page.html", "--unit", "EUR", "--title", "Colours & <b>")
        self.assertEqual(done.stdout, "")
        self.assertIn("page.html: a report on 200 rows of t.csv", done.stderr)
        page = self.read("page.html")
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertIn("<title>Colours &amp; &lt;b&gt;</title>", page)
        self.assertLess(len(page.encode()), 1_000_000)
        self.assertEqual(self.files(), ["d.csv", "m.taut", "page.html", "t.csv"])

    def test_default_name_and_standard_output(self):
        self.taut("report", "m.taut", "t.csv")
        self.assertIn("report.html", self.files())
        done = self.taut("report", "m.taut", "-", "-o", "-", stdin=self.read("t.csv"))
        self.assertTrue(done.stdout.startswith("<!doctype html>"))

    def test_a_learning_curve_where_it_is_asked_for(self):
        self.taut("report", "m.taut", "t.csv", "-o", "page.html", "--learning-curve", "d.csv", "--confidence", "0.8")
        document = json.loads(re.search(r'id="document">(.*?)</script>', self.read("page.html"), re.DOTALL).group(1))
        curve = document["learning"]
        self.assertEqual((curve["confidence"], curve["rows"]), (0.8, 400))
        self.assertEqual([point[0] for point in curve["expected"]], [400, 800, 1600, 4000])
        self.assertTrue(all(low <= score <= high for _, score, low, high in curve["found"] + curve["expected"]))
        self.fails(1, "report", "m.taut", "t.csv", "--learning-curve", "absent.csv", says=["absent.csv"])

    def test_a_date_is_several_inputs_and_one_column(self):
        for name, seed in (("dated.csv", 2), ("later.csv", 3)):
            table = [(f"2024-{1 + i % 12:02}-{1 + i % 28:02}", *row) for i, row in enumerate(samples.rows(400, seed))]
            self.write(name, samples.csv(table, ("when", "x", "z", "colour", "y")))
        self.taut("fit", "dated.csv", "--target", "y", *samples.QUICK, "-o", "dated.taut")
        self.taut("report", "dated.taut", "later.csv", "-o", "page.html")
        self.taut("fit", "dated.csv", "--target", "y", "--drop", "x,z,colour", *samples.QUICK, "-o", "only.taut")
        self.taut("report", "only.taut", "later.csv", "-o", "only.html")

    def test_refusals_leave_nothing_behind(self):
        before = self.files()
        for level in ["0", "1", "90"]:
            self.fails(2, "report", "m.taut", "t.csv", "--confidence", level, says=["confidence", level])
        self.fails(1, "report", "absent.taut", "t.csv", says=["absent.taut"])
        self.write("no_target.csv", "x,z,colour\n1,2,red\n")
        self.fails(1, "report", "m.taut", "no_target.csv", says=["no_target.csv", "'y'"])
        self.fails(1, "report", "m.taut", "t.csv", "-o", "absent/page.html", says=["absent/page.html"])
        self.assertEqual(self.files(), sorted([*before, "no_target.csv"]))

    def test_compare_has_a_page_too(self):
        self.taut("compare", "d.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed,exp:boost:epochs=5", "--repeats", "2", "-o", "c.html")
        page = self.read("c.html")
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertIn("<title>Methods compared on d.csv</title>", page)
        document = json.loads(re.search(r'id="document">(.*?)</script>', page, re.DOTALL).group(1))
        self.assertEqual([chart["title"] for chart in document["charts"]],
                         ["Interval score behind the best", "Interval score", "Mean width", "Coverage"])
        for chart in document["charts"]:
            self.assertEqual([point[0] for point in chart["series"][0]["points"]], ["fixed", "exp:boost:epochs=5"])


if __name__ == "__main__":
    main()
