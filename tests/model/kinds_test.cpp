// How every function of a model treats columns: categories, texts among numbers, invalid codes in a table that was filled by
// hand.
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/plan/columns.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/files.hpp>

#include <gtest/gtest.h>

#include <array>

namespace taut {
namespace {

// Columns x, kind (a category) and y.
Table rows_of_kinds(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table{"t", {{"x"}, {"kind", ColumnKind::category, {"a", "b", "c"}}, {"y"}}, Matrix(rows, 3), {}};
  for (Index row = 0; row < rows; ++row) {
    const double kind = static_cast<double>(random.below(3)), x = random.normal();
    table.values.row(row) << x, kind, x + kind + random.normal();
  }
  return table;
}

FitOptions options_for(const std::string& predictor, const std::string& localizer) {
  FitOptions options;
  options.target = "y";
  options.predictor = predictor;
  options.localizer = localizer;
  options.effort = "quick";
  options.hidden = {4};
  options.epochs = 3;
  return options;
}

// Such a code once caused a write out of bounds.
TEST(Kinds, CodesOutOfRangeAreRefusedByEveryFunction) {
  const std::array levels{0.9};
  const Table good = rows_of_kinds(60, 1);
  for (const auto& predictor : predictors().entries()) {
    const FitOptions options = options_for(predictor.example, "boost");
    const Regressor model = Regressor::fit(good, options);
    for (const double code : {-1.0, 1e6, 0.5, -infinity}) {
      Table bad = good;
      bad.values(7, 1) = code;
      const auto refuses = [&](auto action) { expect_words(complaint(action), {"row 8", "'kind'", "3 categories"}); };
      refuses([&] { Regressor::fit(bad, options); });
      refuses([&] { Regressor::fit(good, options, {}, &bad); });
      refuses([&] { Regressor(Regressor::from_bytes(model.to_bytes())).calibrate(bad); });
      refuses([&] { model.predict(bad); });
      refuses([&] { model.predict_interval(bad, levels); });
      refuses([&] { model.log_scales(bad); });
      refuses([&] { model.evaluate(bad, levels); });
      refuses([&] {
        DriftCheck check = model.begin_drift_check();
        model.add_rows(check, bad);
      });
      std::array<Interval, 1> out;
      const Table matched = match(good, model.prediction_schema());
      std::array<double, 2> row{matched.values(7, 0), code};
      expect_words(complaint([&] { model.predict_row(row, levels, out); }), {"'kind'", "code"});
    }
  }
}

TEST(Kinds, OneRowAtATimeIsReadLikeManySlow) {
  const std::array levels{0.5, 0.9};
  Table training = rows_of_kinds(120, 1);
  for (Index row = 0; row < 120; row += 5) training.values(row, row % 2) = missing;
  Table rows{"new",
             {{"x", ColumnKind::category, {"?", "0.5", "inf"}, true}, {"kind", ColumnKind::category, {"a", "new"}}},
             Matrix(6, 2),
             {}};
  rows.values << 0, 0, 1, 1, missing, missing, 2, 0, 1, missing, 1, 0;
  for (const auto& predictor : predictors().entries())
    for (const auto& localizer : localizers().entries()) {
      const Regressor model = Regressor::fit(training, options_for(predictor.example, localizer.name));
      const Predicted many = model.predict_interval(rows, levels);
      const Table matched = match(rows, model.prediction_schema());
      for (Index row = 0; row < rows.rows(); ++row) {
        std::array<Interval, 2> out;
        const std::array<double, 2> cells{matched.values(row, 0), matched.values(row, 1)};
        EXPECT_EQ(model.predict_row(cells, levels, out), many.prediction[static_cast<std::size_t>(row)]);
        for (std::size_t level = 0; level < 2; ++level) {
          EXPECT_TRUE(out[level].finite());
          EXPECT_EQ(out[level].lower, many.at(row, level).lower);
          EXPECT_EQ(out[level].upper, many.at(row, level).upper);
        }
      }
    }
}

// A target column with a text in it is a category of texts. Rows whose text is a number can be used, others are refused by name.
TEST(Kinds, ATargetOfTexts) {
  Table table{"t", {{"y", ColumnKind::category, {"1.5", "?", "2"}, true}}, Matrix(3, 1), {}};
  table.values << 2, 0, 1;
  EXPECT_EQ(numbers_of(table, "y", Rows{0, 1}, "target"), (std::vector<double>{2, 1.5}));
  expect_words(complaint([&] { numbers_of(table, "y", Rows{0, 1, 2}, "target"); }), {"row 3", "'y'", "target", "missing value"});
  table.values(2, 0) = 7;
  EXPECT_THROW(numbers_of(table, "y", Rows{2}, "target"), Error);
}

// New rows whose category column happens to hold only numbers, or whose number column holds a text, are predicted in the same
// way.
TEST(Kinds, TheModelsColumnsHoldForEveryTable) {
  Table training = rows_of_kinds(100, 3);
  training.columns[1].categories = {"1", "2", "x"};
  const Regressor model = Regressor::fit(training, options_for("linear", "none"));
  ASSERT_TRUE(model.prediction_schema()[1].is_categorical());
  Table numbers{"n", {{"x"}, {"kind"}}, Matrix(2, 2), {}},
      texts{"t", {{"x", ColumnKind::category, {"0.25"}, true}, {"kind", ColumnKind::category, {"1", "2"}}}, Matrix(2, 2), {}};
  numbers.values << 0.25, 1, 0.25, 2;
  texts.values << 0, 0, 0, 1;
  EXPECT_EQ(model.predict(numbers), model.predict(texts));
}

}  // namespace
}  // namespace taut
