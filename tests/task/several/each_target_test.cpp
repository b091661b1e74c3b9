// Intervals of single targets: the ranks that give them their coverage.
#include <taut/calibrate/rank.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <tests/support/joint_rows.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace taut
