// Shares of whole models add up to the model's numbers, for every kind of predictor, localizer and transformation.
#include <taut/core/random.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/explain/influence.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

// Numbers, missing cells and a category; the noise grows with `loud` on the upper side only, and the target is positive.
Table sample_table(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.columns = {{"a"}, {"loud"}, {"b"}, {"kind", ColumnKind::category, {"red", "green", "blue"}}, {"y"}};
  table.values.resize(rows, 5);
  for (Index i = 0; i < rows; ++i) {
    const double a = random.normal(), loud = random.uniform(), b = random.normal(), kind = static_cast<double>(random.below(3));
    const double noise = random.normal();
    table.values.row(i) << a, loud, random.uniform() < 0.1 ? missing : b, kind,
        std::exp(0.5 * a + 0.2 * kind) + (noise > 0 ? (0.05 + loud) : 0.1) * noise * 0.3 + 3;
  }
  return table;
}

FitOptions options_for_tests() {
  FitOptions options;
  options.target = "y";
  options.effort = "quick";
  options.predictor = "boost";
  return options;
}

void expect_sums(const Attribution& attribution) {
  ASSERT_EQ(std::ssize(attribution.value), attribution.shares.rows());
  for (Index row = 0; row < attribution.shares.rows(); ++row) {
    const double value = attribution.value[static_cast<std::size_t>(row)], size = attribution.shares.row(row).cwiseAbs().sum();
    EXPECT_NEAR(attribution.base + attribution.shares.row(row).sum(), value, 1e-12 * (1 + size + std::abs(value)));
  }
}

void expect_explained(const Regressor& model, const Table& table, double max_rounding = 1e-5) {
  const Explanation explanation = Explainer(model, {.walks = 8}).explain(table);
  EXPECT_LT(explanation.rounding, max_rounding);
  ASSERT_TRUE(explanation.prediction.has_value());
  expect_sums(*explanation.prediction);
  EXPECT_EQ(explanation.prediction->value, model.predict(table));
  const Matrix logs = model.log_scales(table);
  if (!explanation.width) {
    EXPECT_EQ(model.transform().n_params(), 0);
    return;
  }
  expect_sums(*explanation.width);
  for (const Attribution& end : explanation.ends) expect_sums(end);
  for (Index row = 0; row < logs.rows() && logs.cols() > 0; ++row) {
    const double low = std::exp(logs(row, 0)), high = std::exp(logs(row, logs.cols() - 1));
    EXPECT_NEAR(explanation.width->value[static_cast<std::size_t>(row)], std::log(low + high), 1e-9);
  }
  if (logs.cols() == 2) {
    ASSERT_EQ(explanation.ends.size(), 2U);
    for (Index row = 0; row < logs.rows(); ++row)
      for (Index side = 0; side < 2; ++side)
        EXPECT_NEAR(explanation.ends[static_cast<std::size_t>(side)].value[static_cast<std::size_t>(row)], logs(row, side), 1e-9);
  }
}

TEST(Explanation, AddsUpForOneAndForTwoSides) {
  const Table table = sample_table(600, 1), fresh = sample_table(50, 2);
  for (const char* sides : {"one", "two"}) {
    FitOptions options = options_for_tests();
    options.sides = sides;
    const Regressor model = Regressor::fit(table, options);
    ASSERT_EQ(model.sides(), sides == std::string("one") ? 1 : 2);
    ASSERT_GT(model.members(), 1);
    expect_explained(model, fresh);
  }
}

TEST(Explanation, AddsUpForEveryPredictor) {
  const Table table = sample_table(300, 3), fresh = sample_table(10, 4);
  for (const auto& entry : predictors().entries()) {
    FitOptions options = options_for_tests();
    options.predictor = entry.example;
    options.transform = "exp";
    options.epochs = 10;
    SCOPED_TRACE(entry.name);
    expect_explained(Regressor::fit(table, options), fresh);
  }
}

TEST(Explanation, AddsUpOnEveryScaleOfTheTarget) {
  const Table table = sample_table(300, 5), fresh = sample_table(10, 6);
  for (const char* scale : {"root", "log"})
    for (const char* predictor : {"boost", "linear", "knn"}) {
      FitOptions options = options_for_tests();
      options.predictor = predictor;
      options.target_scale = scale;
      options.transform = "fixed";  // one width: only f depends on the target scale
      SCOPED_TRACE(std::string(scale) + " " + predictor);
      expect_explained(Regressor::fit(table, options), fresh);
    }
}

