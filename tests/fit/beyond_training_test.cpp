// The factor of widths beyond the training rows: 1 for every training row, growing at the mean slope of y from the nearer end.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/fit/beyond_training.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {
namespace {

// y = 3 x + noise of the mean size 1; `other` is independent of y; `kind` is a category; a tenth of the cells of x are missing.
struct Training {
  std::vector<Column> columns = {{.name = "x"}, {.name = "other"}, {.name = "kind", .kind = ColumnKind::category}};
  Matrix cells{2000, 3};
  std::vector<double> y;

  Training() {
    columns.back().categories = {"a", "b"};
    Random random(1);
    for (Index row = 0; row < cells.rows(); ++row) {
      const double x = random.uniform(0, 10), kind = static_cast<double>(row % 2);
      cells.row(row) << (row % 10 == 0 ? missing : x), random.uniform(0, 10), kind;
      y.push_back(3 * x + 5 * kind + random.normal() / std::sqrt(2 / std::numbers::pi));
    }
  }
};

class Beyond : public testing::Test {
 protected:
  double factor(double x, double other = 5, double kind = 0) const {
    const std::vector<double> cells = {x, other, kind};
    std::vector<float> inputs(static_cast<std::size_t>(encoder_.columns()));
    encoder_.encode_row(cells.data(), inputs.data());
    return 1 + beyond_.of(inputs.data()).of_scale;
  }

  Training training_;
  Table table_{"t.csv", training_.columns, training_.cells, {}};
  Encoder encoder_{Encoding::raw, table_, all_rows(2000)};
  MatrixF inputs_ = encoder_.encode(table_);
  BeyondTraining beyond_{inputs_, encoder_, training_.columns, training_.y, {}, 1};
};

TEST_F(Beyond, IsOneForEveryTrainingRow) {
  for (Index row = 0; row < inputs_.rows(); ++row) ASSERT_EQ(beyond_.of(inputs_.row(row).data()).of_scale, 0);
  EXPECT_EQ(factor(missing), 1);
}

// Twice the unit is the usual half-width at 0.9, which 3 more in y double after 2/3.
TEST_F(Beyond, GrowsAtTheMeanSlopeOfTheTarget) {
  ASSERT_EQ(beyond_.inputs().size(), 1U) << "neither a category nor a column without a slope";
  const double low = beyond_.low().front(), high = beyond_.high().front();
  EXPECT_NEAR(low, 0, 0.05);
  EXPECT_NEAR(high, 10, 0.05);
  EXPECT_NEAR(factor(high + 1), 2.5, 0.05);
  EXPECT_NEAR(factor(low - 2), 4, 0.1);
}

TEST_F(Beyond, IgnoresColumnsWithoutASlopeAndCategories) {
  EXPECT_EQ(factor(5, 1e6), 1);
  EXPECT_EQ(factor(5, 5, 17), 1);
}

TEST_F(Beyond, GrowsByTheRangeOfTheTargetAtMost) {
  const auto [least, most] = std::minmax_element(training_.y.begin(), training_.y.end());
  for (const double x : {1e30, infinity, -infinity}) EXPECT_DOUBLE_EQ(factor(x), 1 + (*most - *least) / 2);
}

TEST_F(Beyond, IsTheSameAfterStorageAndRefusesDamage) {
  Archive archive;
  beyond_.save(archive.scope("b"));
  const BeyondTraining read = BeyondTraining::load(archive.scope("b"), encoder_.columns());
  for (const float x : {-7.0F, 3.0F, 12.5F}) {
    const std::vector<float> inputs = {x, 0, 0};
    EXPECT_EQ(read.of(inputs.data()).of_scale, beyond_.of(inputs.data()).of_scale);
  }
  EXPECT_THROW(BeyondTraining::load(archive.scope("b"), 0), Error);
  archive.put("b/slope", std::vector<double>{-1});
  EXPECT_THROW(BeyondTraining::load(archive.scope("b"), encoder_.columns()), Error);
}

TEST_F(Beyond, RowsOfWeightZeroDoNotCount) {
  std::vector<double> weights(2000, 1);
  for (std::size_t row = 0; row < 2000; ++row)
    if (training_.cells(static_cast<Index>(row), 0) > 5) weights[row] = 0;
  const BeyondTraining half(inputs_, encoder_, training_.columns, training_.y, weights, 1);
  EXPECT_NEAR(half.high().front(), 5, 0.05);
}

}  // namespace
}  // namespace taut
