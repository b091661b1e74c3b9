// Scores on the root or log scale of the target, from the choice by validation rows to the file.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace taut {
namespace {

const std::vector<double> levels = {0.68, 0.9};

// f = e^(2x) is given. The error of y is a factor, or added with the same size everywhere.
Table skewed(Index rows, std::uint64_t seed, bool is_factor) {
  Table table{.source = "rows", .columns = {{"x"}, {"f"}, {"y"}}, .values = Matrix(rows, 3), .lines = {}};
  Random random(seed);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), f = std::exp(2 * x), e = random.normal();
    table.values.row(i) << x, f, is_factor ? f * std::exp(0.7 * e) : f + 0.02 * std::abs(e);
  }
  return table;
}

FitOptions options_of(const std::string& scale) {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.split = "cross";
  options.score_scale = scale;
  return options;
}

std::string scale_of(const Regressor& model) { return number_task(model.parts()).score.score_scale().name(); }

bool same_bits(const Predicted& a, const Predicted& b) {
  return a.intervals.size() == b.intervals.size() &&
         std::memcmp(a.intervals.data(), b.intervals.data(), a.intervals.size() * sizeof(Interval)) == 0;
}

TEST(ScoreScaleOfAModel, ValidationRowsChooseAnotherScaleWhereErrorsAreFactors) {
  const Table table = skewed(200, 1, true), fresh = skewed(300, 2, true);
  const Regressor model = Regressor::fit(table, options_of("auto"));
  const std::string scale = scale_of(model);
  EXPECT_NE(scale, "as-is");
  EXPECT_TRUE(
      same_bits(model.predict_interval(fresh, levels), Regressor::fit(table, options_of(scale)).predict_interval(fresh, levels)));
  for (const Interval& interval : model.predict_interval(fresh, levels).intervals) EXPECT_GE(interval.lower, 0);
}

TEST(ScoreScaleOfAModel, ErrorsOfOneSizeKeepTheTargetAsItIs) {
  const Table table = skewed(200, 1, false), fresh = skewed(300, 2, false);
  const Regressor model = Regressor::fit(table, options_of("auto")), as_is = Regressor::fit(table, options_of("as-is"));
  EXPECT_EQ(scale_of(model), "as-is");
  EXPECT_TRUE(same_bits(model.predict_interval(fresh, levels), as_is.predict_interval(fresh, levels)));
}

TEST(ScoreScaleOfAModel, ManyRowsAreNotTriedOnOtherScales) {
  FitOptions options = options_of("auto");
  options.transform = "exp";
  EXPECT_EQ(scale_of(Regressor::fit(skewed(3000, 1, true), options)), "as-is");
}

TEST(ScoreScaleOfAModel, FilesKeepItAndAnswersStayTheSame) {
  const Table table = skewed(200, 1, true), fresh = skewed(100, 2, true);
  for (const char* scale : {"root", "log"})
    for (const char* transform : {"fixed", "exp", "curve"}) {
      FitOptions options = options_of(scale);
      options.transform = transform;
      const Regressor model = Regressor::fit(table, options), loaded = Regressor::from_bytes(model.to_bytes());
      EXPECT_EQ(scale_of(loaded), scale);
      EXPECT_TRUE(loaded.to_bytes() == model.to_bytes());
      const Predicted predicted = model.predict_interval(fresh, levels);
      EXPECT_TRUE(same_bits(predicted, loaded.predict_interval(fresh, levels))) << scale << " " << transform;
      std::vector<Interval> one(levels.size());
      for (Index row = 0; row < fresh.rows(); ++row) {
        const std::vector<double> cells = {fresh.values(row, 0), fresh.values(row, 1)};
        EXPECT_EQ(model.predict_row(cells, levels, one), fresh.values(row, 1));
        EXPECT_EQ(one[1].lower, predicted.at(row, 1).lower);
        EXPECT_EQ(one[1].upper, predicted.at(row, 1).upper);
      }
    }
}

