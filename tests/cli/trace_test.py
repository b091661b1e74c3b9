"""--trace: a file for trace viewers and a text summary; results do not change."""
import json
import re

import samples
from harness import TautTest, main
from samples import QUICK


class Trace(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(600)))

    def trace(self, *command):
        done = self.taut(*command, "--trace", "t.json")
        return json.loads((self.folder / "t.json").read_text()), done.stderr

    def test_a_fit_has_the_same_bytes_and_its_stages_are_in_the_file(self):
        fit = ["fit", "d.csv", "--target", "y", "--predictor", "boost", "--effort", "quick"]
        self.taut(*fit, "-o", "plain.taut")
        for threads in ("1", "2", "5"):
            trace, words = self.trace(*fit, "-o", "traced.taut", "--threads", threads)
            self.assertEqual((self.folder / "plain.taut").read_bytes(), (self.folder / "traced.taut").read_bytes())
            summary = trace["otherData"]
            stages = {stage["stage"]: stage for stage in summary["stages"]}
            for name in ("read", "kinds", "encode", "train f", "train g", "histograms", "split search", "partition", "calibrate", "write"):
                self.assertIn(name, stages)
            self.assertAlmostEqual(sum(stage["processor_s"] for stage in summary["stages"]), summary["processor_s"], delta=1e-4)
            self.assertAlmostEqual(sum(stage["path_s"] for stage in summary["stages"]), summary["least_s"]["16"], delta=1e-4)
            self.assertAlmostEqual(summary["least_s"]["1"], summary["processor_s"], delta=1e-4)
            self.assertLessEqual(summary["alone_s"], summary["least_s"]["16"] + 1e-5)
            for fewer, more in ((1, 2), (2, 4), (4, 8), (8, 16)):
                self.assertLessEqual(summary["speed_up"][str(fewer)], summary["speed_up"][str(more)] + 1e-9)
                self.assertLessEqual(summary["speed_up"][str(more)], more + 1e-6)
            self.assertRegex(words, r"allows [\d.]+ × on 2, [\d.]+ × on 4, [\d.]+ × on 8, [\d.]+ × on 16 threads")

    def test_bars_are_nested_and_name_folds(self):
        trace, _ = self.trace("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", "boost", "--threads", "3")
        bars = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        names = {bar["name"] for bar in bars}
        for fold in range(1, 6):
            self.assertIn(f"train f: boost, fold {fold} of 5", names)
        self.assertTrue(any(re.fullmatch(r"train g: .*, fold 1 of 5", name) for name in names), names)
        named = {event["tid"] for event in trace["traceEvents"] if event["ph"] == "M" and event["name"] == "thread_name"}
        self.assertLessEqual({bar["tid"] for bar in bars}, named)
        self.assertTrue(any(event["ph"] == "C" for event in trace["traceEvents"]))
        for one in bars:  # on one thread two bars are apart, or one is inside the other; times are rounded to 0.1 µs
            for other in bars:
                if one is other or one["tid"] != other["tid"]:
                    continue
                a, b, c, d = one["ts"], one["ts"] + one["dur"], other["ts"], other["ts"] + other["dur"]
                self.assertTrue(b <= c + 1 or d <= a + 1 or (a <= c + 1 and d <= b + 1) or (c <= a + 1 and b <= d + 1), (one, other))

    def test_predict_and_evaluate(self):
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        plain = self.taut("predict", "m.taut", "d.csv").stdout
        trace, _ = self.trace("predict", "m.taut", "d.csv", "-o", "out.csv")
        self.assertEqual((self.folder / "out.csv").read_text(), plain)
        self.assertLessEqual({"read", "write", "encode"}, {stage["stage"] for stage in trace["otherData"]["stages"]})
        trace, words = self.trace("evaluate", "m.taut", "d.csv")
        self.assertIn("processor time", words)
        self.assertGreater(trace["otherData"]["wall_s"], 0)

    def test_a_trace_replaces_no_other_file(self):
        for name in ("d.csv", "m.taut"):
            self.fails(2, "fit", "d.csv", "--target", "y", "-o", "m.taut", "--trace", name, says=["--trace", name])
        self.fails(1, "fit", "d.csv", "--target", "y", "-o", "m.taut", "--trace", "nowhere/t.json", says=["nowhere/t.json"])
        self.assertFalse((self.folder / "m.taut").exists())

    def test_a_fit_that_fails_leaves_no_trace(self):
        self.fails(1, "fit", "d.csv", "--target", "price", "-o", "m.taut", "--trace", "t.json", says=["'price'"])
        self.assertFalse((self.folder / "t.json").exists())


if __name__ == "__main__":
    main()
