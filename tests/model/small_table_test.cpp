// Very few rows: no level is promised that they cannot deliver, and nothing fails.
#include <taut/calibrate/rank.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::quick_options;
using testing::small_table;

void expect_sound(const Table& table, const FitOptions& options, const std::string& what) {
  const Regressor model = Regressor::fit(table, options);
  const Index calibration = model.distribution().rows();
  ASSERT_GE(calibration, 1) << what;
  EXPECT_EQ(model.record().predictor_rows + calibration, table.rows()) << what;
  const std::vector<double> levels = {0.1, 0.5, 0.9, 0.99};
  const Predicted predicted = model.predict_interval(small_table(50, 2), levels);
  for (Index row = 0; row < 50; ++row) {
    EXPECT_TRUE(std::isfinite(predicted.prediction[static_cast<std::size_t>(row)])) << what;
    for (std::size_t level = 0; level < levels.size(); ++level)
      EXPECT_EQ(std::isfinite(predicted.at(row, level).width()), exact_rank(calibration, levels[level]) <= calibration) << what;
  }
}

TEST(SmallTable, EveryPredictorAndLocalizerTakesFourRowsOrMore) {
  for (const Index rows : {4, 5, 6, 10, 15, 19, 20})
    for (const auto& predictor : predictors().entries())
      for (const auto& localizer : localizers().entries()) {
        FitOptions options = quick_options();
        options.predictor = predictor.example;
        options.localizer = localizer.name;
        options.hidden = {5};
        options.epochs = 5;
        expect_sound(small_table(rows), options, predictor.name + ", " + localizer.name + ", " + std::to_string(rows));
      }
}

// No candidate is kept if its standard error is unknown: with 20 to 60 rows the folds have fewer than two groups of twenty rows
// or more.
TEST(SmallTable, NoCandidateIsKeptByAnInfiniteError) {
  int curves = 0;
  for (const Index rows : {20, 30, 45, 60, 75})
    for (const int seed : {1, 2, 3, 4, 5, 6}) {
      FitOptions options = quick_options();
      options.transform = "curve";
      options.predictor = "linear";
      options.seed = seed;
      const Regressor model = Regressor::fit(small_table(rows, static_cast<std::uint64_t>(seed)), options);
      for (const CandidateRecord& candidate : model.record().candidates) {
        if (!candidate.kept) continue;
        EXPECT_TRUE(std::isfinite(candidate.standard_error)) << rows << " rows, " << candidate.name;
        EXPECT_TRUE(std::isfinite(candidate.validation_loss)) << rows << " rows, " << candidate.name;
        ++curves;
      }
    }
  EXPECT_GT(curves, 0);
}

TEST(SmallTable, EveryTransformationTakesFourRowsOrMore) {
  for (const Index rows : {4, 9})
    for (const auto& transform : transforms().entries()) {
      FitOptions options = quick_options();
      options.transform = transform.example;
      options.objective = "size";
      options.epochs = 5;
      expect_sound(small_table(rows), options, transform.name + ", " + std::to_string(rows));
    }
}

}  // namespace
}  // namespace taut
