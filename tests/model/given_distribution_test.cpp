// Models on given predictive distributions: quantiles at any levels, or samples.
#include <taut/calibrate/question.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::small_table;

double log_odds(double p) { return std::log(p / (1 - p)); }

constexpr std::array five = {0.05, 0.25, 0.5, 0.75, 0.95};

// The columns of `cos`, and the quantiles of a logistic distribution around f of this scale.
template <class Scale>
Table with_quantiles(Index rows, std::uint64_t seed, Scale scale_of_row) {
  Table table = small_table(rows, seed);
  const Index f = *find_column(table.columns, "f"), first = table.values.cols();
  table.values.conservativeResize(Eigen::NoChange, first + std::ssize(five));
  for (std::size_t k = 0; k < five.size(); ++k) {
    table.columns.push_back({"q" + print_number(five[k])});
    for (Index row = 0; row < rows; ++row)
      table.values(row, first + static_cast<Index>(k)) = table.values(row, f) + scale_of_row(table, row) * log_odds(five[k]);
  }
  return table;
}

Table with_quantiles(Index rows, std::uint64_t seed) {
  return with_quantiles(rows, seed, [](const Table&, Index) { return 0.5; });
}

FitOptions options_of_quantiles(const std::string& scale = "auto", const std::string& transform = "curve") {
  FitOptions options;
  options.target = "y";
  options.quantile_columns = {"q*"};
  options.drop = {"f", "sigma"};
  options.score_scale = scale;
  options.transform = transform;
  return options;
}

// Computed here from the definition: the sorted |T(y)|, the exact rank, and the given quantile function at ±q.
TEST(GivenDistributions, FixedIsTheGivenDistributionAtOneRank) {
  const Table train = with_quantiles(100, 1), calibration = with_quantiles(99, 2), fresh = with_quantiles(50, 3);
  const Regressor model = Regressor::fit(train, options_of_quantiles("auto", "fixed"), {}, &calibration);
  const auto column = [](const Table& table, const char* name) { return table.values.col(*find_column(table.columns, name)); };
  // The quantiles are those of a logistic distribution, so T(y) = (y − f) / 0.5.
  std::vector<double> scores;
  for (Index row = 0; row < calibration.rows(); ++row)
    scores.push_back(std::abs(column(calibration, "y")[row] - column(calibration, "f")[row]) / 0.5);
  std::sort(scores.begin(), scores.end());
  const std::array levels = {0.5, 0.9};
  const Predicted predicted = model.predict_interval(fresh, levels);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const double q = scores[static_cast<std::size_t>(std::lround(100 * levels[level])) - 1];
    for (Index row = 0; row < fresh.rows(); ++row) {
      EXPECT_NEAR(predicted.at(row, level).upper, column(fresh, "f")[row] + 0.5 * q, 1e-9 * (1 + q));
      EXPECT_NEAR(predicted.at(row, level).lower, column(fresh, "f")[row] - 0.5 * q, 1e-9 * (1 + q));
    }
  }
}

// The given distributions do not show where the noise is large; the trained part learns it from x, on either scale.
TEST(GivenDistributions, TheTrainedPartLearnsFromXWhatTheDistributionLacks) {
  const Table train = with_quantiles(1500, 1), fresh = with_quantiles(500, 2);
  const Index sigma = *find_column(fresh.columns, "sigma");
  for (const char* scale : {"probability", "as-is", "auto"}) {
    const Regressor model = Regressor::fit(train, options_of_quantiles(scale));
    EXPECT_NE(model.transform_name(), "fixed") << scale;
    const std::array levels = {0.9};
    const Predicted predicted = model.predict_interval(fresh, levels);
    double quiet = 0, loud = 0, quiet_rows = 0, loud_rows = 0;
    for (Index row = 0; row < fresh.rows(); ++row) {
      const bool is_loud = fresh.values(row, sigma) > 1;
      (is_loud ? loud : quiet) += predicted.at(row, 0).width();
      (is_loud ? loud_rows : quiet_rows) += 1;
    }
    EXPECT_LT(3 * quiet / quiet_rows, loud / loud_rows) << scale;
  }
}

