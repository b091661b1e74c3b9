// The coverage that is promised before anything is fitted, against simulations and against the row plan itself.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/explain/learning_curve.hpp>
#include <taut/explain/row_budget.hpp>
#include <taut/plan/row_plan.hpp>
#include <tests/support/toy_task.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

TEST(RowBudget, CountsTheCalibrationRowsThatThePlanHas) {
  FitOptions cross, shares, three;
  shares.split = "0.4,0.3,0.1,0.2";
  three.split = "0.35,0.25,0.1,0.15";
  for (const FitOptions& options : {cross, shares, three})
    for (Index rows = 130; rows < 700; rows += 7)
      EXPECT_EQ(count_calibration_rows(rows, options), std::ssize(plan_rows(rows, options, true, false, "t").calibration))
          << rows;
  for (Index rows = 4; rows < 130; ++rows)
    EXPECT_EQ(count_calibration_rows(rows, cross), std::ssize(plan_rows(rows, cross, true, false, "t").calibration)) << rows;
}

// Uniform scores: the coverage of a quantile is the quantile itself.
TEST(RowBudget, BandsHoldAsOftenAsTheySay) {
  Random random(1);
  for (const double probability : {0.9, 0.99})
    for (const Index rows : {200, 1000}) {
      const BudgetQuestion question{.levels = {0.8, 0.95}, .probability = probability};
      const RowBudget budget = row_budget(rows, question);
      constexpr int repeats = 4000;
      std::vector<int> inside(budget.levels.size());
      std::vector<double> mean(budget.levels.size());
      for (int r = 0; r < repeats; ++r) {
        std::vector<double> scores(static_cast<std::size_t>(budget.calibration_rows));
        for (double& score : scores) score = random.uniform();
        std::sort(scores.begin(), scores.end());
        for (std::size_t level = 0; level < budget.levels.size(); ++level) {
          const double coverage = scores[static_cast<std::size_t>(budget.levels[level].rank - 1)];
          mean[level] += coverage / repeats;
          inside[level] += budget.levels[level].band.low <= coverage && coverage <= budget.levels[level].band.high ? 1 : 0;
        }
      }
      for (std::size_t level = 0; level < budget.levels.size(); ++level) {
        EXPECT_NEAR(inside[level] / static_cast<double>(repeats), probability,
                    4 * std::sqrt(probability * (1 - probability) / repeats));
        EXPECT_NEAR(mean[level], budget.levels[level].delivered, 0.002);
      }
    }
}

TEST(RowBudget, TestRowsWidenTheBandAsTheyShould) {
  Random random(2);
  const BudgetQuestion question{.levels = {0.9}, .probability = 0.95, .test_rows = 100};
  const RowBudget budget = row_budget(500, question);
  int inside = 0;
  constexpr int repeats = 4000;
  for (int r = 0; r < repeats; ++r) {
    std::vector<double> scores(static_cast<std::size_t>(budget.calibration_rows));
    for (double& score : scores) score = random.uniform();
    std::nth_element(scores.begin(), scores.begin() + budget.levels[0].rank - 1, scores.end());
    const double quantile = scores[static_cast<std::size_t>(budget.levels[0].rank - 1)];
    int covered = 0;
    for (int i = 0; i < 100; ++i) covered += random.uniform() <= quantile ? 1 : 0;
    inside += budget.levels[0].band.low <= covered / 100.0 && covered / 100.0 <= budget.levels[0].band.high ? 1 : 0;
  }
  EXPECT_GE(inside, 0.95 * repeats - 4 * std::sqrt(0.05 * 0.95 * repeats));
}

TEST(RowBudget, MinRowsAreMinimal) {
  for (const double level : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    const Index minimum = min_rows(level, {});
    const auto is_infinite = [&](Index rows) {
      const RowBudget budget = row_budget(rows, {.levels = {level}});
      return budget.levels[0].rank > budget.calibration_rows;
    };
    EXPECT_FALSE(is_infinite(minimum)) << level;
    EXPECT_TRUE(is_infinite(minimum - 1)) << level;
  }
}

TEST(PowerLaws, FindTheCurveThatMadeThePoints) {
  std::vector<CurvePoint> points;
  for (const double rows : {500.0, 1000.0, 2000.0, 4000.0}) points.push_back({rows, 2 + 40 * std::pow(rows, -0.5), 0.004});
  const Extrapolated ahead = PowerLaws(points, 0, 1).at(16000, 0.9);
  const double truth = 2 + 40 * std::pow(16000, -0.5);
  EXPECT_LT(ahead.low, truth);
  EXPECT_GT(ahead.high, truth);
  EXPECT_NEAR(ahead.value, truth, 0.06);
}

