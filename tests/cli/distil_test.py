"""`taut distil`: students, what calibrates them, and what is refused."""
import samples
from harness import TautTest, main

FAST = ["--learn-from", "0"]


class Distil(TautTest):
    def setUp(self):
        super().setUp()
        rows = samples.rows(1400, 1)
        self.train, self.cal = self.write("train.csv", samples.csv(rows[:400])), self.write("cal.csv", samples.csv(rows[400:600]))
        self.test = self.write("test.csv", samples.csv(rows[1000:]))
        self.labelled = self.write("labelled.csv", samples.csv(rows[600:1000]))
        self.rows = self.write("rows.csv", samples.csv([row[:3] for row in rows[600:1000]], ("x", "z", "colour")))
        self.taut("fit", self.train, "--target", "y", "--predictor", "boost", "--effort", "quick", "--calibrate-with", self.cal, "-o", "m.taut")

    def coverage(self, model):
        return self.taut("evaluate", model, self.test, "--json").json()["levels"][0]["coverage"]

    def test_a_student_works_with_every_command(self):
        done = self.taut("distil", "m.taut", self.rows, "--calibrate-with", self.cal, "-o", "s.taut", *FAST)
        self.assertIn("a student of m.taut, on 400 rows of", done.stderr)
        self.assertNotIn("warning", done.stderr)
        self.assertAlmostEqual(self.coverage("s.taut"), 0.9, delta=0.08)
        self.assertIn("a student of m.taut", self.taut("info", "s.taut").stdout)
        self.assertEqual(self.taut("info", "s.taut", "--json").json()["parts"]["student"]["rows"], 400)
        self.taut("predict", "s.taut", self.rows, "-o", "p.csv")
        self.taut("export", "s.taut", "--c", "s.c")
        self.taut("export", "s.taut", "--onnx", "s.onnx")
        self.taut("stream", "s.taut", self.test, "-o", "i.csv")
        self.fails(2, "stream", "s.taut", self.test, "--refit-every", "100", "-o", "i.csv", says=["--refit-every", "imitates another one"])
        self.taut("distil", "s.taut", self.rows, "--calibrate-with", self.cal, "-o", "t.taut", *FAST)

    def test_what_calibrates_the_student(self):
        done = self.taut("distil", "m.taut", self.rows, "-o", "s.taut", *FAST)
        self.assertIn("not calibrated", done.stderr)
        self.taut("calibrate", "s.taut", self.cal, "-o", "c.taut")
        self.assertAlmostEqual(self.coverage("c.taut"), 0.9, delta=0.08)
        self.taut("distil", "m.taut", self.labelled, "-o", "s.taut", *FAST)
        self.assertEqual(self.taut("info", "s.taut", "--json").json()["rows"]["calibration"], 80)
        done = self.taut("distil", "m.taut", self.train, "-o", "s.taut", *FAST)
        self.assertIn("the teacher has seen rows of", done.stderr)
        self.assertIn("not calibrated", done.stderr)

    def test_what_is_refused(self):
        def refused(code, *arguments, says):
            self.fails(code, "distil", *arguments, "-o", "s.taut", says=says)
            self.assertFalse((self.folder / "s.taut").exists())

        empty = self.write("empty.csv", "x,z,colour\n")
        refused(1, "m.taut", empty, says=["no row"])
        refused(1, "m.taut", self.write("less.csv", "x,z\n1,2\n"), says=["colour"])
        refused(1, "m.taut", self.rows, "--calibrate-with", empty, says=["no row"])
        refused(2, "m.taut", self.rows, "--learn-from", "-1", says=["--learn-from"])
        self.taut("fit", self.train, "--target", "y", *samples.QUICK, "--split", "cv+:3", "-o", "cv.taut")
        refused(2, "cv.taut", self.rows, says=["cv+:3"])
        self.taut("fit", self.train, "--target", "y", *samples.QUICK, "--increasing", "x", "-o", "up.taut")
        refused(2, "up.taut", self.rows, says=["monotone", "--increasing"])
        self.taut("fit", self.write("e.csv", samples.csv([(*row[:3], abs(row[3]), 1) for row in samples.rows(300)], ("x", "z", "colour", "y", "t"))),
                  "--target", "y", *samples.QUICK, "--exposure", "t", "-o", "rate.taut")
        refused(2, "rate.taut", "e.csv", says=["--exposure"])
        self.taut("fit", self.train, "--target", "colour", "--effort", "quick", "-o", "labels.taut")
        refused(1, "labels.taut", self.rows, says=["numbers can be distilled"])


if __name__ == "__main__":
    main()
