// Whole models along time: the answer for a row depends on earlier rows and on nothing else.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

// An autoregressive series whose noise grows by `drift` a row.
Table series(Index rows, std::uint64_t seed, double drift = 0) {
  Random random(seed);
  Table table{.source = "series", .columns = {{"x"}, {"y"}}, .values = Matrix(rows, 2), .lines = {}};
  double last = 0;
  for (Index row = 0; row < rows; ++row) {
    const double x = random.uniform(), noise = 2 * random.uniform() - 1;
    last = 0.8 * last + x + noise * std::exp(drift * static_cast<double>(row));
    table.values(row, 0) = x;
    table.values(row, 1) = last;
  }
  return table;
}

Table part_of(const Table& table, Index begin, Index end) {
  Table part = table;
  part.values = table.values.middleRows(begin, end - begin).eval();
  return part;
}

FitOptions quick() {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.localizer = "none";
  options.in_order = true;
  return options;
}

struct Way {
  std::string name;
  FitOptions fit = quick();
  StreamOptions stream = {};
};

std::vector<Way> ways() {
  std::vector<Way> all = {{"plain"},      {"delay"}, {"lags"}, {"lags and delay"}, {"refit"}, {"lags, refit and delay"},
                          {"no recentre"}};
  all[1].stream.delay = 7;
  for (const std::size_t i : {std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
    all[i].fit.lags = {8, 12};
    all[i].fit.rolling = {6};
    all[i].fit.past_of = {"x"};
  }
  for (const std::size_t i : {std::size_t{3}, std::size_t{5}}) all[i].fit.delay = 7;
  for (const std::size_t i : {std::size_t{4}, std::size_t{5}}) all[i].stream.refit_every = 120;
  all[6].stream.recentre = false;
  return all;
}

constexpr double asked[] = {0.8, 0.9};
const Table& trained() {
  static const Table table = series(300, 1);
  return table;
}

TEST(ModelStream, NeverLooksAhead) {
  const Table rows = series(400, 2);
  Table other = rows;
  for (Index row = 200; row < 400; ++row)
    for (Index column = 0; column < 2; ++column) other.values(row, column) = 50 - other.values(row, column);
  for (const Way& way : ways()) {
    Regressor a = Regressor::fit(trained(), way.fit), b = Regressor::fit(trained(), way.fit);
    const Streamed first = a.stream(rows, asked, way.stream), second = b.stream(other, asked, way.stream);
    for (Index row = 0; row < 200; ++row) {
      EXPECT_EQ(first.prediction[static_cast<std::size_t>(row)], second.prediction[static_cast<std::size_t>(row)]) << way.name;
      for (std::size_t level = 0; level < 2; ++level) {
        EXPECT_EQ(first.at(row, level).lower, second.at(row, level).lower) << way.name << " " << row;
        EXPECT_EQ(first.at(row, level).upper, second.at(row, level).upper) << way.name << " " << row;
      }
    }
    EXPECT_NE(first.prediction, second.prediction) << way.name;
  }
}

TEST(ModelStream, StoppedAndContinuedItGivesTheSameBits) {
  Table rows = series(400, 3);
  for (Index row = 60; row < 400; ++row) rows.values(row, 1) += 8;  // so that intervals move
  for (const Way& way : ways()) {
    Regressor whole = Regressor::fit(trained(), way.fit), cut = Regressor::fit(trained(), way.fit),
              replayed = Regressor::fit(trained(), way.fit);
    const Streamed expected = whole.stream(rows, asked, way.stream, {.threads = 1});
    std::vector<double> found;
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 1}, {1, 120}, {120, 250}, {250, 400}}) {
      const Streamed part = cut.stream(part_of(rows, begin, end), asked, way.stream, {.threads = 2});
      for (const Interval& interval : part.intervals) found.push_back(interval.upper);
      cut = Regressor::from_bytes(cut.to_bytes());
    }
    ASSERT_EQ(found.size(), expected.intervals.size());
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected.intervals[i].upper) << way.name << " " << i;
    // A journal of the records is enough to repeat it.
    replayed.begin_stream(asked, way.stream);
    replayed.replay(expected.records);
    EXPECT_EQ(replayed.to_bytes(), whole.to_bytes()) << way.name;
    EXPECT_EQ(cut.to_bytes(), whole.to_bytes()) << way.name;
    EXPECT_EQ(whole.refits() > 0, way.stream.refit_every.has_value()) << way.name;
  }
}

