// Models on quantile predictions, given as columns or from our own trees.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::rows_of;
using testing::small_table;

// The columns of `cos` and two more, lo and hi: quantile predictions of a model that has the true f but assumes constant noise.
Table with_ends(Index rows, std::uint64_t seed, double below = 1, double above = 1.5) {
  Table table = small_table(rows, seed);
  const Index f = *find_column(table.columns, "f"), first = table.values.cols();
  table.columns.push_back({"lo"});
  table.columns.push_back({"hi"});
  Matrix wider(rows, first + 2);
  wider.leftCols(first) = table.values;
  wider.col(first) = table.values.col(f).array() - below;
  wider.col(first + 1) = table.values.col(f).array() + above;
  table.values = wider;
  return table;
}

FitOptions options_of_ends() {
  FitOptions options;
  options.target = "y";
  options.lower_prediction = "lo";
  options.upper_prediction = "hi";
  options.drop = {"f", "sigma"};
  return options;
}

struct Columns {
  std::vector<double> y, lower, upper;
};

Columns columns_of(const Table& table) {
  const auto column = [&](const char* name) {
    const auto values = table.values.col(*find_column(table.columns, name));
    return std::vector<double>(values.begin(), values.end());
  };
  return {column("y"), column("lo"), column("hi")};
}

// Computed here from the definition: sorted max(lo − y, y − hi), the exact rank, [lo − q, hi + q].
TEST(QuantilePredictions, FixedIsConformalizedQuantileRegression) {
  const Table train = with_ends(100, 1), calibration = with_ends(99, 2), fresh = with_ends(200, 3);
  FitOptions options = options_of_ends();
  options.transform = "fixed";
  const Regressor model = Regressor::fit(train, options, {}, &calibration);

  const Columns known = columns_of(calibration), asked = columns_of(fresh);
  std::vector<double> scores;
  for (std::size_t i = 0; i < known.y.size(); ++i)
    scores.push_back(std::max(known.lower[i] - known.y[i], known.y[i] - known.upper[i]));
  std::sort(scores.begin(), scores.end());
  EXPECT_EQ(model.distribution().scores(), scores);

  const std::array levels = {0.2, 0.5, 0.9, 0.95};
  const Predicted predicted = model.predict_interval(fresh, levels);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  bool shrinks = false;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const double q = scores[static_cast<std::size_t>(std::lround(100 * levels[level])) - 1];  // rank ⌈(99 + 1) c⌉
    shrinks = shrinks || q < 0;
    for (std::size_t i = 0; i < asked.y.size(); ++i) {
      const double lower = asked.lower[i] - q, upper = asked.upper[i] + q;
      const Interval& interval = predicted.at(static_cast<Index>(i), level);
      if (lower > upper) {
        EXPECT_TRUE(interval.empty());
        continue;
      }
      EXPECT_LE(interval.lower, lower);
      EXPECT_GE(interval.upper, upper);
      EXPECT_LE(lower - interval.lower, 2 * epsilon * std::max(std::abs(asked.lower[i]), std::abs(q)));
      EXPECT_LE(interval.upper - upper, 2 * epsilon * std::max(std::abs(asked.upper[i]), std::abs(q)));
    }
  }
  EXPECT_TRUE(shrinks) << "no level has a negative q: that case is not tested";
}

// The given quantiles do not show where the noise is large; φ learns it from x.
TEST(QuantilePredictions, TheTransformationLearnsFromXWhatTheQuantilesLack) {
  FitOptions options = options_of_ends();
  options.transform = "exp";
  const Regressor model = Regressor::fit(with_ends(3000, 1), options);
  EXPECT_EQ(model.transform_name(), "exp");
  EXPECT_GT(model.members(), 0);
  const Table fresh = with_ends(1000, 2);
  const std::array levels = {0.9};
  const Predicted predicted = model.predict_interval(fresh, levels);
  const Index sigma = *find_column(fresh.columns, "sigma");
  double quiet = 0, loud = 0, quiet_rows = 0, loud_rows = 0;
  for (Index row = 0; row < fresh.rows(); ++row) {  // means, because no tree is exact near the place where the noise begins
    const bool is_loud = fresh.values(row, sigma) > 1;
    (is_loud ? loud : quiet) += predicted.at(row, 0).width();
    (is_loud ? loud_rows : quiet_rows) += 1;
  }
  EXPECT_LT(4 * quiet / quiet_rows, loud / loud_rows);
}

