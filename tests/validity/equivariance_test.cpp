// Another unit or another zero of the target gives the same intervals in that unit, for all paths that are defaults. The order of
// calibration rows does not matter.
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>

namespace taut {
namespace {

using testing::small_table;

const std::vector<double> levels = {0.5, 0.9, 0.95};

struct Path {
  std::string name;
  std::function<void(FitOptions&)> choose;

  friend void PrintTo(const Path& path, std::ostream* out) { *out << path.name; }
};

std::vector<Path> paths() {
  return {
      {"default", [](FitOptions&) {}},
      {"given", [](FitOptions& options) { options.prediction = "f"; }},
      {"linear", [](FitOptions& options) { options.predictor = "linear"; }},
      {"knn", [](FitOptions& options) { options.predictor = "knn"; }},
      {"none", [](FitOptions& options) { options.localizer = "none"; }},
      {"mlp",
       [](FitOptions& options) {
         options.predictor = "linear";
         options.localizer = "mlp";
         options.hidden = {20, 20};
       }},
      {"focus", [](FitOptions& options) { options.focus = 0.9; }},
      {"size", [](FitOptions& options) { options.objective = "size"; }},
      {"paper",
       [](FitOptions& options) {
         options.predictor = "knn";
         options.localizer = "mlp";
         options.hidden = {20, 20};
         options.objective = "size";
         options.split = "0.4,0.3,0.1,0.2";
       }},
  };
}

FitOptions options_of(const Path& path) {
  FitOptions options;
  options.target = "y";
  options.predictor = "boost";  // other members of a stack differ in the last digits by rounding; see below
  options.epochs = 30;
  path.choose(options);
  options.drop = options.prediction.empty() ? std::vector<std::string>{"f", "sigma"} : std::vector<std::string>{"sigma"};
  return options;
}

// y and its prediction become c · value + d.
Table changed(Table table, double c, double d) {
  for (const char* name : {"y", "f"}) {
    const Index column = table.require(name);
    table.values.col(column) = (table.values.col(column).array() * c + d).matrix();
  }
  return table;
}

class Equivariance : public ::testing::TestWithParam<Path> {};

void expect_the_same(const Predicted& was, const Predicted& is, double c, double d) {
  for (std::size_t i = 0; i < is.intervals.size(); ++i) {
    const Interval &before = was.intervals[i], &after = is.intervals[i];
    const double tolerance = 1e-5 * std::abs(c) * (1 + before.width());
    EXPECT_NEAR(c > 0 ? after.lower : after.upper, c * before.lower + d, tolerance) << c << " y + " << d;
    EXPECT_NEAR(c > 0 ? after.upper : after.lower, c * before.upper + d, tolerance) << c << " y + " << d;
  }
}

TEST_P(Equivariance, OfIntervalsToTheUnitAndTheZeroOfTheTarget) {
  const Table table = small_table(500), fresh = small_table(50, 2);
  const FitOptions options = options_of(GetParam());
  const auto reference = Regressor::fit(table, options).predict_interval(fresh, levels);
  for (const auto& [c, d] : {std::pair{1e200, 0.0}, {1e-200, 0.0}, {2.5, -11.0}})
    expect_the_same(reference, Regressor::fit(changed(table, c, d), options).predict_interval(changed(fresh, c, d), levels), c,
                    d);
}

// Units that differ by a power of two round alike: then a stack keeps its bits, networks included.
TEST(EquivarianceOfTheStack, ToUnitsThatArePowersOfTwo) {
  const Table table = small_table(150), fresh = small_table(50, 2);
  FitOptions options;
  options.target = "y";
  options.epochs = 30;
  options.drop = {"f", "sigma"};
  const auto reference = Regressor::fit(table, options).predict_interval(fresh, levels);
  for (const double c : {4.0, 0x1p-60, 0x1p300}) {
    const auto is = Regressor::fit(changed(table, c, 0), options).predict_interval(changed(fresh, c, 0), levels);
    for (std::size_t i = 0; i < is.prediction.size(); ++i) EXPECT_EQ(is.prediction[i], c * reference.prediction[i]) << c;
    expect_the_same(reference, is, c, 0);
  }
}

// A negated target swaps the ends. This is a symmetry only if the localizer does not see f(x), which would be negated too, and
// has no parameters for each side, which start at random. It holds for scales, not for quantiles, which boosting approaches from
// below.
TEST_P(Equivariance, EndsSwapWhenTheTargetIsTurnedOver) {
  const Table table = small_table(500), fresh = small_table(50, 2);
  FitOptions options = options_of(GetParam());
  options.see_prediction = "no";
  options.sides = "one";
  options.transform = "exp";
  const auto reference = Regressor::fit(table, options).predict_interval(fresh, levels);
  for (const auto& [c, d] : {std::pair{-1.0, 0.0}, {-0.3, 2.0}})
    expect_the_same(reference, Regressor::fit(changed(table, c, d), options).predict_interval(changed(fresh, c, d), levels), c,
                    d);
}

TEST_P(Equivariance, OrderOfCalibrationRowsDoesNotMatter) {
  const Table table = small_table(300), calibration = small_table(150, 5);
  Table reversed = calibration, shuffled = calibration;
  reversed.values = calibration.values.colwise().reverse().eval();
  const Rows order = Random(3).permutation(calibration.rows());
  for (Index row = 0; row < calibration.rows(); ++row)
    shuffled.values.row(row) = calibration.values.row(order[static_cast<std::size_t>(row)]);
  const FitOptions options = options_of(GetParam());
  const std::string bytes = Regressor::fit(table, options, {}, &calibration).to_bytes();
  EXPECT_EQ(Regressor::fit(table, options, {}, &reversed).to_bytes(), bytes);
  Regressor model = Regressor::from_bytes(bytes);
  model.calibrate(shuffled);
  EXPECT_EQ(model.to_bytes(), bytes);
}

INSTANTIATE_TEST_SUITE_P(All, Equivariance, ::testing::ValuesIn(paths()), [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace taut
