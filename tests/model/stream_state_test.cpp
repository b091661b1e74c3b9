// The state that a stream stores in its model, and how other commands use it.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

Table noisy(Index rows, std::uint64_t seed, double noise = 1) {
  Random random(seed);
  Table table{.source = "rows", .columns = {{"x"}, {"y"}}, .values = Matrix(rows, 2), .lines = {}};
  for (Index row = 0; row < rows; ++row) {
    table.values(row, 0) = random.uniform();
    table.values(row, 1) = table.values(row, 0) + noise * (2 * random.uniform() - 1);
  }
  return table;
}

FitOptions quick(bool in_order) {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.localizer = "none";
  options.in_order = in_order;
  return options;
}

std::vector<std::string> kinds_raised(const std::vector<Alarm>& alarms) {
  std::vector<std::string> names;
  for (const Alarm& alarm : alarms) names.emplace_back(alarm.name());
  return names;
}

constexpr double one_level[] = {0.9};

// Scores of streamed rows are calibration scores: evaluating the model with these rows is a mistake, and so is learning from them
// again.
TEST(StreamState, RowsThatWereStreamedAreKnown) {
  for (const bool in_order : {false, true})
    for (const Index delay : {0, 20}) {
      StreamOptions options;
      options.delay = delay;
      Regressor model = Regressor::fit(noisy(400, 1), quick(in_order));
      const Table rows = noisy(300, 2), fresh = noisy(300, 3);
      model.stream(rows, one_level, options);
      model.end_stream();
      model = Regressor::from_bytes(model.to_bytes());
      EXPECT_EQ(kinds_raised(model.evaluate(rows, one_level).alarms), std::vector<std::string>{"calibration_rows"});
      EXPECT_EQ(kinds_raised(model.evaluate(fresh, one_level).alarms), std::vector<std::string>{});
      EXPECT_THROW(model.update(rows, options), Error);
      model.update(fresh, options);
      EXPECT_THROW(model.update(fresh, options), Error);
      options.allow_older = true;
      model.update(fresh, options);
      // New calibration rows replace all streamed rows.
      model.calibrate(noisy(300, 4));
      EXPECT_EQ(kinds_raised(model.evaluate(rows, one_level).alarms), std::vector<std::string>{});
    }
}

// They are still known after the model was trained again.
TEST(StreamState, RowsThatWereStreamedAreKnownAfterTrainingAnew) {
  StreamOptions options;
  options.refit_every = 200;
  Regressor model = Regressor::fit(noisy(400, 1), quick(true));
  const Table rows = noisy(500, 2);
  model.stream(rows, one_level, options);
  model.end_stream();
  EXPECT_GT(model.refits(), 0);
  Table last = rows;
  last.values = rows.values.bottomRows(60).eval();
  EXPECT_FALSE(model.evaluate(last, one_level).alarms.empty());
}

TEST(StreamState, CalibratingKeepsTheSettings) {
  for (const bool in_order : {false, true}) {
    StreamOptions options;
    options.controller = "pid";
    options.window = 150;
    options.delay = 4;
    options.half_life = 60;
    options.at_least = true;
    Regressor model = Regressor::fit(noisy(400, 1), quick(in_order));
    model.stream(noisy(100, 2), one_level, options);
    model.end_stream();
    model.calibrate(noisy(1500, 3));
    ASSERT_NE(model.stream_state(), nullptr);
    const StreamSettings kept = model.stream_state()->settings();
    EXPECT_EQ(kept, options.applied_to({})) << kept.describe();
    EXPECT_EQ(model.stream_state()->rows(), 0);
    EXPECT_TRUE(model.stream_state()->levels().empty());
    EXPECT_EQ(model.distribution().rows(), 1500);
    ASSERT_FALSE(model.calibration_notes().empty());
    EXPECT_NE(model.calibration_notes().back().find("controller pid, window 150, delay 4"), std::string::npos);

    // Once more, without streaming in between.
    model = Regressor::from_bytes(model.to_bytes());
    model.calibrate(noisy(1200, 6));
    ASSERT_NE(model.stream_state(), nullptr);
    EXPECT_EQ(model.stream_state()->settings(), kept);

    // If the new calibration cannot be streamed, a note says so.
    model.stream(noisy(100, 4), one_level);
    CalibrationOptions near;
    near.local = 0;
    model.calibrate(noisy(300, 5), {}, near);
    EXPECT_EQ(model.stream_state(), nullptr);
    ASSERT_FALSE(model.calibration_notes().empty());
    EXPECT_NE(model.calibration_notes().back().find("controller pid"), std::string::npos);
  }
  // A window that was not set explicitly follows the number of calibration rows.
  Regressor model = Regressor::fit(noisy(400, 1), quick(true));
  model.calibrate(noisy(1200, 6));
  EXPECT_TRUE(model.calibration_notes().empty());
  EXPECT_EQ(model.stream_state()->settings().window, 1200);
  model.stream(noisy(100, 2), one_level);
  model.calibrate(noisy(1500, 3));
  EXPECT_EQ(model.stream_state()->settings().window, 1500);
}

