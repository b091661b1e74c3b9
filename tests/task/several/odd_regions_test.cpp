// Joint regions with possible values, empty regions, groups by the scale, and calibrations without ranks.
#include <taut/core/error.hpp>
#include <taut/task/several/joint_region.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <taut/task/several/several_evaluation.hpp>
#include <tests/support/joint_rows.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

const ExecutionContext on_one{.threads = 1};

// Targets rounded to whole tenths and cut at 0.
Table bounded_table(Index rows, std::uint64_t seed) {
  Table table = testing::joint_table(rows, seed);
  for (Index row = 0; row < rows; ++row)
    for (const Index target : {2, 3}) table.values(row, target) = std::max(0.0, std::round(10 * table.values(row, target))) / 10;
  return table;
}

FitOptions bounded_options(double step) {
  FitOptions options = testing::joint_options();
  options.y_min = 0;
  if (step > 0) options.y_step = step;
  return options;
}

Matrix own_targets(const Table& table) { return table.values.middleCols(2, 2); }

TEST(JointPossibleValues, BoxesHoldNoImpossibleValue) {
  const Table table = bounded_table(400, 1), fresh = bounded_table(80, 2);
  for (const auto& entry : joint_regions().entries())
    for (const double step : {0.0, 0.1}) {
      const JointRegressor model = JointRegressor::fit(table, bounded_options(step), entry.name, on_one);
      const std::vector<double> levels = {0.5, 0.9, 0.999};
      const PredictedBoxes boxes = model.predict_boxes(fresh, levels, on_one);
      const ContainedRows found = model.contains(fresh, own_targets(fresh), levels, on_one);
      for (Index row = 0; row < 80; ++row)
        for (std::size_t level = 0; level < levels.size(); ++level) {
          bool in_box = true;
          for (const Index target : {0, 1}) {
            const Interval& side = boxes.at(row, level, target);
            in_box = in_box && side.contains(fresh.values(row, 2 + target));
            if (side.empty()) continue;
            EXPECT_GE(side.lower, 0) << entry.name;
            if (step > 0 && side.finite()) {
              EXPECT_NEAR(10 * side.upper, std::round(10 * side.upper), 1e-9) << entry.name;
            }
          }
          const bool is_inside = found.contained(row, static_cast<Index>(level)) == 1;
          if (entry.name == "box") {
            EXPECT_EQ(is_inside, in_box);
          }
          if (entry.name == "ellipsoid") {
            EXPECT_LE(is_inside, in_box);
          }
        }
    }
}

// The ends of a box are rounded to possible values, so that it may hold targets whose score is above the threshold.
TEST(JointPossibleValues, ContainsAgreesWithTheEvaluation) {
  const auto whole = [](std::uint64_t seed) {
    Table table = testing::joint_table(500, seed);
    for (const Index target : {2, 3})
      for (Index row = 0; row < 500; ++row) table.values(row, target) = std::round(table.values(row, target));
    return table;
  };
  FitOptions options = testing::joint_options();
  options.y_step = 1;
  const JointRegressor model = JointRegressor::fit(whole(1), options, "box", on_one);
  const Table fresh = whole(2);
  const std::vector<double> levels = {0.1};
  const Matrix contained = model.contains(fresh, own_targets(fresh), levels, on_one).contained;
  const PredictedBoxes boxes = model.predict_boxes(fresh, levels, on_one);
  for (Index row = 0; row < 500; ++row)
    EXPECT_EQ(contained(row, 0) == 1,
              boxes.at(row, 0, 0).contains(fresh.values(row, 2)) && boxes.at(row, 0, 1).contains(fresh.values(row, 3)));
  EXPECT_EQ(contained.mean(), model.evaluate(fresh, levels, on_one).levels[0].metric("coverage"));
}

