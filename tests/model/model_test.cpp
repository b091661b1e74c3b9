#include <taut/task/number/regressor.hpp>

#include <taut/core/error.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::given_options;
using testing::quick_options;
using testing::rows_of;
using testing::small_table;

const std::vector<double> levels = {0.5, 0.68, 0.9, 0.95};

TEST(Regressor, IntervalsAreNestedAndFollowTheNoise) {
  FitOptions options = given_options();
  options.effort = "quick";
  const Regressor model = Regressor::fit(small_table(3000), options);
  const Table fresh = small_table(500, 2);
  const Predicted predicted = model.predict_interval(fresh, levels);
  double wide = 0, narrow = 0;
  const Index x = fresh.require("x");
  for (Index row = 0; row < fresh.rows(); ++row) {
    for (std::size_t level = 1; level < levels.size(); ++level) {
      EXPECT_LE(predicted.at(row, level).lower, predicted.at(row, level - 1).lower);
      EXPECT_GE(predicted.at(row, level).upper, predicted.at(row, level - 1).upper);
    }
    (std::abs(fresh.values(row, x)) < 0.5 ? wide : narrow) += predicted.at(row, 2).width();
  }
  EXPECT_GT(wide, 3 * narrow);  // cos: the noise is 20 times as large in the middle
}

TEST(Regressor, EveryListedPartWorksEndToEnd) {
  const Table all = small_table(500), table = rows_of(all, 0, 400), fresh = rows_of(all, 400, 100);
  const auto check = [&](FitOptions options, const std::string& what) {
    const Regressor model = Regressor::fit(table, options);
    EXPECT_GT(model.evaluate(fresh, std::vector{0.9}).levels[0].metric("coverage"), 0.7) << what;
    const Regressor again = Regressor::from_bytes(model.to_bytes());
    EXPECT_EQ(again.to_bytes(), model.to_bytes()) << what;
    const auto before = model.predict_interval(fresh, levels), after = again.predict_interval(fresh, levels);
    for (std::size_t i = 0; i < before.intervals.size(); ++i) {
      EXPECT_EQ(before.intervals[i].lower, after.intervals[i].lower) << what;
      EXPECT_EQ(before.intervals[i].upper, after.intervals[i].upper) << what;
    }
  };
  for (const auto& entry : predictors().entries()) {
    FitOptions options = quick_options();
    options.predictor = entry.example;
    options.transform = "fixed";
    options.effort = "quick";
    check(options, entry.name);
  }
  for (const auto& entry : localizers().entries()) {
    FitOptions options = quick_options();
    options.localizer = entry.name;
    options.hidden = {10};
    check(options, entry.name);
  }
  for (const auto& entry : transforms().entries()) {
    FitOptions options = given_options();
    options.transform = entry.example;
    options.objective = "size";
    options.sides = "one";
    options.epochs = 5;
    check(options, entry.name);
  }
  for (const auto& entry : objectives().entries()) {
    FitOptions options = given_options();
    options.objective = entry.example;
    options.epochs = 5;
    if (entry.name == "error-fit") options.transform = "erc";
    check(options, entry.name);
  }
}

TEST(Regressor, OneRowAtATimeGivesTheSameBits) {
  const Table table = small_table(400);
  for (const bool given : {false, true}) {
    FitOptions options = given ? given_options() : quick_options();
    options.predictor = "boost";
    const Regressor model = Regressor::fit(table, options);
    const Table rows = match(table, model.prediction_schema());
    const Predicted all = model.predict_interval(table, levels);
    std::vector<Interval> one(levels.size());
    for (Index row = 0; row < rows.rows(); ++row) {
      const std::span<const double> cells(rows.values.row(row).data(), static_cast<std::size_t>(rows.values.cols()));
      EXPECT_EQ(model.predict_row(cells, levels, one), all.prediction[static_cast<std::size_t>(row)]);
      for (std::size_t level = 0; level < levels.size(); ++level) {
        EXPECT_EQ(one[level].lower, all.at(row, level).lower);
        EXPECT_EQ(one[level].upper, all.at(row, level).upper);
      }
    }
    EXPECT_THROW(model.predict_row(std::vector<double>(1), levels, one), UsageError);
    if (!given) continue;
    const std::vector<double> unknown(static_cast<std::size_t>(rows.values.cols()), std::nan(""));
    EXPECT_THROW(model.predict_row(unknown, levels, one), Error);
  }
}

