"""The same data, options and seed give the same bytes of the model file and of its predictions, for any number of threads.
`make sanitize` compares two builds of one source (sums.cpp)."""
import hashlib
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import samples  # noqa: E402
from harness import PROGRAM, TautTest, main, slow  # noqa: E402

THREADS = [1, 2, 3, 8]
TINY = ["--hidden", "8,8", "--epochs", "4"]
FITS = {
    "by default": [],
    "one level": ["--predictor", "linear", "--focus", "0.9"],
    "classes that compete": ["--predictor", "linear", "--transform", "auto", "--epochs", "5", "--split", "0.2,0.2,0.2,0.4"],
    "knn and trees": ["--predictor", "knn"],
    "network": ["--predictor", "linear", "--localizer", "mlp", *TINY],
    "network of many rows": ["--predictor", "linear", "--localizer", "mlp", *TINY, "--batch", "1000"],
    "network of two sides": ["--predictor", "linear", "--localizer", "mlp", *TINY, "--sides", "two", "--transform", "shift"],
    "one width": ["--predictor", "linear", "--localizer", "none"],
    "constant": ["--predictor", "knn", "--localizer", "constant"],
    "shares": ["--predictor", "boost", "--effort", "quick", "--split", "0.4,0.2,0.2,0.2"],
}


class SameBytes(TautTest):
    def sums(self, program, options, threads):
        """Checksums of the model, of the model after calibrate, and of its predictions."""
        def taut(*arguments):
            subprocess.run([program, *arguments, "--threads", str(threads)], cwd=self.folder, check=True, capture_output=True)
        taut("fit", "d.csv", "--target", "y", "--seed", "5", *options, "-o", "m.taut")
        taut("calibrate", "m.taut", "d.csv", "-o", "again.taut")
        taut("predict", "m.taut", "d.csv", "--confidence", "0.5,0.9", "-o", "out.csv")
        return [hashlib.sha256((self.folder / name).read_bytes()).hexdigest() for name in ("m.taut", "again.taut", "out.csv")]

    def check(self, rows, of_the_default, numbers):
        for name, options in FITS.items():
            with self.subTest(name):
                self.write("d.csv", samples.csv(samples.rows(of_the_default if name == "by default" else rows)))
                one, *others = (self.sums(PROGRAM, options, threads) for threads in numbers)
                for threads, other in zip(numbers[1:], others):
                    self.assertEqual(other, one, f"{threads} threads")

    def test_one_and_three_threads(self):
        self.check(1300, 300, [1, 3])  # more than a batch of 1,000; the default trains six predictors

    @slow
    def test_any_number_of_threads(self):
        self.check(3000, 3000, THREADS)

    def test_another_rate_gives_other_bytes(self):
        """Shows that the checksums above can differ."""
        self.write("d.csv", samples.csv(samples.rows(600)))
        before = self.sums(PROGRAM, FITS["network"], 1)
        self.assertNotEqual(self.sums(PROGRAM, [*FITS["network"], "--rate", "0.02"], 1), before)


if __name__ == "__main__":
    main()