// Where the given quantiles are right, training starts from them and has nothing to add.
TEST(QuantilePredictions, GoodQuantilesAreKept) {
  Table table = with_ends(3000, 1);
  const Index sigma = *find_column(table.columns, "sigma"), f = *find_column(table.columns, "f");
  const Index lo = *find_column(table.columns, "lo"), hi = *find_column(table.columns, "hi");
  table.values.col(lo) = table.values.col(f) - 1.645 * table.values.col(sigma);
  table.values.col(hi) = table.values.col(f) + 1.645 * table.values.col(sigma);
  FitOptions options = options_of_ends();
  options.epochs = 1;
  options.rate = 1e-9;  // nothing is learned: the start remains
  options.transform = "exp";
  options.sides = "one";
  const Regressor model = Regressor::fit(table, options);
  ASSERT_EQ(model.transform_name(), "exp");
  const std::array levels = {0.9};
  const Predicted predicted = model.predict_interval(table, levels);
  const double first = predicted.at(0, 0).width() / table.values(0, sigma);
  for (Index row = 1; row < table.rows(); ++row)
    EXPECT_NEAR(predicted.at(row, 0).width() / table.values(row, sigma), first, 1e-8 * first);
}

void expect_same_answers(const Regressor& one, const Table& rows, const Regressor& other, const Table& other_rows) {
  const std::array levels = {0.3, 0.9};
  const Predicted a = one.predict_interval(rows, levels), b = other.predict_interval(other_rows, levels);
  EXPECT_EQ(a.prediction, b.prediction);
  for (std::size_t i = 0; i < a.intervals.size(); ++i) {
    ASSERT_EQ(a.intervals[i].lower, b.intervals[i].lower);
    ASSERT_EQ(a.intervals[i].upper, b.intervals[i].upper);
  }
}

TEST(QuantilePredictions, EveryTransformationStoresPredictsRowByRowAndTakesExchangedColumnsSlow) {
  const Table table = with_ends(200, 1), fresh = with_ends(15, 2);
  Table exchanged = table, fresh_exchanged = fresh;
  for (Table* one : {&exchanged, &fresh_exchanged}) {
    const Index lo = *find_column(one->columns, "lo"), hi = *find_column(one->columns, "hi");
    one->values.col(lo).swap(one->values.col(hi));
  }
  for (const auto& transform : transforms().entries()) {
    FitOptions options = options_of_ends();
    options.transform = transform.example;
    options.epochs = 5;
    const Regressor model = Regressor::fit(table, options);
    expect_same_answers(model, fresh, Regressor::from_bytes(model.to_bytes()), fresh);
    expect_same_answers(model, fresh, Regressor::fit(exchanged, options), fresh_exchanged);

    const std::array levels = {0.3, 0.9};
    const Predicted many = model.predict_interval(fresh, levels);
    const TableView matched = TableView(fresh).matched(model.prediction_schema());
    for (Index row = 0; row < fresh.rows(); ++row) {
      std::vector<double> cells;
      for (Index column = 0; column < std::ssize(matched.columns()); ++column) cells.push_back(matched(row, column));
      std::array<Interval, 2> out;
      EXPECT_EQ(model.predict_row(cells, levels, out), many.prediction[static_cast<std::size_t>(row)]);
      for (std::size_t level = 0; level < 2; ++level) {
        EXPECT_EQ(out[level].lower, many.at(row, level).lower) << transform.name;
        EXPECT_EQ(out[level].upper, many.at(row, level).upper) << transform.name;
        const Interval again = model.distribution_at(cells).interval(levels[level]);
        EXPECT_EQ(again.lower, out[level].lower) << transform.name;
      }
    }
  }
}

