#include <experiments/protocol.hpp>

#include <taut/data/synthetic.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

std::vector<double> targets(const Table& table) {
  std::vector<double> y;
  for (Index row = 0; row < table.rows(); ++row) y.push_back(table.values(row, table.require("y")));
  return y;
}

// By definition: calibrate with all rows but one, and see whether that row is covered.
void expect_as_defined(const Table& train, const Table& test, const FitOptions& options) {
  Regressor model = Regressor::fit(train, options, {}, &test);
  std::vector<LeftOutLevel> quick = {{0.5}, {0.9}, {0.95}};
  const auto y = targets(test);
  leave_one_out(model, test, y, quick, {});
  for (const auto& level : quick) {
    double half_widths = 0, covered = 0;
    for (Index row = 0; row < test.rows(); ++row) {
      Rows others;
      for (Index other = 0; other < test.rows(); ++other)
        if (other != row) others.push_back(other);
      model.calibrate(choose_rows(test, others));
      const Interval interval = model.predict_interval(choose_rows(test, Rows{row}), std::array{level.confidence}).at(0, 0);
      half_widths += 0.5 * interval.width();
      covered += interval.contains(y[static_cast<std::size_t>(row)]) ? 1 : 0;
    }
    const auto n = static_cast<double>(test.rows());
    if (std::isinf(half_widths))
      EXPECT_EQ(level.mean_half_width, half_widths);
    else
      EXPECT_NEAR(level.mean_half_width, half_widths / n, 1e-12 * half_widths);
    EXPECT_DOUBLE_EQ(level.coverage, covered / n) << level.confidence;
  }
}

FitOptions quick_options() {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.epochs = 20;
  options.sides = "one";
  return options;
}

TEST(LeaveOneOut, EqualsItsDefinition) {
  const Table all = synthetic_table(*synthetic_sets().make("cos"), 340, 3);
  Rows train, test;
  for (Index row = 0; row < all.rows(); ++row) (row < 300 ? train : test).push_back(row);
  expect_as_defined(choose_rows(all, train), choose_rows(all, test), quick_options());
}

TEST(LeaveOneOut, TiesAndTooFewRows) {
  Table all = synthetic_table(*synthetic_sets().make("squared"), 315, 4);
  for (Index row = 0; row < all.rows(); ++row) all.values(row, 2) = std::round(all.values(row, 2));  // many equal scores
  Rows train, test;
  for (Index row = 0; row < all.rows(); ++row) (row < 300 ? train : test).push_back(row);
  FitOptions options = quick_options();
  options.localizer = "none";
  expect_as_defined(choose_rows(all, train), choose_rows(all, test), options);  // 15 rows are too few for 0.95
}

}  // namespace
}  // namespace taut
