#!/usr/bin/env python3
"""Taut from R, through taut.h: the same bits as the command line, and errors of R."""
import csv
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import ROOT, TautTest, main, slow

LIBRARY = pathlib.Path(os.environ.get("TAUT_LIBRARY") or ROOT / "build" / "libtaut.so")
RSCRIPT = shutil.which("Rscript")
SANITIZED = os.environ.get("TAUT_SANITIZED") == "1"

SCRIPT = """
dyn.load("use_taut_from_r.so")
model <- .Call("taut_r_load", "m.taut")
table <- read.csv("d.csv", colClasses = "character", check.names = FALSE, na.strings = c("", "NA"))
cells <- t(as.matrix(table[, .Call("taut_r_columns", model)]))
found <- .Call("taut_r_predict", model, cells, 0.9)
write.table(t(apply(found, 2, function(x) sprintf("%.17g", x))), "r.csv", sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE)
for (call in list(function() .Call("taut_r_load", "nowhere.taut"), function() .Call("taut_r_predict", model, cells[1, , drop = FALSE], 0.9),
                  function() .Call("taut_r_predict", model, cells, 1.5), function() .Call("taut_r_columns", 1)))
  cat(tryCatch({ call(); "no error" }, error = conditionMessage), "\\n")
rm(model); invisible(gc())
"""


@slow  # compiles with R
@unittest.skipIf(SANITIZED, "the sanitizers must be loaded before R")
@unittest.skipIf(RSCRIPT is None, "LEFT OUT: there is no R (`tools/setup r` installs it), so taut.h was not called from it")
class FromR(TautTest):
    def test_r_gets_the_bits_of_the_command_line(self):
        lines = ["a,colour,y"]
        for i in range(300):
            lines.append(f"{'' if i % 11 == 5 else i * 37 % 101 / 10},{'grün' if i % 3 else 'blau'},{i * 37 % 101 / 20 + i % 3 + i * 17 % 13 / 6}")
        self.write("d.csv", "\n".join(lines) + "\n")
        self.taut("fit", "d.csv", "--target", "y", "--predictor", "boost", "--effort", "quick", "-o", "m.taut")
        self.taut("predict", "m.taut", "d.csv", "--confidence", "0.9", "-o", "p.csv")
        shutil.copy(ROOT / "tests" / "c" / "use_taut_from_r.c", self.folder)
        environment = {**os.environ, "PKG_CPPFLAGS": f"-I{ROOT / 'c'}", "PKG_LIBS": f"-L{LIBRARY.parent} -ltaut -Wl,-rpath,{LIBRARY.parent}",
                       "LC_ALL": "C.UTF-8", "R_LIBS_USER": str(self.folder)}
        subprocess.run(["R", "CMD", "SHLIB", "use_taut_from_r.c"], cwd=self.folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        self.write("use.R", SCRIPT)
        done = subprocess.run([RSCRIPT, "--vanilla", "use.R"], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        missing, width, level, handle = done.stdout.splitlines()
        for said, words in [(missing, "nowhere.taut"), (width, "2 columns"), (level, "1.5"), (handle, "no model")]:
            self.assertIn(words, said)
        read = lambda name, skip: [[float(cell) for cell in row] for row in list(csv.reader((self.folder / name).read_text(encoding="utf-8").splitlines()))[skip:]]
        self.assertEqual(read("r.csv", 0), read("p.csv", 1))


if __name__ == "__main__":
    main()
