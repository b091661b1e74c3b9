// Sets of all levels, smoothed ranks and declared ranges, through the whole model.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>
#include <tests/support/small_models.hpp>

#include <cmath>

namespace taut {
namespace {

using testing::given_options;
using testing::small_table;

// Skewed counts, where the two sides differ most.
Table skewed_counts(Index rows, double step, std::uint64_t seed) {
  Table table = small_table(rows);
  Random random(seed);
  const Index y = table.require("y"), f = table.require("f"), x = table.require("x");
  for (Index i = 0; i < table.rows(); ++i) {
    const double size = -std::log(1 - random.uniform()) * (1 + std::abs(table.values(i, x)));
    const double raw = table.values(i, f) + (random.uniform() < 0.7 ? size : -0.2 * size);
    const double count = std::round(raw / step);
    table.values(i, y) = *parse_number(std::to_string(static_cast<long long>(count * std::round(step * 100))) + "e-2");
  }
  return table;
}

void expect_nested(const Predicted& predicted, const std::string& what) {
  const auto rows = static_cast<Index>(predicted.prediction.size());
  for (Index row = 0; row < rows; ++row)
    for (std::size_t level = 1; level < predicted.levels.size(); ++level) {
      const Interval &inner = predicted.at(row, level - 1), &outer = predicted.at(row, level);
      if (inner.empty()) continue;
      ASSERT_LE(outer.lower, inner.lower) << what << ", level " << predicted.levels[level];
      ASSERT_GE(outer.upper, inner.upper) << what << ", level " << predicted.levels[level];
    }
}

std::vector<double> many_levels() {
  std::vector<double> levels;
  for (int i = 1; i < 100; ++i) levels.push_back(i / 100.0);
  return levels;
}

// All ranges for each combination, or one of them in turn.
void expect_nested_sets(bool every_range) {
  using Range = testing::PossibleTargets;
  std::size_t turn = 0;
  for (const auto& phi : transforms().entries()) {
    ++turn;  // otherwise a localizer might get the same range every time
    for (const auto& localizer : localizers().names())
      for (const char* sides : {"one", "two"}) {
        std::vector<Range> ranges = {
            {-infinity, infinity, 0}, {-infinity, infinity, 1}, {-infinity, infinity, 0.3}, {-1e3, 1e3, 0}, {-1000, 1000, 0.7}};
        if (!every_range) ranges = {ranges[turn++ % ranges.size()]};
        for (const Range& range : ranges) {
          const Table table = skewed_counts(120, range.step > 0 ? range.step : 1, 3);
          const FitOptions options = given_options(phi, localizer, sides, 3, range);
          const Regressor model = Regressor::fit(table, options);
          const std::string what = phi.name + ", " + localizer + ", " + sides + ", step " + print_number(range.step);
          const Table some = testing::rows_of(table, 0, 40);
          expect_nested(model.predict_interval(some, many_levels()), what);
          expect_nested(model.predict_interval(some, many_levels(), {}, 5), what + ", smoothed");
        }
      }
  }
}

TEST(Nested, ForEveryListedPartSidesRangeAndSmoothingSlow) { expect_nested_sets(/*every_range=*/false); }

TEST(Nested, ForEveryListedPartWithEveryRangeSlow) { expect_nested_sets(/*every_range=*/true); }

// Rows whose predictions are exact have residuals of 0 and, in scale families, a score of −infinity.
Table exact_predictions(Index rows, double share, std::uint64_t seed) {
  Table table = small_table(rows, seed);
  Random random(seed + 1);
  const Index y = table.require("y"), f = table.require("f");
  for (Index i = 0; i < table.rows(); ++i)
    if (random.uniform() < share) table.values(i, y) = table.values(i, f);
  return table;
}

double share_covered(const Regressor& model, const Table& table, double level, std::optional<std::uint64_t> smoothing) {
  const std::vector<double> levels = {level};
  const Predicted predicted = model.predict_interval(table, levels, {}, smoothing);
  const Index y = table.require("y");
  Index inside = 0;
  for (Index row = 0; row < table.rows(); ++row) inside += predicted.at(row, 0).contains(table.values(row, y)) ? 1 : 0;
  return static_cast<double>(inside) / static_cast<double>(table.rows());
}

// 60 % of the predictions are exact and the level is 0.5: every quantile is the score of a residual of 0, so every exact row is
// covered, smoothed or not.
TEST(Smoothed, ExactPredictionsKeepTheirCoverage) {
  const Table test = exact_predictions(1000, 0.6, 77);
  for (const char* transform : {"fixed", "exp", "spline"}) {
    FitOptions options = given_options();
    options.transform = transform;
    options.epochs = 10;
    const Regressor model = Regressor::fit(exact_predictions(600, 0.6, 5), options);
    EXPECT_EQ(share_covered(model, test, 0.5, {}), share_covered(model, test, 0.5, 1)) << transform;
    EXPECT_GT(share_covered(model, test, 0.5, 1), 0.55) << transform;
  }
}

// The same scores with and without a step: an end that is moved inward to a step loses no target.
TEST(Range, StepsCostNoCoverage) {
  for (const double step : {0.3, 0.7, 1.1, 0.01, 0.25, 1.0}) {
    const Table table = skewed_counts(400, step, 4), test = skewed_counts(600, step, 9);
    FitOptions options = given_options();
    options.epochs = 10;
    const Regressor without = Regressor::fit(table, options);
    options.y_step = step;
    const Regressor with = Regressor::fit(table, options);
    for (const double level : {0.05, 0.3, 0.6, 0.9}) {
      const std::vector<double> levels = {level};
      const Predicted a = without.predict_interval(test, levels), b = with.predict_interval(test, levels);
      const Index y = test.require("y");
      for (Index row = 0; row < test.rows(); ++row)
        ASSERT_TRUE(!a.at(row, 0).contains(test.values(row, y)) || b.at(row, 0).contains(test.values(row, y)))
            << step << " " << test.values(row, y);
    }
  }
}

// Targets written by a program as count · step.
TEST(Range, ProductsOfDoublesAreCovered) {
  const auto as_products = [](Table table) {
    const Index y = table.require("y");
    for (Index i = 0; i < table.rows(); ++i) table.values(i, y) = std::round(table.values(i, y) / 0.3) * 0.3;
    return table;
  };
  FitOptions options = given_options();
  options.y_step = 0.3;
  const Regressor model = Regressor::fit(as_products(skewed_counts(900, 0.3, 4)), options);
  const Regressor read_back = Regressor::from_bytes(model.to_bytes());
  const Table decimals = skewed_counts(1500, 0.3, 9), products = as_products(decimals);
  for (const double level : {0.3, 0.9})
    EXPECT_EQ(share_covered(model, decimals, level, {}), share_covered(read_back, products, level, {}));
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Range, TargetsThatItRulesOutAreRefused) {
  const auto has = [](const std::string& message, const std::string& words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  const Table table = skewed_counts(200, 1, 4);
  const Index y = table.require("y");
  Index above = 0;
  for (Index i = 0; i < table.rows(); ++i) above += table.values(i, y) > 2 ? 1 : 0;
  ASSERT_GT(above, 5);
  FitOptions options = given_options();
  options.y_max = 2;
  const std::string message = message_of([&] { Regressor::fit(table, options); });
  has(message, "is above --y-max 2");
  has(message, std::to_string(above) + " of 200 rows");

  options.y_max = infinity;
  options.y_step = 1;
  Regressor model = Regressor::fit(table, options);
  Table odd = table;
  odd.values(17, y) = 0.5;
  const std::vector<double> levels = {0.9};
  has(message_of([&] { model.evaluate(odd, levels); }), "row 18");
  has(message_of([&] { model.evaluate(odd, levels); }), "is no multiple of --y-step 1 (the nearest is");
  has(message_of([&] { model.calibrate(odd); }), "1 of 200 rows");
}

}  // namespace
}  // namespace taut
