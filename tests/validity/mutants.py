"""Programs with a mistake built in, which the tests of validity must refuse; and one without, which they must not.

    mutants.py list                       names, one per line
    mutants.py write NAME ROOT OUTPUT     the source file of a mutant, with its mistake
    mutants.py source NAME                which file of ours it changes
    mutants.py judge NAME PROGRAM         runs the tests of a mutant: they must fail, and by the test that is there for it

A mistake is a change of text that must be found exactly once, so that a mutant cannot quietly stop being one.
"""
import os
import pathlib
import re
import subprocess
import sys

RANK = "taut/calibrate/rank.cpp"
PLAN = "taut/plan/row_plan.cpp"
LAWS = "taut/calibrate/law.cpp"
CALIBRATE = "taut/model/calibrate.cpp"
ROW = "taut/calibrate/row_law.cpp"
BY_GROUP = "taut/calibrate/group_calibrations.cpp"
WEIGHTED = "taut/calibrate/weighted_calibrations.cpp"
LOCAL = "taut/calibrate/weighted_calibrations.cpp"
HIERARCHICAL = "taut/calibrate/group_calibrations.cpp"
LABELS = "taut/task/label/predict.cpp"
SETS = "Sets.HoldTheLabelExactlyAsOftenAsPromised"
LAW = "Combinations.CoverageFollowsItsLaw"
LEAK = "All/Leak.CalibrationRowsDoNothingElse/"
QUESTIONS = "Questions.BoundsTailsAndQuantilesFollowTheirLaw"
UNIFORM = "Questions.SmoothedPValuesAreUniformWithTiesZerosAndSteps"
KINDS = "All/KindsLeak.WhatCalibrationRowsHoldDecidesNothing/"

# name: file, text, what stands there instead, tests that must fail
MUTANTS = {
    "no-mistake": (PLAN, "plan.calibration = std::move(cut[1]);", "plan.calibration = std::move(cut[1]);", []),
    "rank-above": (RANK, "const auto k = std::max<Index>(1, static_cast<Index>(rank));",
                   "const auto k = std::max<Index>(1, static_cast<Index>(rank) + 1);", [LAW]),
    "rank-below": (RANK, "const auto k = std::max<Index>(1, static_cast<Index>(rank));",
                   "const auto k = std::max<Index>(1, static_cast<Index>(rank) - 1);", [LAW]),
    "training-rows-cross": (PLAN, "plan.calibration = std::move(cut[1]);", "plan.calibration = cut[0];", [LAW, LEAK + "cross"]),
    "training-rows-shares": (PLAN, "plan.predictor = std::move(cut[0]);",
                             "plan.predictor = cut[0]; if (!cut[0].empty()) cut[3] = cut[0];", [LAW, LEAK + "shares"]),
    "leaked-row-cross": (PLAN, "plan.calibration = std::move(cut[1]);",
                         "plan.calibration = std::move(cut[1]); if (held > 0) plan.calibration.front() = cut[0].front();",
                         [LEAK + "cross", LEAK + "given"]),
    "leaked-row-shares": (PLAN, "plan.calibration = std::move(cut[3]);",
                          "plan.calibration = std::move(cut[3]); if (!calibration_elsewhere) plan.calibration.front() = cut[2].front();",
                          [LEAK + "shares", LEAK + "given_shares"]),
    "calibration-rows-choose": (PLAN, "Rows rows = predictor;",
                                "Rows rows = predictor; rows.insert(rows.end(), calibration.begin(), calibration.end());",
                                [KINDS + "cross", KINDS + "shares", KINDS + "given"]),
    "upper-bound-above": (LAWS, "return by_t().at_rank(std::max<Index>(1, k));", "return by_t().at_rank(std::min(rows(), k + 1));",
                          [QUESTIONS]),
    "upper-bound-below": (LAWS, "return by_t().at_rank(std::max<Index>(1, k));", "return by_t().at_rank(std::max<Index>(1, k - 1));",
                          [QUESTIONS]),
    "lower-bound-above": (LAWS, "return by_t().at_rank(rows() + 1 - k);", "return by_t().at_rank(std::min(rows(), rows() + 2 - k));",
                          [QUESTIONS]),
    "lower-bound-below": (LAWS, "return by_t().at_rank(rows() + 1 - k);", "return by_t().at_rank(std::max<Index>(1, rows() - k));",
                          [QUESTIONS]),
    "wrong-side": (LAWS, "result.push_back({sides[i], scores[i]});",
                   "result.push_back({sides[i] == Side::below ? Side::above : Side::below, scores[i]});", [UNIFORM]),
    "tail-not-halved": (ROW, "return 0.5 + 0.5 * confidence;", "return confidence;", [QUESTIONS]),
    "ties-counted-whole": (ROW, "return (beyond + uniform * (equal + own)) / all;", "return (beyond + equal + uniform * own) / all;",
                           [UNIFORM]),
    "another-group": (BY_GROUP, "return group == RowFacts::no_group ? other_ : laws_.at(static_cast<std::size_t>(group));",
                      "return group == RowFacts::no_group ? other_ : laws_.back();", ["GroupLaws.EachGroupFollowsItsBetaLaw"]),
    "own-weight-forgotten": (WEIGHTED, "return law_.with_own_weight(facts.weights.at(static_cast<std::size_t>(row)));",
                             "return law_.with_own_weight(0 * facts.weights.at(static_cast<std::size_t>(row)));",
                             ["GroupLaws.KnownWeightsCoverUnderShift"]),
    "anchor-not-drawn": (LOCAL, "point[k] + reach * (2 * random.uniform() - 1)", "point[k] + 0 * random.uniform()",
                         ["GroupLaws.NeighboursOfADrawnAnchorCover"]),
    "rows-count-instead-of-groups": (HIERARCHICAL, "weights.push_back(1 / sizes[static_cast<std::size_t>(group)]);",
                                     "weights.push_back(sizes[static_cast<std::size_t>(group)] > 0 ? 1 : 0);",
                                     ["GroupLaws.NewGroupsAreCoveredWhenEachCountsOnce"]),
    "set-of-another-label": (LABELS, "return {Side::above, all[static_cast<std::size_t>(label)]};",
                             "return {Side::above, *std::min_element(all.begin(), all.end())};", [SETS]),
    "label-law-of-all": (CALIBRATE, "return calibration ? calibration->law({.groups = {value}}, 0) : law;",
                         "return calibration && value < 0 ? calibration->law({.groups = {value}}, 0) : law;", [SETS]),
    # Without ties nothing lies at the end itself.
    "set-without-its-end": (LABELS, "scores[k] <= q ? 1 : 0", "scores[k] < q ? 1 : 0", ["Sets.TiesNeverCostCoverage"]),
    "shift-not-calibrated": (LABELS, "  scores(i, uniform, all);", "  task_.scores(probabilities(i), 0, uniform, all);", [SETS]),
    "groups-torn-apart": (PLAN, "const Expansion expand(groups);",
                          "const Expansion expand(all_rows(std::ssize(groups)));",
                          ["GroupLaws.NewGroupsAreCoveredWhenSplitsKeepThemTogether"]),
    "sure-rank-below": (RANK, "return low;", "return std::max<Index>(1, low - 1);",
                        ["Sure.CoverageFollowsTheBetaDistributionOfItsRank", "Sure.HoldsForEveryQuestionOfAModel",
                         "Sure.HoldsInAllGroupsAtOnce"]),
    "sure-rank-above": (RANK, "return low;", "return std::min(n + 1, low + 1);", ["Sure.CoverageFollowsTheBetaDistributionOfItsRank"]),
    "sure-of-each-tail-alone": (ROW, "return {lower(tail, 2), upper(tail, 2)};", "return {lower(tail, 1), upper(tail, 1)};",
                                ["Sure.HoldsForEveryQuestionOfAModel"]),
    "sure-of-each-group-alone": (CALIBRATE, "by_value ? target_values : kind == CalibrationKind::by_group ? settings.groups : 1",
                                 "by_value ? target_values : 1", ["Sure.HoldsInAllGroupsAtOnce"]),
}