TEST(Regressor, ClassesCompete) {
  FitOptions options = given_options();
  options.transform = "auto";
  options.epochs = 10;
  const Regressor model = Regressor::from_bytes(Regressor::fit(small_table(800), options).to_bytes());
  std::vector<std::string> tried;
  for (const auto& candidate : model.record().candidates) {
    EXPECT_TRUE(!candidate.kept || candidate.transform == model.transform_name());
    if (tried.empty() || tried.back() != candidate.transform) tried.push_back(candidate.transform);
  }
  EXPECT_EQ(tried, (std::vector<std::string>{"fixed", "exp", "shift", "spline"}));
  options.objective = "error-fit";  // it can train none of them
  EXPECT_THROW(Regressor::fit(small_table(800), options), UsageError);
}

// Columns in separate memory, one of them of floats, give the same bits as one block of doubles.
TEST(Regressor, BorrowedColumnsGiveTheSameBits) {
  Table table = small_table(500);
  const Index x = table.require("x");
  table.values.col(x) = table.values.col(x).cast<float>().cast<double>();
  const Eigen::VectorXf floats = table.values.col(x).cast<float>();
  TableView apart("the table", table.rows());
  for (Index column = 0; column < table.values.cols(); ++column) {
    const Column& about = table.columns[static_cast<std::size_t>(column)];
    if (column == x)
      apart.add(about, CellsView(floats.data(), 1));
    else
      apart.add(about, CellsView(table.values.data() + column, table.values.cols()));
  }
  table.source = "the table";
  const Regressor model = Regressor::fit(apart, given_options());
  EXPECT_EQ(model.to_bytes(), Regressor::fit(table, given_options()).to_bytes());
  const Predicted one = model.predict_interval(apart, levels), other = model.predict_interval(table, levels);
  for (std::size_t i = 0; i < one.intervals.size(); ++i) EXPECT_EQ(one.intervals[i].lower, other.intervals[i].lower);
}

// Without calibration rows every interval is the whole line; all other rows have trained.
TEST(Regressor, UncalibratedUntilCalibrated) {
  const Table table = small_table(500), fresh = small_table(200, 2);
  Regressor model = Regressor::fit(table, given_options(), {}, TableView("none", 0));
  EXPECT_EQ(model.distribution().rows(), 0);
  EXPECT_EQ(model.record().transform_rows, 500);
  EXPECT_FALSE(model.predict_interval(fresh, levels).at(0, 0).finite());
  EXPECT_FALSE(Regressor::from_bytes(model.to_bytes()).predict_interval(fresh, levels).at(0, 0).finite());
  model.calibrate(fresh);
  EXPECT_EQ(model.to_bytes(), Regressor::fit(table, given_options(), {}, &fresh).to_bytes());
}

TEST(Regressor, SameSeedSameBytesForAnyNumberOfThreads) {
  const Table table = small_table(400);
  FitOptions options = quick_options();
  options.predictor = "boost";
  options.effort = "quick";
  const std::string one = Regressor::fit(table, options, taut::ExecutionContext{.threads = 1}).to_bytes();
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(Regressor::fit(table, options, taut::ExecutionContext{.threads = threads}).to_bytes(), one) << threads;
  options.seed = 1;
  EXPECT_NE(Regressor::fit(table, options).to_bytes(), one);
}

TEST(Regressor, ArraysAndTablesAgree) {
  const Table table = small_table(800);
  const Matrix x = table.values.leftCols(2);
  const Eigen::VectorXd f = table.values.col(table.require("f")), y = table.values.col(table.require("y"));
  const std::span<const double> f_view(f.data(), 800), y_view(y.data(), 800);
  const Regressor model = Regressor::fit({.x = x, .y = y_view, .predictions = f_view});
  const auto from_arrays = model.predict_interval(Regressor::table_of({.x = x, .predictions = f_view}), levels);
  const auto from_table = Regressor::fit(table, given_options()).predict_interval(table, levels);
  for (std::size_t i = 0; i < from_arrays.intervals.size(); ++i)
    EXPECT_EQ(from_arrays.intervals[i].lower, from_table.intervals[i].lower);
  EXPECT_THROW(Regressor::fit({.x = x, .y = y_view, .predictions = f_view.first(3)}), UsageError);
}