TEST(Explanation, AddsUpForEveryTransformation) {
  const Table table = sample_table(300, 7), fresh = sample_table(10, 8);
  for (const auto& entry : transforms().entries()) {
    FitOptions options = options_for_tests();
    options.transform = entry.example;
    options.objective = entry.name == "erc" ? "size" : "";
    options.epochs = 10;
    SCOPED_TRACE(entry.name);
    expect_explained(Regressor::fit(table, options), fresh);
  }
}

TEST(Explanation, AddsUpForOtherLocalizers) {
  const Table table = sample_table(300, 9), fresh = sample_table(10, 10);
  for (const char* localizer : {"mlp", "constant"}) {
    FitOptions options = options_for_tests();
    options.localizer = localizer;
    options.hidden = {4};
    options.epochs = 10;
    SCOPED_TRACE(localizer);
    expect_explained(Regressor::fit(table, options), fresh);
  }
}

TEST(Explanation, OneRowIsTheSameAsATable) {
  const Regressor model = Regressor::fit(sample_table(300, 11), options_for_tests());
  const Table fresh = sample_table(5, 12);
  const Explanation all = Explainer(model, {}).explain(fresh);
  const TableView seen = TableView(fresh).matched(model.prediction_schema());
  for (Index row = 0; row < fresh.rows(); ++row) {
    std::vector<double> cells(4);  // with the category codes of the model
    seen.copy_row(row, cells.data());
    const Explanation one = Explainer(model).explain(cells);
    EXPECT_EQ(one.prediction->shares.row(0), all.prediction->shares.row(row));
    if (all.width) {
      EXPECT_EQ(one.width->shares.row(0), all.width->shares.row(row));
    }
  }
}

TEST(Explanation, SurvivesTheFile) {
  const Regressor model = Regressor::fit(sample_table(300, 13), options_for_tests());
  const Table fresh = sample_table(20, 14);
  const Regressor loaded = Regressor::from_bytes(model.to_bytes());
  EXPECT_EQ(Explainer(model, {}).explain(fresh).prediction->shares, Explainer(loaded, {}).explain(fresh).prediction->shares);
}

TEST(Explanation, GivenPredictionsExplainWidthsOnly) {
  Table table = sample_table(600, 15);
  table.columns.push_back({"f"});
  table.values.conservativeResize(Eigen::NoChange, 6);
  for (Index i = 0; i < table.rows(); ++i) table.values(i, 5) = std::exp(0.5 * table.values(i, 0)) + 3;
  FitOptions options = options_for_tests();
  options.prediction = "f";
  const Regressor model = Regressor::fit(table, options);
  const Explanation explanation = Explainer(model, {}).explain(table);
  EXPECT_FALSE(explanation.prediction.has_value());
  if (explanation.width) expect_sums(*explanation.width);
}

TEST(Explanation, TheSummaryNamesTheCauseOfNoise) {
  const Table table = sample_table(3000, 16), fresh = sample_table(500, 17);
  Influence influence;
  influence.add(Explainer(Regressor::fit(table, options_for_tests())).explain(fresh));
  ASSERT_TRUE(influence.has_width());
  EXPECT_EQ(influence.by_width().front().column, "loud");
  EXPECT_EQ(influence.by_prediction().front().column, "a");
}

TEST(Explanation, WordsNameTheLargestSharesFirst) {
  Explanation explanation{{"rooms", "age", "lot"}, 3};
  explanation.prediction = Attribution{100, {110}, Matrix(1, 3)};
  explanation.prediction->shares << 12, -2, 0;
  explanation.width = Attribution{0, {std::log(2.0)}, Matrix(1, 3)};
  explanation.width->shares << 0, std::log(0.5), std::log(4.0);
  EXPECT_EQ(
      describe_reasons(explanation, 0, 2, 8),
      "prediction 110, usually 100: rooms +12, age -2; width 8, 2 times the usual: lot makes it 4 times as wide, age 0.5 times");
  EXPECT_EQ(describe_reasons(explanation, 0, 1, missing),
            "prediction 110, usually 100: rooms +12; width 2 times the usual: lot makes it 4 times as wide");
}

}  // namespace
}  // namespace taut