// Right distributions that x says nothing more about are kept as they are, or changed so little that it does not matter.
TEST(GivenDistributions, RightDistributionsStayNearlyAsTheyAre) {
  const auto right = [](const Table& table, Index row) { return 0.55 * table.values(row, *find_column(table.columns, "sigma")); };
  const Regressor model = Regressor::fit(with_quantiles(1500, 1, right), options_of_quantiles());
  const Table fresh = with_quantiles(500, 2, right);
  const std::array levels = {0.8};
  const Predicted predicted = model.predict_interval(fresh, levels);
  const Index sigma = *find_column(fresh.columns, "sigma");
  double sum = 0, squares = 0;
  for (Index row = 0; row < fresh.rows(); ++row) {
    const double log_width = std::log(predicted.at(row, 0).width() / fresh.values(row, sigma));
    sum += log_width / 500;
    squares += log_width * log_width / 500;
  }
  EXPECT_LT(std::sqrt(squares - sum * sum), 0.25);
}

// predict_row, distribution_at, batches and a loaded file give the same answers.
TEST(GivenDistributions, RowsBatchesAndFilesAgree) {
  Table train = with_quantiles(300, 1), fresh = with_quantiles(40, 2);
  const Index first = *find_column(fresh.columns, "q0.05");
  for (Index row = 0; row < fresh.rows(); row += 3) std::swap(fresh.values(row, first), fresh.values(row, first + 3));
  for (const char* scale : {"probability", "as-is"})
    for (const char* transform : {"curve", "exp", "fixed"}) {
      const Regressor model = Regressor::fit(train, options_of_quantiles(scale, transform));
      const Regressor loaded = Regressor::from_bytes(model.to_bytes());
      EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
      const std::array levels = {0.3, 0.9};
      const Predicted all = model.predict_interval(fresh, levels), again = loaded.predict_interval(fresh, levels);
      const auto schema = model.prediction_schema();
      for (Index row = 0; row < fresh.rows(); ++row) {
        std::vector<double> cells;
        for (const Column& column : schema) cells.push_back(fresh.values(row, *find_column(fresh.columns, column.name)));
        std::array<Interval, 2> out;
        const double f = model.predict_row(cells, levels, out);
        EXPECT_EQ(f, all.prediction[static_cast<std::size_t>(row)]);
        const auto distribution = model.distribution_at(cells);
        for (std::size_t level = 0; level < levels.size(); ++level) {
          EXPECT_EQ(out[level].lower, all.at(row, level).lower);
          EXPECT_EQ(out[level].upper, all.at(row, level).upper);
          EXPECT_EQ(again.at(row, level).lower, all.at(row, level).lower);
          EXPECT_EQ(again.at(row, level).upper, all.at(row, level).upper);
          EXPECT_EQ(distribution.interval(levels[level]).upper, all.at(row, level).upper);
        }
        EXPECT_LE(distribution.quantile(0.1), distribution.quantile(0.9));
        EXPECT_LE(distribution.cdf(f - 1), distribution.cdf(f + 1));
        EXPECT_GT(distribution.crps(f), 0);
      }
    }
}

TEST(GivenDistributions, EveryQuestionIsAnswered) {
  const Table train = with_quantiles(300, 1), fresh = with_quantiles(30, 2);
  for (const char* scale : {"probability", "as-is"}) {
    const Regressor model = Regressor::fit(train, options_of_quantiles(scale));
    std::vector<std::unique_ptr<Question>> asked;
    for (const char* text : {"interval:0.8", "upper:0.9", "quantile:0.3", "below:0", "cdf", "crps", "mean", "samples:3"})
      asked.push_back(questions().make(text));
    std::vector<double> values(30, 0.5);
    const Answers answers = model.ask(fresh, asked, {.values = values});
    EXPECT_TRUE(answers.values.allFinite()) << scale;
    const auto evaluation = model.evaluate(with_quantiles(200, 3), std::array{0.9});
    EXPECT_GT(evaluation.distribution.crps, 0);
  }
}

