// The mean of several imported models, from cross-fitting: its bits, its file, and the rows that may calibrate.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/fit/imported.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

ForeignModel stump(double left, double right) {
  ForeignModel model;
  model.library = "XGBoost";
  model.has_names = true;
  model.features = {{.name = "a"}};
  model.trees = {{{.left = 1, .right = 2, .feature = 0}, {.value = left}, {.value = right}}};
  model.settle();
  return model;
}

Table rows_of(Index count) {
  Table table{"d.csv", {{"a"}, {"b"}, {"y"}}, Matrix(count, 3), {}};
  Random random(1);
  for (Index row = 0; row < count; ++row) {
    const double a = random.normal();
    table.values.row(row) << a, random.normal(), a + random.normal();
  }
  return table;
}

FitOptions quick() {
  FitOptions options;
  options.target = "y";
  options.split = "cross";
  options.effort = "quick";
  return options;
}

// Three models with out-of-fold predictions for the rows that a cross-fit of `count` rows trains on.
ForeignModel cross_fitted(Index count) {
  ForeignModel mean = stump(-0.1, 0.7);
  mean.add(stump(-0.3, 0.2));
  mean.add(stump(-1.0 / 3, 0.9));
  const RowPlan plan = plan_rows(count, quick(), true, false, "d.csv");
  mean.out_of_fold.assign(static_cast<std::size_t>(count), missing);
  for (const Index row : plan.predictor) mean.out_of_fold[static_cast<std::size_t>(row)] = 0.25;
  return mean;
}

TEST(CrossFitted, PredictsTheSumInOrderDividedByTheNumber) {
  const Table table = rows_of(200);
  const Regressor model = Regressor::fit(table, quick(), cross_fitted(200));
  const auto f = model.predict(table);
  for (Index row = 0; row < 200; ++row) {
    const bool left = table.values(row, 0) <= 0;
    const double expected = left ? (-0.1 + -0.3 + -1.0 / 3) / 3 : (0.7 + 0.2 + 0.9) / 3;
    ASSERT_EQ(f[static_cast<std::size_t>(row)], expected);
  }
  EXPECT_EQ(model.imported()->describe(), "the mean of 3 models of XGBoost, 3 trees");
  EXPECT_TRUE(model.imported()->out_of_fold.empty()) << "they are only for the fit";
}

TEST(CrossFitted, IsWholeInTheFile) {
  const Table table = rows_of(200);
  const Regressor model = Regressor::fit(table, quick(), cross_fitted(200));
  const Regressor back = Regressor::from_bytes(model.to_bytes());
  const std::vector<double> levels = {0.8, 0.9};
  const Predicted before = model.predict_interval(table, levels), after = back.predict_interval(table, levels);
  EXPECT_EQ(before.prediction, after.prediction);
  for (std::size_t i = 0; i < before.intervals.size(); ++i) {
    ASSERT_EQ(before.intervals[i].lower, after.intervals[i].lower);
    ASSERT_EQ(before.intervals[i].upper, after.intervals[i].upper);
  }
  EXPECT_EQ(back.imported()->n_models(), 3);
  EXPECT_EQ(back.to_bytes(), model.to_bytes());
  std::vector<Interval> one(2);
  const std::vector<double> cells(table.values.row(0).data(), table.values.row(0).data() + 2);
  EXPECT_EQ(back.predict_row(cells, levels, one), before.prediction.front());
}

TEST(CrossFitted, RefusesCalibrationRowsThatTrainedAModel) {
  const Table table = rows_of(200);
  ForeignModel everywhere = cross_fitted(200), nowhere = cross_fitted(200), short_one = cross_fitted(200);
  everywhere.out_of_fold.assign(200, 0.25);
  nowhere.out_of_fold.assign(200, missing);
  short_one.out_of_fold.resize(199);
  for (const ForeignModel* wrong : {&everywhere, &nowhere, &short_one})
    EXPECT_THROW(Regressor::fit(table, quick(), *wrong), Error);
}

TEST(CrossFitted, RefusesModelsOfOtherColumns) {
  ForeignModel mean = stump(0, 1), other = stump(0, 1), coded = stump(0, 1);
  other.features[0].name = "b";
  coded.features[0].texts = {"u", "v"};
  EXPECT_THROW(mean.add(other), Error);
  EXPECT_THROW(mean.add(coded), Error);
  EXPECT_EQ(mean.n_models(), 1);
}

}  // namespace
}  // namespace taut