TEST(Regressor, CalibratingAnewChangesOnlyTheQuantiles) {
  Regressor model = Regressor::fit(small_table(800), given_options());
  const Table fresh = small_table(300, 5);
  const Regressor before = Regressor::from_bytes(model.to_bytes());
  model.calibrate(fresh);
  EXPECT_EQ(model.distribution().rows(), 300);
  const auto a = before.predict_interval(fresh, levels), b = model.predict_interval(fresh, levels);
  EXPECT_EQ(a.prediction, b.prediction);
  Table reversed = fresh;
  reversed.values = fresh.values.colwise().reverse().eval();
  Regressor other = Regressor::from_bytes(model.to_bytes());
  other.calibrate(reversed);
  EXPECT_EQ(other.to_bytes(), model.to_bytes());  // the order of calibration rows changes nothing
}

TEST(Regressor, FallsBackWhenThereIsNothingToLearn) {
  Table table = small_table(400);
  Random random(3);
  const Index y = table.require("y"), f = table.require("f");
  for (Index i = 0; i < table.rows(); ++i)
    table.values(i, y) = table.values(i, f) + (i % 2 == 0 ? 1.0 : -1.0);  // one width is exactly right
  const Regressor model = Regressor::fit(table, given_options());
  EXPECT_TRUE(model.record().fell_back);
  EXPECT_EQ(model.transform_name(), "fixed");
  EXPECT_EQ(model.record().candidates.front().name, "fixed");
  EXPECT_TRUE(model.record().candidates.front().kept);
}

TEST(Regressor, FocusShowsEveryStepOfItsChain) {
  FitOptions options = given_options();
  options.focus = 0.9;
  options.sides = "one";
  const Regressor model = Regressor::fit(small_table(2000), options);
  const auto& candidates = model.record().candidates;
  ASSERT_EQ(candidates.size(), 4U);
  EXPECT_EQ(candidates[0].name, "fixed");
  EXPECT_EQ(candidates[1].name, "size");
  EXPECT_EQ(candidates[2].name.substr(0, 7), "size ^ ");
  EXPECT_EQ(candidates[3].name, "level:0.9");
  EXPECT_LE(candidates[2].validation_loss, candidates[1].validation_loss);
  int kept = 0;
  for (const auto& candidate : candidates) kept += candidate.kept ? 1 : 0;
  EXPECT_EQ(kept, 1);
  const auto predicted = model.predict_interval(small_table(100, 2), levels);
  for (Index row = 0; row < 100; ++row)
    for (std::size_t level = 1; level < levels.size(); ++level)
      EXPECT_GE(predicted.at(row, level).upper, predicted.at(row, level - 1).upper);
}

// `none` and `constant` are the same: the same calibration rows, the same intervals.
TEST(Regressor, OneWidthEverywhereHasTwoNames) {
  const Table table = small_table(200), fresh = small_table(20, 2);
  for (const char* split : {"", "cross", "0,0,0,1"}) {
    FitOptions options = given_options();
    options.split = split;
    options.localizer = "none";
    const auto none = Regressor::fit(table, options).predict_interval(fresh, levels);
    options.localizer = "constant";
    const auto constant = Regressor::fit(table, options).predict_interval(fresh, levels);
    for (std::size_t i = 0; i < none.intervals.size(); ++i) {
      EXPECT_EQ(none.intervals[i].lower, constant.intervals[i].lower) << split;
      EXPECT_EQ(none.intervals[i].upper, constant.intervals[i].upper) << split;
    }
  }
}

// A focus below one half trains the level that it names. A file distinguishes it from the meaning of such a number in Taut 0.1.
TEST(Regressor, ALowFocusIsAConfidence) {
  FitOptions options = given_options();
  options.focus = 0.3;
  options.sides = "one";
  options.epochs = 5;
  const Regressor model = Regressor::fit(small_table(500), options);
  const std::string name = model.record().candidates.back().name;
  EXPECT_EQ(objectives().make(name)->levels(), std::vector{0.3}) << name;
  EXPECT_EQ(Regressor::from_bytes(model.to_bytes()).record().candidates.back().name, name);
}

TEST(Regressor, LevelsInTheOptionsOfAFileAreThoseThatWereTrained) {
  const auto levels_of = [](const FitOptions& options) { return objectives().make(options.objective)->levels(); };
  FitOptions today = given_options();
  for (const char* objective : {"level:0.3", "level:alpha=0.3", "pinball:0.1", "level:0.9,0.2"}) {
    today.objective = objective;
    Archive archive;
    today.save(archive);
    EXPECT_EQ(levels_of(FitOptions::load(archive)), levels_of(today)) << objective;
    archive.put("objective", std::string(objective));  // as Taut 0.1 wrote it
    for (const double level : levels_of(FitOptions::load(archive))) EXPECT_GE(level, 0.5) << objective;
  }
}

