"""Mistakes that the tests of the guarantee must notice, and none, which they must accept.

    faults.py list                  names, one per line
    faults.py check ROOT            the list has what the library asks for, and nothing else
    faults.py judge NAME PROGRAM    runs the tests with this mistake: they must fail, and by the test that is there for it

A mistake is a place in the library that asks `fault("NAME")` (taut/core/fault.hpp). The program is compiled with TAUT_FAULTS and makes the one that
TAUT_FAULT names.
"""
import os
import pathlib
import re
import subprocess
import sys

SETS = "Sets.HoldTheLabelExactlyAsOftenAsPromised"
LAW = "Combinations.CoverageFollowsItsLaw"
LEAK = "All/Leak.CalibrationRowsDoNothingElse/"
QUESTIONS = "Questions.BoundsTailsAndQuantilesFollowTheirLaw"
UNIFORM = "Questions.SmoothedPValuesAreUniformWithTiesZerosAndSteps"
KINDS = "All/KindsLeak.WhatCalibrationRowsHoldDecidesNothing/"
SPLITS = "Combinations.*:Questions.*:*Leak.*"

# name: the tests that run, for all of them take long, and none of those called ...Slow; those that must fail
FAULTS = {
    "none": (SPLITS, []),
    "rank-above": ("Combinations.*", [LAW]),
    "rank-below": ("Combinations.*", [LAW]),
    "training-rows-cross": (SPLITS, [LAW, LEAK + "cross"]),
    "training-rows-shares": (SPLITS, [LAW, LEAK + "shares"]),
    "leaked-row-cross": (SPLITS, [LEAK + "cross", LEAK + "given"]),
    "leaked-row-shares": (SPLITS, [LEAK + "shares", LEAK + "given_shares"]),
    "calibration-rows-choose": (SPLITS, [KINDS + "cross", KINDS + "shares", KINDS + "given"]),
    "upper-bound-above": ("Questions.*", [QUESTIONS]),
    "upper-bound-below": ("Questions.*", [QUESTIONS]),
    "lower-bound-above": ("Questions.*", [QUESTIONS]),
    "lower-bound-below": ("Questions.*", [QUESTIONS]),
    "wrong-side": ("Questions.*", [UNIFORM]),
    "tail-not-halved": ("Questions.*", [QUESTIONS]),
    "ties-counted-whole": ("Questions.*", [UNIFORM]),
    "another-group": ("GroupLaws.*", ["GroupLaws.EachGroupFollowsItsBetaLaw"]),
    "own-weight-forgotten": ("GroupLaws.*", ["GroupLaws.KnownWeightsCoverUnderShift"]),
    "anchor-not-drawn": ("GroupLaws.*", ["GroupLaws.NeighboursOfADrawnAnchorCover"]),
    "rows-count-instead-of-groups": ("GroupLaws.*", ["GroupLaws.NewGroupsAreCoveredWhenEachCountsOnce"]),
    "set-of-another-label": ("Sets.*", [SETS]),
    "label-law-of-all": ("Sets.*", [SETS]),
    "set-without-its-end": ("Sets.*", ["Sets.TiesNeverCostCoverage"]),
    "shift-not-calibrated": ("Sets.*", [SETS]),
    "groups-torn-apart": ("GroupLaws.*", ["GroupLaws.NewGroupsAreCoveredWhenSplitsKeepThemTogether"]),
    "sure-rank-below": ("Sure.*", ["Sure.CoverageFollowsTheBetaDistributionOfItsRank", "Sure.HoldsForEveryQuestionOfAModel", "Sure.HoldsInAllGroupsAtOnce"]),
    "sure-rank-above": ("Sure.*", ["Sure.CoverageFollowsTheBetaDistributionOfItsRank"]),
    "sure-of-each-tail-alone": ("Sure.*", ["Sure.HoldsForEveryQuestionOfAModel"]),
    "sure-of-each-group-alone": ("Sure.*", ["Sure.HoldsInAllGroupsAtOnce"]),
}


def check(root):
    asked = {name for file in (pathlib.Path(root) / "taut").rglob("*.cpp") for name in re.findall(r'fault\("([a-z-]+)"\)', file.read_text(encoding="utf-8"))}
    if asked != FAULTS.keys() - {"none"}:
        sys.exit(f"faults.py: listed or asked for, but not both: {sorted(asked ^ (FAULTS.keys() - {'none'}))}")


def judge(name, program):
    tests, objecting = FAULTS[name]
    done = subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={tests}-*Slow*"], capture_output=True, text=True,
                          env={**os.environ, "TAUT_VALIDATE": "brief", "TAUT_FAULT": name}, check=False)
    failed = set(re.findall(r"^\[  FAILED  \] (\S+?),? ", done.stdout, re.MULTILINE))
    missed = [test for test in objecting if test not in failed]
    if done.returncode != (1 if objecting else 0) or missed:
        sys.exit(f"faults.py: {name}: exit {done.returncode}; these did not object: {missed}\n{done.stdout}{done.stderr}")
    print(f"{name}: {'refused by ' + ', '.join(sorted(failed)) if failed else 'accepted'}")


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join(FAULTS))
    else:
        {"check": check, "judge": judge}[sys.argv[1]](*sys.argv[2:])
