// Rows that are predicted one per call: random numbers depend on a key of the row, so they average out, and a row has the same
// answer alone and in any batch.
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/labelled_rows.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace taut {
namespace {

using testing::one_thread;

// Columns x, p and y; p repeats, so that many rows lie in one place.
Table rows_of(Index count, Random& random) {
  Table table;
  for (const char* name : {"x", "p", "y"}) table.columns.push_back({name});
  table.values.resize(count, 3);
  for (Index row = 0; row < count; ++row) {
    const double x = random.normal(), p = std::floor(2 * x);
    table.values.row(row) << x, p, p + (1 + std::abs(p)) * random.normal();
  }
  return table;
}

Table row_of(const Table& table, Index row) {
  Table one{.source = table.source, .columns = table.columns, .values = table.values.row(row), .lines = {}};
  return one;
}

Regressor fitted(Random& random) {
  FitOptions options;
  options.target = "y";
  options.prediction = "p";
  options.localizer = "none";
  options.split = "cross";  // some rows are left to define what is near
  return Regressor::fit(rows_of(200, random), options, one_thread);
}

// With many calibration rows the coverage of one model is near the level; the mean over models is the level.
struct Mean {
  double sum = 0, squares = 0, count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double error() const { return std::sqrt((squares / count - mean() * mean()) / count); }
};

TEST(Served, OneRowACallCoversAsBatchesDo) {
  constexpr Index models = 60, calibration_rows = 9, fresh = 60;
  constexpr double level = 0.86;  // between two ranks of 10
  Random random(1);
  Regressor model = fitted(random);
  Mean smoothed, local;
  for (Index again = 0; again < models; ++again) {
    model.calibrate(rows_of(calibration_rows, random), one_thread, {.plain = true});
    const Table rows = rows_of(fresh, random);
    double covered = 0;
    for (Index row = 0; row < fresh; ++row)
      covered +=
          model.predict_interval(row_of(rows, row), std::array{level}, one_thread, 7).at(0, 0).contains(rows.values(row, 2)) ? 1
                                                                                                                             : 0;
    smoothed.add(covered / fresh);
    model.calibrate(rows_of(300, random), one_thread, {.local = 40});
    covered = 0;
    for (Index row = 0; row < fresh; ++row) {
      Interval interval;
      const std::array cells = {rows.values(row, 0), rows.values(row, 1)};
      model.predict_row(cells, std::array{level}, std::span(&interval, 1));
      covered += interval.contains(rows.values(row, 2)) ? 1 : 0;
    }
    local.add(covered / fresh);
  }
  std::printf("smoothed, one row a call: %.4f ± %.4f of %.2f; local: %.4f ± %.4f\n", smoothed.mean(), smoothed.error(), level,
              local.mean(), local.error());
  EXPECT_LT(std::abs(smoothed.mean() - level), 4.5 * smoothed.error());
  EXPECT_GT(local.mean(), level - 4.5 * local.error());
}

bool are_equal(const Interval& a, const Interval& b) { return a.lower == b.lower && a.upper == b.upper; }

TEST(Served, ARowHasTheSameAnswerInEveryBatch) {
  Random random(2);
  Regressor model = fitted(random);
  const Table rows = rows_of(50, random);
  const std::array levels = {0.5, 0.9};
  for (const bool local : {false, true}) {
    if (local)
      model.calibrate(rows_of(200, random), one_thread, {.local = 30});
    else
      model.calibrate(rows_of(200, random), one_thread, {.plain = true});
    const Regressor again = Regressor::from_bytes(model.to_bytes());
    const Predicted batch = model.predict_interval(rows, levels, one_thread, 3);
    Index different = 0;
    for (Index row = 0; row < rows.rows(); ++row) {
      const Predicted one = again.predict_interval(row_of(rows, row), levels, one_thread, 3);
      const Predicted other = again.predict_interval(row_of(rows, row), levels, one_thread, 4);
      for (std::size_t level = 0; level < 2; ++level) {
        EXPECT_TRUE(are_equal(one.at(0, level), batch.at(row, level)));
        different += are_equal(one.at(0, level), other.at(0, level)) ? 0 : 1;
      }
      if (!local) continue;
      std::array<Interval, 2> alone;
      const std::array cells = {rows.values(row, 0), rows.values(row, 1)};
      model.predict_row(cells, levels, alone);
      const Predicted plain = model.predict_interval(rows, levels, one_thread);
      for (std::size_t level = 0; level < 2; ++level) EXPECT_TRUE(are_equal(alone[level], plain.at(row, level)));
    }
    EXPECT_GT(different, 0);
  }
  // The same fit and seed give the same secret, other calibration rows another one.
  Random a(5), b(5);
  EXPECT_EQ(fitted(a).to_bytes(), fitted(b).to_bytes());
}

// Sets of a score that takes a random number: one row a call.
TEST(Served, RandomisedSetsOfOneRowACallCover) {
  Random random(3);
  auto classes = testing::given_probabilities("randomized-aps");
  Classifier model =
      Classifier::fit(testing::labelled_rows(300, 3, random, 1.0).table, testing::label_options("fixed"), classes, one_thread);
  const std::array level = {0.8};
  Mean mean;
  for (Index again = 0; again < 60; ++again) {
    model.calibrate(testing::labelled_rows(19, 3, random, 1.0).table, one_thread);
    double covered = 0;
    for (Index row = 0; row < 40; ++row) {
      const auto fresh = testing::labelled_rows(1, 3, random, 1.0);
      covered += model.predict_sets(fresh.table, level, one_thread, {.allow_empty = true})
                             .set(0, 0)[static_cast<std::size_t>(fresh.labels.front())] != 0
                     ? 1
                     : 0;
    }
    mean.add(covered / 40);
  }
  EXPECT_LT(std::abs(mean.mean() - 0.8), 4.5 * mean.error()) << mean.mean();
}

}  // namespace
}  // namespace taut