TEST(PowerLaws, BandsHoldOnNoisyPoints) {
  Random random(3);
  int inside = 0;
  constexpr int repeats = 300;
  for (int r = 0; r < repeats; ++r) {
    const double a = random.uniform(0.5, 2), b = random.uniform(5, 60), c = random.uniform(0.3, 0.9), error = 0.02;
    const auto value = [&](double rows) { return a + b * std::pow(rows, -c); };
    std::vector<CurvePoint> points;
    for (const double rows : {500.0, 1000.0, 2000.0, 4000.0})
      points.push_back({rows, value(rows) * (1 + error * random.normal()), error * value(rows)});
    const Extrapolated ahead = PowerLaws(points, 0, static_cast<std::uint64_t>(r)).at(8000, 0.9);
    inside += ahead.low <= value(8000) && value(8000) <= ahead.high ? 1 : 0;
  }
  EXPECT_GE(inside, 0.85 * repeats);
}

// A task without a size of regions has no learning curve.
TEST(LearningCurve, NeedsTheSizeOfRegions) {
  tasks().push_back(testing::toy_entry());
  Random random(5);
  Table table;
  table.columns = {{"a"}, {"y"}};
  table.values.resize(900, 2);
  for (Index i = 0; i < table.rows(); ++i) table.values.row(i) << random.normal(), random.normal();
  LearningCurveOptions options;
  options.fit.target = "y";
  options.task.name = "toy";
  options.repeats = 2;
  options.parts = 2;
  EXPECT_THROW(learning_curve(table, options, {}), Error);
  tasks().pop_back();
}

TEST(LearningCurve, FallsWhereThereIsMuchToLearn) {
  Random random(4);
  Table table;
  table.columns = {{"a"}, {"b"}, {"y"}};
  table.values.resize(1200, 3);
  for (Index i = 0; i < table.rows(); ++i) {
    const double a = random.uniform(-3, 3), b = random.uniform(-3, 3);
    table.values.row(i) << a, b, std::sin(2 * a) * b + 0.1 * random.normal();
  }
  LearningCurveOptions options;
  options.fit.target = "y";
  options.fit.effort = "quick";
  options.fit.predictor = "boost";
  options.repeats = 2;
  options.parts = 3;
  const LearningCurve curve = learning_curve(table, options, {});
  ASSERT_EQ(curve.levels.size(), 1U);
  const LevelCurve& level = curve.levels.front();
  ASSERT_EQ(level.found.size(), 3U);
  EXPECT_EQ(level.found.back().rows, 960);
  EXPECT_GT(level.found.front().score, level.found.back().score);
  for (std::size_t i = 1; i < level.scores.size(); ++i) EXPECT_LE(level.scores[i].value, level.scores[i - 1].value);
  options.levels = {0.999};
  EXPECT_THROW(learning_curve(table, options, {}), Error);
}

// Groups of six identical rows, in time order with a random walk. A split that tears groups apart, or trains on the future, would
// predict them well.
TEST(LearningCurve, KeepsGroupsTogetherAndTheOrderOfTime) {
  Random random(8);
  Table table;
  table.columns = {{"x"}, {"t"}, {"g"}, {"y"}};
  table.values.resize(900, 4);
  double x = 0, y = 0;
  for (Index i = 0; i < table.rows(); ++i) {
    if (i % 6 == 0) {
      x = random.normal();
      y += random.normal();
    }
    table.values.row(i) << x, static_cast<double>(i), static_cast<double>(i / 6), y;
  }
  LearningCurveOptions options;
  options.fit.target = "y";
  options.fit.predictor = "knn";
  options.fit.transform = "fixed";
  options.fit.localizer = "none";
  options.fit.drop = {"g"};
  options.repeats = 2;
  options.parts = 2;
  options.levels = {0.8};
  const LearningCurve shuffled = learning_curve(table, options, {});
  options.fit.order_by = "t";
  const LearningCurve in_time = learning_curve(table, options, {});
  EXPECT_TRUE(in_time.in_time);
  EXPECT_GT(in_time.levels[0].found.back().score, 3 * shuffled.levels[0].found.back().score);
  options.fit.order_by.clear();
  options.fit.drop = {"t"};
  options.fit.keep_together = "g";
  const LearningCurve groups = learning_curve(table, options, {});
  EXPECT_EQ(groups.groups, 150);
  EXPECT_EQ(groups.levels[0].found.back().rows, 720);
  options.fit.keep_together.clear();
  options.fit.drop = {"t", "g"};
  const LearningCurve torn = learning_curve(table, options, {});
  EXPECT_GT(groups.levels[0].found.back().score, 3 * torn.levels[0].found.back().score);
}

}  // namespace
}  // namespace taut