// The level jumps: intervals and predictions follow. `predict` afterwards returns f without the correction.
TEST(ModelStream, MovesWithALevelThatJumps) {
  Table rows = series(600, 3);
  for (Index row = 100; row < 600; ++row) rows.values(row, 1) += 20;
  Regressor moving = Regressor::fit(trained(), quick()), staying = Regressor::fit(trained(), quick());
  StreamOptions stay;
  stay.recentre = false;
  const Streamed moved = moving.stream(rows, asked), stayed = staying.stream(rows, asked, stay);
  for (Index row = 400; row < 600; ++row) {
    const double y = rows.values(row, 1);
    EXPECT_LT(std::abs(moved.prediction[static_cast<std::size_t>(row)] - y), 6) << row;
    EXPECT_GT(std::abs(stayed.prediction[static_cast<std::size_t>(row)] - y), 6) << row;
    EXPECT_LT(moved.at(row, 1).width(), stayed.at(row, 1).width() / 2) << row;
    EXPECT_LE(moved.at(row, 1).lower, moved.at(row, 0).lower) << row;
    EXPECT_GE(moved.at(row, 1).upper, moved.at(row, 0).upper) << row;
  }
  moving.end_stream();
  staying.end_stream();
  EXPECT_EQ(moving.stream_state()->scores(), staying.stream_state()->scores());
  EXPECT_EQ(moving.predict(rows), staying.predict(rows));
}

// f and g are trained on all rows of the fit; levels and inputs from the past stay as they were.
TEST(ModelStream, TrainsOnTheRowsOfTheFit) {
  const Table rows = series(200, 2);
  for (const Way& way : ways()) {
    if (way.stream.refit_every) continue;
    Regressor kept = Regressor::fit(trained(), way.fit), model = Regressor::fit(trained(), way.fit);
    model.train_on(trained(), way.stream);
    const Streamed expected = kept.stream(rows, asked, way.stream);
    Regressor again = Regressor::from_bytes(model.to_bytes());
    const Streamed found = model.stream(rows, asked, way.stream);
    EXPECT_EQ(again.stream(rows, asked, way.stream).prediction, found.prediction) << way.name;
    EXPECT_NE(found.prediction, expected.prediction) << way.name;
    Index covered = 0;
    for (Index row = 0; row < 200; ++row) covered += found.at(row, 1).contains(found.y[static_cast<std::size_t>(row)]) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(covered) / 200, 0.9, 0.05) << way.name;
    EXPECT_EQ(model.refits(), 0);
  }
  Regressor model = Regressor::fit(trained(), quick());
  EXPECT_THROW(model.train_on(part_of(trained(), 0, 50), {}), UsageError);
}

// Rows that come one by one are answered while the next model is trained. The model of a row is the same whichever thread trains
// it.
TEST(ModelStream, TrainsBesideTheStreamWithTheSameBits) {
  const Table rows = series(400, 3);
  for (Way way : ways()) {
    if (!way.stream.refit_every) continue;
    for (const Index lag : {0, 1, 12, 119}) {
      way.stream.refit_lag = lag;
      Regressor whole = Regressor::fit(trained(), way.fit), live = Regressor::fit(trained(), way.fit);
      const Streamed expected = whole.stream(rows, asked, way.stream);
      way.stream.refits_in_background = true;
      for (Index row = 0; row < rows.rows(); ++row) {
        const Streamed found =
            live.stream(part_of(rows, row, row + 1), asked, way.stream, {.threads = 1 + static_cast<int>(row % 2)});
        ASSERT_EQ(found.at(0, 1).upper, expected.at(row, 1).upper) << way.name << ", lag " << lag << ", row " << row;
        if (row == 125) live = Regressor::from_bytes(live.to_bytes());  // a fit has begun and is lost
      }
      EXPECT_EQ(live.to_bytes(), whole.to_bytes()) << way.name << ", lag " << lag;
      EXPECT_GT(live.refits(), 0) << way.name << ", lag " << lag;
    }
  }
}

// The new model is trained on the rows that were known when the fit was due, and answers after `refit_lag` more rows.
TEST(ModelStream, TakesANewModelOverAfterItsLag) {
  const Table rows = series(300, 3);
  StreamOptions refit;
  refit.refit_every = 150;
  refit.recentre = false;  // predictions are those of f
  const auto predictions = [&](Index lag, const Table& table) {
    refit.refit_lag = lag;
    Regressor model = Regressor::fit(trained(), quick());
    return model.stream(table, asked, refit).prediction;
  };
  const auto never = Regressor::fit(trained(), quick()).predict(rows), at_once = predictions(0, rows),
             late = predictions(40, rows);
  for (std::size_t row = 0; row < 300; ++row) {
    EXPECT_EQ(at_once[row] != never[row], row >= 150) << row;
    EXPECT_EQ(late[row], row < 190 ? never[row] : at_once[row]) << row;
  }
  Table other = rows;
  for (Index row = 150; row < 300; ++row) other.values(row, 1) = 9;  // after the fit was due
  EXPECT_EQ(predictions(40, other), late);
  EXPECT_THROW(predictions(150, rows), UsageError);
  EXPECT_THROW(predictions(-1, rows), UsageError);
}

