// Intervals of single targets: the ranks that give them their coverage.
#include <taut/calibrate/rank.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <tests/support/joint_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {
namespace {

const ExecutionContext one_thread{.threads = 1};
const std::vector<double> low_and_high = {0.2, 0.3, 0.45, 0.5, 0.8, 0.9};

JointRegressor fitted(const FitOptions& options = testing::joint_options()) {
  return JointRegressor::fit(testing::joint_table(400, 1), options, "box", one_thread);
}

// The number of rows of the table that the interval of a target holds.
Index held(const PredictedBoxes& each, const Table& table, std::size_t level, Index target) {
  Index count = 0;
  for (Index row = 0; row < table.rows(); ++row)
    count += each.at(row, level, target).contains(table.values(row, 2 + target)) ? 1 : 0;
  return count;
}

// An interval that ends at the k-th smallest of n scores holds k of the n calibration rows: its coverage is Beta(k, n + 1 − k).
TEST(EachTarget, HoldsAsManyCalibrationRowsAsTheRankSays) {
  JointRegressor model = fitted();
  const Table rows = testing::joint_table(97, 2);
  for (const double sure : {0.0, 0.9}) {
    model.calibrate(rows, one_thread, {.sure = sure});
    const PredictedBoxes each = model.predict_each(rows, low_and_high, one_thread);
    for (const Index target : {0, 1})
      for (std::size_t level = 0; level < low_and_high.size(); ++level)
        EXPECT_EQ(held(each, rows, level, target), exact_rank(97, low_and_high[level], sure))
            << low_and_high[level] << " " << sure;
  }
}

// The positions of the rows that intervals of a target hold at a level.
std::vector<Index> positions(const PredictedBoxes& each, const Table& table, std::size_t level, Index target) {
  std::vector<Index> found;
  for (Index row = 0; row < table.rows(); ++row)
    if (each.at(row, level, target).contains(table.values(row, 2 + target))) found.push_back(row);
  return found;
}

// All rows count, also where more of them calibrate than a model keeps.
TEST(EachTarget, IsExactForManyCalibrationRows) {
  JointRegressor model = fitted();
  const Table rows = testing::joint_table(2600, 2);
  model.calibrate(rows, one_thread);
  const JointRegressor loaded = JointRegressor::from_bytes(model.to_bytes());
  EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
  for (const JointRegressor* one : {&std::as_const(model), &loaded}) {
    const PredictedBoxes each = one->predict_each(rows, low_and_high, one_thread);
    for (const Index target : {0, 1})
      for (std::size_t level = 0; level < low_and_high.size(); ++level)
        EXPECT_EQ(held(each, rows, level, target), exact_rank(2600, low_and_high[level]));
  }
}

TEST(EachTarget, IsExactInEachGroup) {
  JointRegressor model = fitted();
  const Table rows = testing::joint_table(301, 2);
  CalibrationOptions how;
  how.by = {"v:0/9"};
  how.sure = 0.9;
  model.calibrate(rows, one_thread, how);
  const PredictedBoxes each = model.predict_each(rows, low_and_high, one_thread);
  for (const bool is_above : {false, true}) {
    const auto in_group = [&](Index row) { return (rows.values(row, 1) > 0) == is_above; };
    Index size = 0;
    for (Index row = 0; row < rows.rows(); ++row) size += in_group(row) ? 1 : 0;
    for (const Index target : {0, 1})
      for (std::size_t level = 0; level < low_and_high.size(); ++level) {
        const auto found = positions(each, rows, level, target);
        EXPECT_EQ(std::count_if(found.begin(), found.end(), in_group),
                  exact_rank(size, low_and_high[level], sure_of_each(0.9, 2)));
      }
  }
}

// The rows that an interval holds have the share of the weight that the level asks for, the new row's own weight included, and
// without the one that was added last they have less.
void expect_share(const std::vector<Index>& found, const std::vector<double>& weights, double own_weight, double level) {
  double sum = 0, all = own_weight, largest = 0;
  for (const Index row : found) sum += weights[static_cast<std::size_t>(row)];
  for (const Index row : found) largest = std::max(largest, weights[static_cast<std::size_t>(row)]);
  for (const double weight : weights) all += weight;
  EXPECT_GE(sum, level * all - 1e-9);
  EXPECT_LT(sum - largest, level * all);
}

TEST(EachTarget, CountsRowsByTheirWeights) {
  Table rows = testing::joint_table(400, 2);
  rows.columns.push_back({"weight"});
  rows.values.conservativeResize(400, 5);
  std::vector<double> weights;
  for (Index row = 0; row < 400; ++row) weights.push_back(rows.values(row, 4) = 0.1 + std::exp(rows.values(row, 0)));
  JointRegressor model = fitted();
  CalibrationOptions how;
  how.weights = "weight";
  model.calibrate(rows, one_thread, how);
  for (const double own_weight : {0.2, 20.0}) {
    rows.values.col(4).setConstant(own_weight);
    const PredictedBoxes each = model.predict_each(rows, low_and_high, one_thread);
    for (const Index target : {0, 1})
      for (std::size_t level = 0; level < low_and_high.size(); ++level)
        expect_share(positions(each, rows, level, target), weights, own_weight, low_and_high[level]);
  }
}

TEST(EachTarget, CountsGroupsOfDependentRowsOnce) {
  Table rows = testing::joint_table(400, 2);
  rows.columns.push_back({"group"});
  rows.values.conservativeResize(400, 5);
  std::vector<double> weights;
  for (Index row = 0; row < 400; ++row) {
    rows.values(row, 4) = static_cast<double>(row < 300 ? row / 10 : row);  // 30 groups of ten rows, 100 of one
    weights.push_back(row < 300 ? 0.1 : 1);
  }
  JointRegressor model = fitted();
  CalibrationOptions how;
  how.keep_together = "group";
  model.calibrate(rows, one_thread, how);
  const PredictedBoxes each = model.predict_each(rows, low_and_high, one_thread);
  for (const Index target : {0, 1})
    for (std::size_t level = 0; level < low_and_high.size(); ++level)
      expect_share(positions(each, rows, level, target), weights, 1, low_and_high[level]);
}

// Overlapping groups: a guarantee for each, so the number of calibration rows that are held in each is that of the level, up to
// the dimension of the groups.
TEST(EachTarget, HoldsInOverlappingGroupsAndNearTheRow) {
  const Table rows = testing::joint_table(300, 2);
  const std::vector<double> two_levels = {0.3, 0.8};
  JointRegressor model = fitted();
  CalibrationOptions overlapping, local;
  overlapping.overlapping = {"x:0/9", "v:0/9"};
  local.local = 150;
  for (const CalibrationOptions& how : {overlapping, local}) {
    model.calibrate(rows, one_thread, how);
    const PredictedBoxes each = model.predict_each(rows, two_levels, one_thread);
    const JointRegressor loaded = JointRegressor::from_bytes(model.to_bytes());
    const PredictedBoxes again = loaded.predict_each(rows, two_levels, one_thread);
    for (const Index target : {0, 1})
      for (std::size_t level = 0; level < two_levels.size(); ++level) {
        const auto found = positions(each, rows, level, target);
        EXPECT_EQ(found, positions(again, rows, level, target));
        for (const Index column : {0, 1}) {
          double all = 0, right = 0;
          for (Index row = 0; row < rows.rows(); ++row) all += rows.values(row, column) > 0 ? 1 : 0;
          for (const Index row : found) right += rows.values(row, column) > 0 ? 1 : 0;
          EXPECT_NEAR(right / all, two_levels[level], how.local ? 0.1 : 0.05) << how.given() << " " << two_levels[level];
        }
      }
  }
}

}  // namespace
}  // namespace taut