// The end of an interval belongs to it, though its score may be rounded to a number above the threshold.
TEST(StreamState, ATargetAtTheEndIsCovered) {
  for (const char* transform : {"fixed", "exp"})
    for (const char* controller : {"dtaci", "aci:0.02", "pid"}) {
      if (transform == std::string("fixed") && controller != std::string("dtaci")) continue;  // its scores are exact
      FitOptions fit = quick(true);
      fit.transform = transform;
      if (fit.transform == "exp") fit.localizer = "constant";
      Regressor model = Regressor::fit(noisy(400, 1), fit);
      StreamOptions options;
      options.controller = controller;
      options.recentre = false;
      Table row = noisy(1, 2);
      Random random(3);
      double missed = 0, last = 1;
      for (int t = 0; t < 600; ++t) {
        row.values(0, 0) = random.uniform();
        row.values(0, 1) = missing;
        Regressor copy = Regressor::from_bytes(model.to_bytes());
        const Interval interval = copy.stream(row, one_level, options).at(0, 0);
        row.values(0, 1) = std::isfinite(interval.width()) && !interval.empty() ? t % 2 == 0 ? interval.upper : interval.lower
                                                                                : row.values(0, 0);
        missed += interval.contains(row.values(0, 1)) ? 0 : 1;
        last = model.stream(row, one_level, options).asked[0];
      }
      EXPECT_LT(last, 0.9) << transform << ", " << controller;  // all targets are covered: intervals shrink
      EXPECT_LE(missed, 0.1 * 600 + 51) << transform << ", " << controller;
    }
}

// f is perfect: to keep the level a stream gives empty sets, and one that promises at least the level does not.
TEST(StreamState, AtLeastTheLevelIsNeverEmpty) {
  for (const char* controller : {"dtaci", "aci:0.02", "pid"})
    for (const bool with_ends : {false, true}) {
      // A prediction that equals the target, or predicted ends that contain it with a margin.
      const Table drawn = noisy(2000, 5, 0);
      Table rows = drawn;
      rows.columns = {{"x"}, {"low"}, {"high"}, {"y"}};
      rows.values.resize(2000, 4);
      for (Index row = 0; row < 2000; ++row) {
        const double x = drawn.values(row, 0), y = drawn.values(row, 1);
        rows.values.row(row) << x, y - (with_ends ? 1 + x : 0), y + (with_ends ? 1 + x : 0), y;
      }
      FitOptions fit = quick(true);
      fit.transform = "fixed";
      if (with_ends) {
        fit.lower_prediction = "low";
        fit.upper_prediction = "high";
      } else {
        fit.prediction = "low";
        fit.drop = {"high"};
      }
      Table train = rows, next = rows;
      train.values = rows.values.topRows(500).eval();
      next.values = rows.values.bottomRows(1500).eval();
      Regressor exact = Regressor::fit(train, fit), at_least = Regressor::fit(train, fit);
      StreamOptions options;
      options.controller = controller;
      const Streamed first = exact.stream(next, one_level, options);
      options.at_least = true;
      const Streamed second = at_least.stream(next, one_level, options);
      Index empty = 0;
      for (Index row = 0; row < next.rows(); ++row) {
        empty += first.at(row, 0).empty() ? 1 : 0;
        EXPECT_FALSE(second.at(row, 0).empty()) << controller << ", row " << row;
      }
      if (!with_ends) {
        EXPECT_GT(empty, 50) << controller;
      }
    }
}

}  // namespace
}  // namespace taut
