// The disagreement of the predictors of a stack, which is an input of g: what it is, and that every way to predict has the same.
#include <taut/core/random.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

// A smooth effect, which curves learn best, and a step, which trees learn best. Cells of `a` are up to `reach`.
Table wavy_rows(Index rows, std::uint64_t seed, double reach) {
  Random random(seed);
  Table table{.source = "rows", .columns = {{"a"}, {"b"}, {"y"}}, .values = Matrix(rows, 3), .lines = {}};
  for (Index i = 0; i < rows; ++i) {
    const double a = random.uniform(0, reach), b = random.uniform();
    table.values.row(i) << a, b, std::sin(6 * a) + (a * b > 0.3 ? 1 : 0) + (0.1 + 0.2 * b) * random.normal();
  }
  return table;
}

FitOptions stacked() {
  FitOptions options;
  options.target = "y";
  return options;
}

const Regressor& stack_of_waves() {
  static const Regressor model = Regressor::fit(wavy_rows(400, 1, 1), stacked());
  return model;
}

const NumberTask& task_of(const Regressor& model) { return number_task(model.parts()); }

RowPredictions predicted(const Regressor& model, const Table& rows) {
  return task_of(model).predictor.predict(TableView(rows).matched(model.parts().schema), all_rows(rows.rows()), 1);
}

TEST(Disagreement, ComparesTheMembersOfEachFold) {
  const PointPredictor& f = task_of(stack_of_waves()).predictor;
  const Table rows = wavy_rows(50, 2, 1);
  const RowPredictions found = predicted(stack_of_waves(), rows);
  const TableView x = TableView(rows).matched(stack_of_waves().parts().schema);
  ASSERT_GT(f.parts().size(), 1U);
  const Index folds = f.parts().front().predictor.n_members();
  std::vector<double> expected(50);
  for (Index fold = 0; fold < folds; ++fold)
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<double> of_part;
      double mean = 0;
      for (const auto& [predictor, weight] : f.parts()) {
        const MatrixF inputs = f.encoder(predictor.needs()).encode(x, Rows{static_cast<Index>(i)}, 1);
        of_part.push_back(predictor.in_units(predictor.predict_member(static_cast<std::size_t>(fold), inputs, 1).front()));
        mean += weight * of_part.back();
      }
      for (std::size_t k = 0; k < of_part.size(); ++k)
        expected[i] += f.parts()[k].weight * std::abs(of_part[k] - mean) / static_cast<double>(folds);
    }
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i].disagreement, expected[i], 1e-6);
    largest = std::max(largest, expected[i]);
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(Disagreement, IsTheSameForOneRowAndForManyAndAfterLoading) {
  const Regressor& model = stack_of_waves();
  const Regressor loaded = Regressor::from_bytes(model.to_bytes());
  const Table rows = wavy_rows(50, 3, 2);
  const RowPredictions all = predicted(model, rows), again = predicted(loaded, rows);
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(task_of(model).predictor.predict_row(rows.values.row(i).data()).disagreement, all[at].disagreement);
    EXPECT_EQ(again[at].disagreement, all[at].disagreement);
  }
}

// There is hardly any noise: residuals show what f does not know, which is where the step is.
TEST(Disagreement, WidensIntervalsWhereFIsUncertain) {
  const auto rough_rows = [](Index rows, std::uint64_t seed) {
    Table table = wavy_rows(rows, seed, 1);
    Random random(seed);
    for (Index i = 0; i < rows; ++i) {
      const double a = table.values(i, 0), b = table.values(i, 1);
      table.values(i, 2) = std::sin(6 * a) + (a * b > 0.3 ? 1 : 0) + 0.02 * random.normal();
    }
    return table;
  };
  const Regressor model = Regressor::fit(rough_rows(400, 5), stacked());
  ASSERT_TRUE(task_of(model).score.uses_disagreement());
  const Table rows = rough_rows(400, 6);
  const RowPredictions found = predicted(model, rows);
  const auto intervals = model.predict_interval(rows, std::vector{0.9}).intervals;
  std::vector<std::pair<double, double>> by_disagreement;
  for (std::size_t i = 0; i < intervals.size(); ++i) by_disagreement.emplace_back(found[i].disagreement, intervals[i].width());
  std::sort(by_disagreement.begin(), by_disagreement.end());
  double low = 0, high = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    low += by_disagreement[i].second;
    high += by_disagreement[300 + i].second;
  }
  EXPECT_GT(high, 1.5 * low);
}

TEST(Disagreement, IsLeftOutWithThePrediction) {
  FitOptions options = stacked();
  options.see_prediction = "no";
  EXPECT_FALSE(task_of(Regressor::fit(wavy_rows(200, 1, 1), options)).score.uses_disagreement());
  options = stacked();
  options.increasing = {"b"};
  EXPECT_FALSE(task_of(Regressor::fit(wavy_rows(200, 1, 1), options)).score.uses_disagreement());
  options = stacked();
  options.predictor = "boost";
  EXPECT_FALSE(task_of(Regressor::fit(wavy_rows(200, 1, 1), options)).score.uses_disagreement());
  EXPECT_TRUE(task_of(stack_of_waves()).score.uses_disagreement());
}

}  // namespace
}  // namespace taut
