// `evaluate --by` flags no group where every guarantee holds, and flags the right group where one does not.
#include <taut/core/random.hpp>
#include <taut/model/coverage_chance.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace taut {
namespace {

constexpr double confidence = 0.9;
constexpr Index groups_of_rows = 40, calibration_rows_of_each = 20, test_rows_of_each = 200;

Index repetitions(Index usual) {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && std::string(asked) == "long" ? 5 * usual : usual;
}

// Forty groups with different noise levels, calibrated by group or all together. In group 3 the noise of the test rows is `wrong`
// times as large.
GroupReport report_of(const std::string& kind, double wrong, Random& random) {
  std::vector<SignedScore> scores;
  RowFacts facts, fresh;
  const auto deviation = [&](Index group) { return kind == "by-group" ? 1 + static_cast<double>(group) : 1; };
  for (Index group = 0; group < groups_of_rows; ++group)
    for (Index i = 0; i < calibration_rows_of_each; ++i) {
      scores.push_back({Side::above, deviation(group) * std::abs(random.normal())});
      facts.groups.push_back(group);
    }
  const auto calibration = calibrations().make(kind);
  calibration->calibrate(CalibrationRows(scores, facts), {.groups = groups_of_rows});
  GroupedTable groups;
  std::vector<Interval> intervals;
  std::vector<double> y;
  for (Index group = 0; group < groups_of_rows; ++group) {
    groups.names.push_back("group " + std::to_string(group));
    for (Index i = 0; i < test_rows_of_each; ++i) {
      groups.of_row.push_back(group);
      fresh.groups.push_back(group);
      y.push_back((group == 3 ? wrong : 1) * deviation(group) * random.normal());
      const double half = calibration->distribution(fresh, std::ssize(y) - 1).quantile(confidence);
      intervals.push_back({-half, half});
    }
  }
  const CoverageChance chance({.calibration = calibration.get(), .rows = std::ssize(y), .facts = fresh});
  return evaluate_groups(groups, evaluate_intervals(intervals, y, confidence), confidence, chance);
}

TEST(GroupReport, FlagsNoGroupForTheRandomnessOfItsCalibrationRowsSlow) {
  for (const std::string kind : {"by-group", "plain"}) {
    Random random(11);
    const Index count = repetitions(300);
    Index flagged = 0, by_binomial = 0;
    for (Index again = 0; again < count; ++again) {
      const GroupReport report = report_of(kind, 1, random);
      flagged += report.below.empty() ? 0 : 1;
      // The naive p-value, which ignores the randomness of the calibration rows.
      Index below = 0;
      for (const GroupLine& line : report.lines)
        below += binomial_cdf(line.covered, line.rows, confidence) <= 0.01 / static_cast<double>(groups_of_rows) ? 1 : 0;
      by_binomial += below > 0 ? 1 : 0;
    }
    std::printf("%s: %ld of %ld files name a group, by binomial p-values %ld\n", kind.c_str(), static_cast<long>(flagged),
                static_cast<long>(count), static_cast<long>(by_binomial));
    EXPECT_GT(1 - binomial_cdf(flagged - 1, count, 0.01), 1e-4) << kind << " " << flagged;
    if (kind == "by-group") {
      EXPECT_GT(by_binomial, count / 2) << "this test notices the mistake";
    }
  }
}

TEST(GroupReport, NamesTheGroupThatIsBelow) {
  for (const std::string kind : {"by-group", "plain"}) {
    Random random(12);
    Index named = 0;
    for (Index again = 0; again < 20; ++again) {
      const GroupReport report = report_of(kind, 5, random);
      named += report.below == std::vector<std::string>{"group 3"} ? 1 : 0;
      if (!report.below.empty()) {
        EXPECT_EQ(report.lines.front().name, "group 3");
      }
    }
    EXPECT_GE(named, 18) << kind;
  }
}

}  // namespace
}  // namespace taut
