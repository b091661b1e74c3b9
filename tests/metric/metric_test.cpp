#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace taut {
namespace {

struct Case {
  std::vector<Interval> intervals;
  std::vector<double> y;
  MatrixF x;
};

Case usual(Index n) {
  Random random(21);
  Case rows{{}, {}, MatrixF(n, 3)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 3; ++j) rows.x(i, j) = static_cast<float>(random.normal());
    const double centre = random.normal(), half = 1.645 * std::exp(0.3 * random.normal());
    rows.intervals.push_back({centre - half, centre + half});
    rows.y.push_back(centre + random.normal());
  }
  return rows;
}

Case with_sets(Case rows, Interval interval) {
  std::fill(rows.intervals.begin(), rows.intervals.end(), interval);
  return rows;
}

Case tied(Case rows) {
  rows.x.setOnes();
  return with_sets(rows, {-1, 1});
}

Case mixed(Case rows) {
  rows.intervals[0] = {};
  rows.intervals[1] = {0, infinity};
  rows.intervals[2] = {1, -1};
  rows.intervals[3] = {infinity, -infinity};
  rows.intervals[4] = {missing, missing};
  return rows;
}

Judged judged(const Case& rows, const Inputs* x) {
  return {.intervals = rows.intervals,
          .y = rows.y,
          .confidence = .9,
          .x = x,
          .calibration_rows = 99,
          .rank = 90,
          .seed = 5,
          .threads = 1};
}

TEST(Metrics, AreDefinedOrNotButNeverFail) {
  const Interval crossed{1, -1}, nothing{infinity, -infinity};
  const std::map<std::string, Case> cases{{"usual", usual(400)},
                                          {"all infinite", with_sets(usual(100), {})},
                                          {"all empty", with_sets(usual(100), crossed)},
                                          {"all empty, infinite ends", with_sets(usual(100), nothing)},
                                          {"one row", usual(1)},
                                          {"two rows", usual(2)},
                                          {"no rows", usual(0)},
                                          {"ties", tied(usual(100))},
                                          {"mixed", mixed(usual(100))}};
  for (const auto& entry : metrics().entries()) {
    const auto metric = metrics().make(entry.example);
    for (const auto& [name, rows] : cases) {
      const Inputs x = rows.x;
      const double with_inputs = metric->value(judged(rows, &x)), without = metric->value(judged(rows, nullptr));
      // Widths and interval scores are infinite for infinite sets, and interval scores for empty sets.
      const bool may_be_infinite = entry.name == "mean_width" || entry.name == "median_width" || entry.name == "interval_score";
      const bool has_such_sets = name == "all infinite" || name == "mixed" || name == "all empty, infinite ends";
      EXPECT_TRUE(!std::isinf(with_inputs) || (may_be_infinite && has_such_sets)) << entry.name << ", " << name;
      if (name == "all infinite") {
        EXPECT_EQ(std::isinf(with_inputs), may_be_infinite) << entry.name;
      }
      EXPECT_TRUE(std::isfinite(with_inputs) || name != "usual") << entry.name;
      EXPECT_TRUE(metric->needs_inputs() ? std::isnan(without) : without == with_inputs || std::isnan(with_inputs))
          << entry.name << ", " << name;
    }
  }
}

TEST(Metrics, AreTheSameForAnyNumberOfThreads) {
  const Case rows = usual(1000);
  const Inputs x = rows.x;
  for (const auto& entry : metrics().entries()) {
    const auto metric = metrics().make(entry.example);
    Judged one = judged(rows, &x), two = one;
    two.threads = 2;
    EXPECT_EQ(metric->value(one), metric->value(two)) << entry.name;
  }
}

// Rescaling the target rescales metrics in the unit of the target and leaves the others.
TEST(Metrics, ScaleWithTheirUnits) {
  const Case rows = usual(500);
  Case scaled = rows;
  for (auto& interval : scaled.intervals) interval = {1024 * interval.lower, 1024 * interval.upper};
  for (double& y : scaled.y) y *= 1024;
  const Inputs x = rows.x;
  for (const auto& entry : metrics().entries()) {
    const auto metric = metrics().make(entry.example);
    const bool has_unit = entry.name == "mean_width" || entry.name == "median_width" || entry.name == "interval_score";
    const double value = metric->value(judged(rows, &x));
    EXPECT_DOUBLE_EQ(metric->value(judged(scaled, &x)), has_unit ? 1024 * value : value) << entry.name;
  }
}

TEST(Metrics, HaveTheNamesOfEvaluate) {
  const std::vector<std::string> expected{"coverage",
                                          "coverage_low",
                                          "coverage_high",
                                          "unbounded",
                                          "mean_width",
                                          "median_width",
                                          "interval_score",
                                          "empty",
                                          "infinite",
                                          "worst_slab_coverage",
                                          "size_stratified_coverage",
                                          "ert",
                                          "hsic"};
  EXPECT_EQ(metrics().names(), expected);
}

TEST(Metrics, BandIsThatOfRowsAndRank) {
  const Case rows = usual(5);
  const Judged all = judged(rows, nullptr);
  const double low = metrics().make("coverage_low")->value(all), high = metrics().make("coverage_high")->value(all);
  EXPECT_EQ(low, coverage_band(5, 99, 90).low);
  EXPECT_EQ(high, coverage_band(5, 99, 90).high);
  EXPECT_LT(low, high);
}

}  // namespace
}  // namespace taut