// Skewed noise: the two sides have different scales, and `auto` chooses two sides.
TEST(Regressor, SidesFollowSkewedResidualsSlow) {
  Table table = small_table(3000);
  Random random(7);
  const Index y = table.require("y"), f = table.require("f"), x = table.require("x");
  for (Index i = 0; i < table.rows(); ++i) {
    const double above = 1 + 3 * std::abs(table.values(i, x)), below = 0.1;
    const double size = -std::log(1 - random.uniform());
    table.values(i, y) = table.values(i, f) + (random.uniform() < 0.5 ? above * size : -below * size);
  }
  FitOptions options = given_options();
  options.effort = "quick";
  const Regressor model = Regressor::fit(table, options);
  EXPECT_EQ(model.sides(), 2);
  const auto predicted = model.predict_interval(rows_of(table, 0, 200), levels);
  double up = 0, down = 0;
  for (Index row = 0; row < 200; ++row) {
    up += predicted.at(row, 2).upper - predicted.prediction[static_cast<std::size_t>(row)];
    down += predicted.prediction[static_cast<std::size_t>(row)] - predicted.at(row, 2).lower;
  }
  EXPECT_GT(up, 5 * down);
}

TEST(Regressor, RangeOfTheTargetCutsIntervals) {
  Table table = small_table(500);
  const Index y = table.require("y");
  for (Index i = 0; i < table.rows(); ++i) table.values(i, y) = std::max(0.0, std::round(3 * table.values(i, y)));
  FitOptions options = quick_options();
  options.y_min = 0;
  options.y_step = 1;
  const auto predicted = Regressor::fit(table, options).predict_interval(table, levels);
  for (const Interval& interval : predicted.intervals) {
    EXPECT_GE(interval.lower, 0);
    EXPECT_EQ(interval.lower, std::round(interval.lower));
    EXPECT_EQ(interval.upper, std::round(interval.upper));
    EXPECT_LE(interval.lower, interval.upper);
  }
}

TEST(Regressor, BadTargetsAreNamed) {
  const auto message = [](const Table& table, const FitOptions& options) -> std::string {
    try {
      Regressor::fit(table, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  Table table = small_table(100);
  const Index y = table.require("y");
  FitOptions options = quick_options();
  options.target = "Y";
  EXPECT_NE(message(table, options).find("did you mean 'y'"), std::string::npos);
  options.target = "y";
  table.values(17, y) = infinity;
  EXPECT_NE(message(table, options).find("must be a finite number, found inf"), std::string::npos);
  table.values(17, y) = missing;
  EXPECT_NE(message(table, options).find("missing"), std::string::npos);
  table.values.col(y).setConstant(4);
  EXPECT_NE(message(table, options).find("is 4 in every row"), std::string::npos);
  EXPECT_NE(message(small_table(3), options).find("at least 4"), std::string::npos);
  options.drop = {"nothing"};
  EXPECT_NE(message(small_table(100), options).find("nothing"), std::string::npos);
}

TEST(Regressor, APerfectPredictorLeavesNothingToTrain) {
  Table table = small_table(200);
  table.values.col(table.require("y")) = table.values.col(table.require("f"));
  const Regressor model = Regressor::fit(table, given_options());
  EXPECT_TRUE(model.record().fell_back);
  const auto predicted = model.predict_interval(table, levels);
  for (const auto& interval : predicted.intervals) EXPECT_EQ(interval.width(), 0);
}

// Found by the fuzzer: an infinite prediction had an empty interval at a high level but not at a low one.
TEST(Regressor, PredictionsStayInTheRangeOfNumbers) {
  Table table = testing::small_table(60);
  const Index y = table.require("y");
  table.values.col(y) *= 1e307 / table.values.col(y).cwiseAbs().maxCoeff();
  FitOptions options = testing::quick_options();
  options.localizer = "none";
  const Regressor model = Regressor::fit(table, options);
  Table far = testing::small_table(2, 2);
  far.values.row(0).setConstant(1e290);
  far.values.row(1).setConstant(-1e290);
  const std::vector<double> two = {0.5, 0.999};  // the second has too few rows: the whole line
  const Predicted predicted = model.predict_interval(far, two);
  for (Index row = 0; row < 2; ++row) {
    EXPECT_TRUE(std::isfinite(predicted.prediction[static_cast<std::size_t>(row)]));
    EXPECT_FALSE(predicted.at(row, 0).empty());
    EXPECT_EQ(predicted.at(row, 1).lower, -infinity);
    EXPECT_EQ(predicted.at(row, 1).upper, infinity);
  }
}

}  // namespace
}  // namespace taut