TEST(JointOverlappingGroups, HaveNoPValues) {
  JointRegressor model = JointRegressor::fit(testing::joint_table(400, 1), testing::joint_options(), "ellipsoid", on_one);
  CalibrationOptions how;
  how.overlapping = {"x:2", "v:2"};
  model.calibrate(testing::joint_table(300, 2), on_one, how);
  const Table fresh = testing::joint_table(400, 3);
  const std::vector<double> levels = {0.8};
  const ContainedRows found = model.contains(fresh, own_targets(fresh), levels, on_one);
  EXPECT_NEAR(found.contained.mean(), 0.8, 0.08);
  for (const double p : found.p_value) EXPECT_TRUE(std::isnan(p));
}

TEST(JointGroups, TheScaleHasNoPredictions) {
  const Table table = testing::joint_table(600, 1);
  FitOptions options = testing::joint_options();
  options.by = {"scale:2"};
  options.transform = "curve";
  JointRegressor adaptive = JointRegressor::fit(table, options, "box", on_one);
  ASSERT_EQ(adaptive.calibration_groups().size(), 2u);
  // Noise grows with |x|: the wider half are rows far from 0, whatever their predictions are.
  const Table fresh = testing::joint_table(400, 2);
  const GroupedTable groups = adaptive.group_rows(fresh, {"scale:2"}, on_one);
  double far = 0;
  for (Index row = 0; row < 400; ++row)
    far += (std::abs(fresh.values(row, 0)) > 0.5) == (groups.of_row[static_cast<std::size_t>(row)] == 1) ? 1 : 0;
  EXPECT_GT(far / 400, 0.85);
  options.transform = "fixed";
  EXPECT_THROW((void)JointRegressor::fit(table, options, "box", on_one), UsageError);
  FitOptions plain = testing::joint_options();
  plain.transform = "fixed";
  JointRegressor without = JointRegressor::fit(table, plain, "box", on_one);
  CalibrationOptions how;
  how.by = {"scale:2"};
  EXPECT_THROW(without.calibrate(testing::joint_table(300, 3), on_one, how), UsageError);
}

TEST(EnergyScore, AveragesOverRowsThatHaveOne) {
  Table table = testing::joint_table(400, 1);
  JointRegressor model = JointRegressor::fit(table, testing::joint_options(), "box", on_one);
  Table rows = testing::joint_table(200, 2);
  rows.values(0, 1) = 7;  // alone in its group
  CalibrationOptions how;
  how.by = {"v:5/6"};
  model.calibrate(rows, on_one, how);
  Table fresh = testing::joint_table(100, 3);
  const std::vector<double> levels = {0.8};
  const double expected = model.evaluate(fresh, levels, on_one).energy_score;
  fresh.values(3, 1) = 7;
  EXPECT_TRUE(std::isfinite(expected));
  EXPECT_NEAR(model.evaluate(fresh, levels, on_one).energy_score, expected, 0.1);
}

TEST(EnergyScore, WeighsBothTerms) {
  Matrix values(4, 1);
  values << 0, 1, 5, 9;
  const std::vector<double> y = {2}, spreads = {1}, one_of_four = {1, 0, 0, 0}, equal(4, 0.5);
  EXPECT_DOUBLE_EQ(energy_score(values, y, spreads, one_of_four), 2);  // one value: its distance
  EXPECT_DOUBLE_EQ(energy_score(values, y, spreads, equal), energy_score(values, y, spreads));
  // Of equal values at any order: the mean distance to y less half the mean distance of pairs.
  EXPECT_NEAR(energy_score(values, y, spreads), 13.0 / 4 - (1 + 5 + 9 + 4 + 8 + 4) / 6.0 / 2, 1.5);
}

TEST(EnergyScore, DoesNotDependOnTheOrderOfValues) {
  Matrix values(200, 1), sorted(200, 1);
  for (Index i = 0; i < 200; ++i) {
    sorted(i, 0) = static_cast<double>(i);
    values(i, 0) = static_cast<double>(i * 37 % 200);
  }
  const std::vector<double> y = {100}, spreads = {1};
  EXPECT_NEAR(energy_score(sorted, y, spreads), energy_score(values, y, spreads), 5);
}

}  // namespace
}  // namespace taut