TEST(QuantilePredictions, CrossedRowsAreReportedWhereverTheyMatter) {
  Table table = with_ends(400, 1);
  const Index lo = *find_column(table.columns, "lo"), hi = *find_column(table.columns, "hi");
  for (Index row = 0; row < 400; ++row)
    if (row % 2 == 0) std::swap(table.values(row, lo), table.values(row, hi));
  std::string messages;
  ExecutionContext context;
  context.say = [&](std::string_view sentence) { messages += sentence; };
  FitOptions options = options_of_ends();
  options.transform = "fixed";
  Regressor model = Regressor::fit(table, options, context);
  EXPECT_NE(messages.find("the two are swapped"), std::string::npos) << messages;

  const Table some = rows_of(table, 0, 10);
  const auto crossed_in = [](const std::vector<Alarm>& alarms) {
    for (const Alarm& alarm : alarms)
      if (alarm.kind == AlarmKind::crossed_predictions) return alarm.numbers.front().second;
    return 0.0;
  };
  const std::array levels = {0.9};
  EXPECT_EQ(crossed_in(model.evaluate(some, levels).alarms), 5);
  EXPECT_EQ(crossed_in(model.calibrate(some)), 5);
  EXPECT_EQ(crossed_in(model.evaluate(with_ends(10, 5), levels).alarms), 0);
}

TEST(QuantilePredictions, ArraysAreTheSameAsATable) {
  const Table table = with_ends(300, 1);
  const Columns columns = columns_of(table);
  Matrix x = table.values.leftCols(1);
  FitOptions options;
  options.epochs = 5;
  const Regressor model = Regressor::fit(
      Arrays{.x = x, .y = columns.y, .lower_predictions = columns.lower, .upper_predictions = columns.upper}, options);
  EXPECT_EQ(model.options().lower_prediction, "lower_prediction");
  const Table rows = Regressor::table_of({.x = x, .lower_predictions = columns.lower, .upper_predictions = columns.upper});
  EXPECT_EQ(std::ssize(model.predict(rows)), 300);
  EXPECT_THROW(Regressor::fit(Arrays{.x = x, .y = columns.y, .lower_predictions = columns.lower}, options), UsageError);
}

std::string refusal(const FitOptions& options) {
  try {
    Regressor::fit(with_ends(100, 1), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(QuantilePredictions, InvalidOptionsAreRefusedWithAMessage) {
  FitOptions alone = options_of_ends();
  alone.upper_prediction.clear();
  EXPECT_NE(refusal(alone).find("--upper-prediction"), std::string::npos);
  FitOptions both = options_of_ends();
  both.prediction = "f";
  EXPECT_NE(refusal(both).find("leave --prediction out"), std::string::npos);
  FitOptions same = options_of_ends();
  same.upper_prediction = "lo";
  EXPECT_NE(refusal(same).find("name two columns"), std::string::npos);
  FitOptions dropped = options_of_ends();
  dropped.drop.emplace_back("hi");
  EXPECT_NE(refusal(dropped).find("--upper-prediction names too"), std::string::npos);
  FitOptions unknown = options_of_ends();
  unknown.lower_prediction = "nowhere";
  EXPECT_NE(refusal(unknown).find("nowhere"), std::string::npos);
  for (const char* argument : {"quantile", "quantile:0.05", "quantile:0.95,0.05", "quantile:0,0.9", "quantile:0.1,1",
                               "quantile:0.1,0.5,0.9", "quantile:a,b"}) {
    FitOptions options = testing::quick_options();
    options.predictor = argument;
    EXPECT_NE(refusal(options).find("quantile:0.05,0.95"), std::string::npos) << argument;
  }
}

// Our own trees: out-of-fold ends are treated like given columns.
TEST(QuantilePredictions, OwnTreesAreTreatedLikeGivenColumns) {
  FitOptions options = testing::quick_options();
  options.predictor = "quantile:0.05,0.95";
  options.effort = "quick";
  options.transform = "fixed";
  const Regressor model = Regressor::fit(small_table(1500), options);
  const Table fresh = small_table(1000, 7);
  const std::array levels = {0.9};
  const Predicted predicted = model.predict_interval(fresh, levels);
  const Index sigma = *find_column(fresh.columns, "sigma");
  double quiet = 0, loud = infinity;
  for (Index row = 0; row < fresh.rows(); ++row) {
    const double width = predicted.at(row, 0).width(), true_sigma = fresh.values(row, sigma);
    if (true_sigma < 0.2) quiet = std::max(quiet, width);
    if (true_sigma > 2) loud = std::min(loud, width);
  }
  EXPECT_LT(quiet, loud) << "'fixed' adds one width to quantiles that adapt to the noise";
  expect_same_answers(model, fresh, Regressor::from_bytes(model.to_bytes()), fresh);
}

}  // namespace
}  // namespace taut
