"""Injected faults that the tests of the guarantee must detect, and `none`, which they must accept.

    faults.py list                  names, one per line
    faults.py check ROOT            checks that the list has exactly the faults of the library
    faults.py judge NAME PROGRAM    runs the tests with this fault: the listed tests must fail

A fault is a place in the library that calls `fault("NAME")` (taut/core/fault.hpp). The program is compiled with TAUT_FAULTS; the variable TAUT_FAULT
activates one fault.
"""
import os
import pathlib
import re
import subprocess
import sys

SETS = "Sets.HoldTheLabelExactlyAsOftenAsPromised"
DISTRIBUTION = "Combinations.CoverageFollowsItsDistribution"
LEAK = "All/Leak.CalibrationRowsDoNothingElse/"
QUESTIONS = "Questions.BoundsTailsAndQuantilesFollowTheirDistribution"
UNIFORM = "Questions.SmoothedPValuesAreUniformWithTiesZerosAndSteps"
KINDS = "All/KindsLeak.WhatCalibrationRowsHoldDecidesNothing/"

# name: the tests that must fail
FAULTS = {
    "none": [],
    "rank-above": [DISTRIBUTION],
    "rank-below": [DISTRIBUTION],
    "training-rows-cross": [DISTRIBUTION, LEAK + "cross"],
    "training-rows-shares": [DISTRIBUTION, LEAK + "shares"],
    "leaked-row-cross": [LEAK + "cross", LEAK + "given"],
    "leaked-row-shares": [LEAK + "shares", LEAK + "given_shares"],
    "calibration-rows-choose": [KINDS + "cross", KINDS + "shares", KINDS + "given"],
    "upper-bound-above": [QUESTIONS],
    "upper-bound-below": [QUESTIONS],
    "lower-bound-above": [QUESTIONS],
    "lower-bound-below": [QUESTIONS],
    "wrong-side": [UNIFORM],
    "tail-not-halved": [QUESTIONS],
    "ties-counted-whole": [UNIFORM],
    "targets-below-the-scale-excluded": ["ScoreScales.CoverTargetsUpToZeroThatTrainingNeverSaw"],
    "given-edge-excluded": ["GivenDistributions.TiesAtQuantilesNeverCostCoverage"],
    "another-group": ["GroupDistributions.EachGroupFollowsItsBetaDistribution"],
    "own-weight-forgotten": ["GroupDistributions.KnownWeightsCoverUnderShift"],
    "anchor-not-drawn": ["GroupDistributions.NeighboursOfARandomAnchorCover"],
    "rows-count-instead-of-groups": ["GroupDistributions.NewGroupsAreCoveredWhenEachCountsOnce"],
    "set-of-another-label": [SETS],
    "exact-set-completed": [SETS],
    "label-scores-of-all": [SETS],
    "set-without-its-end": ["Sets.TiesNeverCostCoverage"],
    "shift-not-calibrated": [SETS],
    "groups-torn-apart": ["GroupDistributions.NewGroupsAreCoveredWhenSplitsKeepThemTogether"],
    "sure-rank-below": ["Sure.CoverageFollowsTheBetaDistributionOfItsRank", "Sure.HoldsForEveryQuestionOfAModel", "Sure.HoldsInAllGroupsAtOnce"],
    "sure-rank-above": ["Sure.CoverageFollowsTheBetaDistributionOfItsRank"],
    "sure-of-each-tail-alone": ["Sure.HoldsForEveryQuestionOfAModel"],
    "sure-of-each-group-alone": ["Sure.HoldsInAllGroupsAtOnce"],
    "box-of-first-target": ["JointRegions.CoverageOfFreshCalibrationsFollowsItsDistribution"],
    "region-sees-calibration-rows": ["JointRegions.CoverageOfFitsFollowsItsDistribution"],
    "largest-instead-of-each": ["JointRegions.IntervalsOfEachTargetFollowTheirDistribution"],
}


def check(root):
    asked = {name for file in (pathlib.Path(root) / "taut").rglob("*.cpp") for name in re.findall(r'fault\("([a-z-]+)"\)', file.read_text(encoding="utf-8"))}
    if asked != FAULTS.keys() - {"none"}:
        sys.exit(f"faults.py: listed here or used in taut/, but not both: {sorted(asked ^ (FAULTS.keys() - {'none'}))}")


def judge(name, program):
    objecting = FAULTS[name]
    tests = objecting or sorted({test for listed in FAULTS.values() for test in listed})  # all of them accept a library without a fault
    done = subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={':'.join(tests)}"], capture_output=True, text=True,
                          env={**os.environ, "TAUT_VALIDATE": "brief", "TAUT_FAULT": name}, check=False)
    failed = set(re.findall(r"^\[  FAILED  \] (\S+?),? ", done.stdout, re.MULTILINE))
    missed = [test for test in objecting if test not in failed]
    if done.returncode != (1 if objecting else 0) or missed:
        sys.exit(f"faults.py: {name}: exit {done.returncode}; these tests did not fail: {missed}\n{done.stdout}{done.stderr}")
    print(f"{name}: {'detected by ' + ', '.join(sorted(failed)) if failed else 'accepted'}")


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join(FAULTS))
    else:
        {"check": check, "judge": judge}[sys.argv[1]](*sys.argv[2:])