def write(name, root, output):
    path, text, instead, _ = MUTANTS[name]
    source = (pathlib.Path(root) / path).read_text(encoding="utf-8")
    if source.count(text) != 1:
        sys.exit(f"mutants.py: {name}: {path} holds {source.count(text)} times, not once: {text}")
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(source.replace(text, instead), encoding="utf-8")


def judge(name, program):
    # Questions take a second or two, all combinations much longer: each mutant runs the tests that are about its file.
    tests = {LAWS: "Questions.*", ROW: "Questions.*", RANK: "Combinations.*", BY_GROUP: "GroupLaws.*",
             WEIGHTED: "GroupLaws.*", LOCAL: "GroupLaws.*", HIERARCHICAL: "GroupLaws.*"}.get(MUTANTS[name][0],
                                                                                            "Combinations.*:Questions.*:*Leak.*")
    suites = {test.split(".")[0] for test in MUTANTS[name][3]}
    if suites and suites <= {"GroupLaws", "Sets", "Sure"}:
        tests = ":".join(f"{suite}.*" for suite in sorted(suites))
    done = subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={tests}"], capture_output=True, text=True,
                          env={**os.environ, "TAUT_VALIDATE": "brief"}, check=False)
    failed = set(re.findall(r"^\[  FAILED  \] (\S+?),? ", done.stdout, re.MULTILINE))
    missed = [test for test in MUTANTS[name][3] if test not in failed]
    expected = 1 if MUTANTS[name][3] else 0
    if done.returncode != expected or missed:
        sys.exit(f"mutants.py: {name}: exit {done.returncode}; these did not object: {missed}\n{done.stdout}{done.stderr}")
    print(f"{name}: {'refused by ' + ', '.join(sorted(failed)) if failed else 'accepted'}")


def main(verb, *arguments):
    if verb == "list":
        print("\n".join(MUTANTS))
    elif verb == "source":
        print(MUTANTS[arguments[0]][0])
    elif verb == "write":
        write(*arguments)
    else:
        judge(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