TEST(ModelStream, TrainsAnewWhereThatHelps) {
  // The slope changes: without a refit residuals are eight times as large.
  Random random(4);
  Table rows = series(2400, 5);
  for (Index row = 0; row < rows.rows(); ++row)
    rows.values(row, 1) = (row < 600 ? 1 : -8) * rows.values(row, 0) + 0.1 * random.uniform();
  const auto error = [&](const StreamOptions& options) {
    Regressor model = Regressor::fit(part_of(rows, 0, 600), quick());
    const Streamed streamed = model.stream(part_of(rows, 600, 2400), asked, options);
    double sum = 0;
    for (Index row = 1200; row < 1800; ++row)
      sum += std::abs(streamed.prediction[static_cast<std::size_t>(row)] - streamed.y[static_cast<std::size_t>(row)]) / 600;
    return std::pair{sum, streamed};
  };
  StreamOptions refit;
  refit.refit_every = 300;
  const auto [fixed, a] = error({});
  const auto [anew, b] = error(refit);
  EXPECT_LT(anew, 0.1 * fixed);
  Index covered = 0;
  for (Index row = 0; row < b.rows(); ++row) covered += b.at(row, 1).contains(b.y[static_cast<std::size_t>(row)]) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(covered) / static_cast<double>(b.rows()), 0.9, 0.02);
}

TEST(ModelStream, RemembersRowsOfBefore) {
  StreamOptions refit;
  refit.refit_every = 50;
  refit.refit_rows = 200;
  Regressor with = Regressor::fit(trained(), quick()), without = Regressor::fit(trained(), quick());
  with.remember_rows(trained(), refit);
  const Table rows = series(60, 6);
  with.stream(rows, asked);  // the refit settings are in the model
  without.stream(rows, asked, refit);
  EXPECT_EQ(with.refits(), 2);     // with the rows before the stream, and after 50 more
  EXPECT_EQ(without.refits(), 0);  // 50 rows are too few
  Regressor other = Regressor::fit(trained(), quick());
  EXPECT_THROW(other.remember_rows(trained(), {}), UsageError);
}

// f learns from the newest rows too, but the scores come from a model that has not seen them.
TEST(ModelStream, TrainsAnewOnAllRows) {
  Random random(11);
  Table rows = series(600, 12);
  for (Index row = 0; row < rows.rows(); ++row)  // the last fifth is very different
    rows.values(row, 1) = (row < 480 ? 0 : 100) + random.uniform();
  StreamOptions refit;
  refit.refit_every = 50;
  refit.refit_lag = 0;
  Regressor model = Regressor::fit(trained(), quick());
  model.remember_rows(rows, refit);
  const Streamed streamed = model.stream(part_of(rows, 599, 600), asked, refit);
  EXPECT_EQ(model.refits(), 1);
  EXPECT_GT(streamed.prediction[0], 5);      // trained on the rows before the last fifth alone it would be 0.5
  EXPECT_GT(streamed.at(0, 0).width(), 90);  // the scores show how far off that was
}

TEST(ModelStream, UpdateEqualsAStreamWithoutOutput) {
  const Table rows = series(300, 7, 0.005);
  Regressor a = Regressor::fit(trained(), quick()), b = Regressor::fit(trained(), quick());
  const double level[] = {0.9};
  a.update(rows);
  b.stream(rows, level);
  b.end_stream();
  EXPECT_EQ(a.to_bytes(), b.to_bytes());
  EXPECT_THROW(a.update(trained()), Error);  // rows of the fit
}

TEST(ModelStream, LagsServeEveryQuestion) {
  FitOptions options = quick();
  options.lags = {1};
  const Regressor model = Regressor::fit(trained(), options), plain = Regressor::fit(trained(), quick());
  const Table next = series(301, 1);  // the same series with one more row
  const Table last = part_of(next, 300, 301);
  EXPECT_NEAR(model.with_past(last)(0, 2), next.values(299, 1), 1e-12);
  // Half of the spread comes from the last value: as an input it makes intervals narrower.
  const Table test = series(500, 8);
  const auto width = [&](const Regressor& one) { return one.evaluate(test, std::vector{0.9}).levels[0].metric("mean_width"); };
  EXPECT_LT(width(model), 0.8 * width(plain));
  const Regressor again = Regressor::from_bytes(model.to_bytes());
  EXPECT_EQ(again.to_bytes(), model.to_bytes());
  EXPECT_EQ(again.predict(last), model.predict(last));
}

TEST(ModelStream, RefusesWhatItCannotCombine) {
  FitOptions lags = quick();
  lags.lags = {1};
  Regressor model = Regressor::fit(trained(), lags);
  StreamOptions late;
  late.delay = 3;
  EXPECT_THROW(model.stream(series(10, 9), asked, late), UsageError);
  Regressor local = Regressor::fit(trained(), quick());
  CalibrationOptions near;
  near.local = 0;
  local.calibrate(series(300, 10), {}, near);
  EXPECT_THROW(local.stream(series(10, 9), asked), Error);
  FitOptions of_function = quick();
  of_function.lags = {1};
  EXPECT_THROW(Regressor::fit(trained(), of_function,
                              [](const TableView& x) { return std::vector<double>(static_cast<std::size_t>(x.rows())); }),
               UsageError);
}

}  // namespace
}  // namespace taut