TEST(GivenDistributions, SamplesAreTheirEmpiricalQuantiles) {
  Table samples = small_table(400, 1), quantiles = samples;
  const Index f = *find_column(samples.columns, "f"), first = samples.values.cols();
  constexpr Index count = 39;
  const auto levels = levels_of_samples(count);
  samples.values.conservativeResize(Eigen::NoChange, first + count);
  quantiles.values.conservativeResize(Eigen::NoChange, first + std::ssize(levels));
  Random random(3);
  for (Index row = 0; row < samples.rows(); ++row) {
    std::vector<double> own;
    for (Index k = 0; k < count; ++k) own.push_back(samples.values(row, first + k) = samples.values(row, f) + random.normal());
    std::sort(own.begin(), own.end());
    for (std::size_t k = 0; k < levels.size(); ++k)
      quantiles.values(row, first + static_cast<Index>(k)) = quantile_of_samples(own, levels[k]);
  }
  for (Index k = 0; k < count; ++k) samples.columns.push_back({"s" + std::to_string(k + 1)});
  for (const double level : levels) quantiles.columns.push_back({"q" + print_number(level)});
  FitOptions of_samples = options_of_quantiles(), of_quantiles = options_of_quantiles();
  of_samples.quantile_columns.clear();
  of_samples.sample_columns = {"s?", "s??"};
  const std::array asked = {0.5, 0.9};
  const Predicted a = Regressor::fit(samples, of_samples).predict_interval(samples, asked);
  const Predicted b = Regressor::fit(quantiles, of_quantiles).predict_interval(quantiles, asked);
  EXPECT_EQ(a.prediction, b.prediction);
  for (std::size_t i = 0; i < a.intervals.size(); ++i) EXPECT_EQ(a.intervals[i].upper, b.intervals[i].upper);
}

TEST(GivenDistributions, StreamsAndFreshCalibrationRowsNeedTheColumns) {
  Regressor model = Regressor::fit(with_quantiles(300, 1), options_of_quantiles());
  model.calibrate(with_quantiles(99, 4));
  const std::array levels = {0.9};
  const Streamed streamed = model.stream(with_quantiles(60, 5), levels);
  EXPECT_EQ(streamed.rows(), 60);
  EXPECT_THROW(model.predict_interval(small_table(10, 1), levels), Error);
}

// A distribution of a billion at one row must not outweigh all others.
TEST(GivenDistributions, AbsurdQuantilesAreLimited) {
  const Regressor model = Regressor::fit(with_quantiles(400, 1), options_of_quantiles());
  const Table fresh = with_quantiles(2, 2, [](const Table&, Index row) { return row == 0 ? 0.5 : 1e9; });
  const std::array levels = {0.9};
  const Predicted predicted = model.predict_interval(fresh, levels);
  EXPECT_LT(predicted.at(1, 0).width(), 1000);
  EXPECT_GT(predicted.at(1, 0).width(), predicted.at(0, 0).width());
  EXPECT_EQ(Regressor::from_bytes(model.to_bytes()).predict_interval(fresh, levels).at(1, 0).upper, predicted.at(1, 0).upper);
}

TEST(GivenDistributions, CrossedQuantilesRaiseAnAlarm) {
  Table table = with_quantiles(300, 1);
  const Index first = *find_column(table.columns, "q0.05");
  std::swap(table.values(7, first), table.values(7, first + 4));
  std::vector<std::string> told;
  ExecutionContext context;
  context.say = [&](std::string_view words) { told.emplace_back(words); };
  Regressor::fit(table, options_of_quantiles("auto", "fixed"), context);
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const std::string& words) {
    return words.find("quantiles that fall from one level to a higher one") != std::string::npos;
  }));
}

}  // namespace
}  // namespace taut