TEST(ScoreScaleOfAModel, FilesWithoutItAreAsIs) {
  const Table table = skewed(200, 1, true), fresh = skewed(100, 2, true);
  const Regressor model = Regressor::fit(table, options_of("as-is"));
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes.find("score_scale"), std::string::npos);
  EXPECT_EQ(scale_of(Regressor::from_bytes(bytes)), "as-is");
}

TEST(ScoreScaleOfAModel, CalibrationRowsUpToZeroMakeIntervalsTheWholeLineAtHighLevelsOnly) {
  Regressor model = Regressor::fit(skewed(200, 1, true), options_of("log"));
  Table rows = skewed(99, 3, true);
  for (Index i = 0; i < 4; ++i) rows.values(i, 2) = i % 2 == 0 ? 0 : -1;
  model.calibrate(rows);
  const std::vector<double> both = {0.9, 0.97};
  const Predicted predicted = model.predict_interval(skewed(50, 4, true), both);
  for (Index row = 0; row < 50; ++row) {
    EXPECT_GT(predicted.at(row, 0).lower, 0);
    EXPECT_TRUE(predicted.at(row, 0).finite());
    EXPECT_EQ(predicted.at(row, 1).lower, -infinity);
    EXPECT_EQ(predicted.at(row, 1).upper, infinity);
  }
  const NumberEvaluation evaluation = model.evaluate(rows, both);
  EXPECT_TRUE(std::isfinite(evaluation.distribution.crps));
}

TEST(ScoreScaleOfAModel, PredictionsUpToZeroCountAsASmallPositiveNumber) {
  const Regressor model = Regressor::fit(skewed(200, 1, true), options_of("log"));
  Table rows = skewed(2, 4, true);
  rows.values(0, 1) = -3;
  rows.values(1, 1) = 0;
  const Predicted predicted = model.predict_interval(rows, levels);
  EXPECT_EQ(predicted.prediction[0], -3);
  EXPECT_GT(predicted.at(0, 1).lower, 0);
  EXPECT_TRUE(predicted.at(0, 1).finite());
}

TEST(ScoreScaleOfAModel, RefusesWhatItCannotMeasure) {
  Table table = skewed(200, 1, true);
  FitOptions ends = options_of("log");
  ends.prediction.clear();
  ends.lower_prediction = "x";
  ends.upper_prediction = "f";
  EXPECT_THROW(Regressor::fit(table, ends), UsageError);
  FitOptions unknown = options_of("cube");
  EXPECT_THROW(Regressor::fit(table, unknown), UsageError);
  table.values.col(2).array() -= 1;
  EXPECT_THROW(Regressor::fit(table, options_of("log")), Error);
  EXPECT_NO_THROW(Regressor::fit(table, options_of("root")));
}

// In a stream whose targets are all multiplied by e from some row on, the centre follows on the log scale.
TEST(ScoreScaleOfAModel, StreamsMoveTheCentreByAFactor) {
  FitOptions options = options_of("log");
  options.in_order = true;
  options.split.clear();
  options.transform = "fixed";
  Regressor model = Regressor::fit(skewed(300, 1, true), options);
  Table rows = skewed(600, 2, true);
  rows.values.col(2) *= std::exp(1);
  StreamOptions stream;
  stream.recentre = true;
  const Streamed streamed = model.stream(rows, levels, stream);
  double shift = 0;
  for (Index row = 500; row < 600; ++row) {
    const auto at = static_cast<std::size_t>(row);
    shift += std::log(streamed.prediction[at] / rows.values(row, 1)) / 100;
    EXPECT_GT(streamed.intervals[2 * at].lower, 0);
  }
  EXPECT_NEAR(shift, 1, 0.3);
}

TEST(ScoreScaleOfAModel, CvPlusMixesModelsInUnitsOfTheTarget) {
  FitOptions options = options_of("log");
  options.prediction.clear();
  options.drop = {"f"};
  options.predictor = "linear";
  options.split = "cv+:4";
  const Regressor model = Regressor::fit(skewed(80, 1, true), options);
  for (const Interval& interval : model.predict_interval(skewed(40, 2, true), levels).intervals) EXPECT_GT(interval.lower, 0);
}

}  // namespace
}  // namespace taut
