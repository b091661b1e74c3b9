// Rows with labels that come one after another.
#include <taut/core/error.hpp>
#include <taut/model/stream_report.hpp>
#include <taut/task/label/classifier.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::given_probabilities;
using testing::label_options;
using testing::labelled_rows;

constexpr std::array stream_levels = {0.8, 0.9};
const ExecutionContext single{.threads = 1};

Classifier fitted(const std::string& score = "", const std::string& transform = "fixed", Index classes = 4) {
  Random random(31);
  return Classifier::fit(labelled_rows(600, classes, random, 0.5).table, label_options(transform), given_probabilities(score),
                         single);
}

Table part_of(const Table& table, Index begin, Index end) {
  Table part = table;
  part.values = table.values.middleRows(begin, end - begin);
  return part;
}

// Without a controller and with a window as long as the calibration, the first row gets the sets that predict gives.
TEST(ClassStream, TheFirstRowGetsTheSetsOfPredict) {
  Random random(32);
  const auto fresh = labelled_rows(50, 4, random);
  for (const auto& score : {"lac", "aps", "randomized-aps"}) {
    Classifier model = fitted(score);
    const StreamOptions still{.controller = "none", .window = model.distribution().rows(), .scorecast = false};
    const PredictedSets predicted = model.predict_sets(fresh.table, stream_levels, single);
    const StreamedSets streamed = model.stream(part_of(fresh.table, 0, 1), stream_levels, still, single);
    for (std::size_t level = 0; level < stream_levels.size(); ++level)
      for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(streamed.sets.set(0, level)[k], predicted.set(0, level)[k]) << score;
  }
}

// Stopped anywhere and continued from its file, a stream gives the same bits. Its intervals have the size of the sets and cover
// when the sets do, as evaluate_stream expects.
TEST(ClassStream, GoesOnFromAFileAsIfItHadNotStopped) {
  Random random(33);
  const auto fresh = labelled_rows(400, 4, random);
  for (const auto& transform : {"fixed", "curve"}) {
    Classifier whole = fitted("", transform), first = fitted("", transform);
    const StreamedSets all = whole.stream(fresh.table, stream_levels, {}, single);
    const StreamedSets start = first.stream(part_of(fresh.table, 0, 150), stream_levels, {}, single);
    Classifier second = Classifier::from_bytes(first.to_bytes());
    const StreamedSets rest = second.stream(part_of(fresh.table, 150, 400), stream_levels, {}, single);
    for (Index row = 0; row < 400; ++row) {
      const StreamedSets& own = row < 150 ? start : rest;
      const Index at = row < 150 ? row : row - 150;
      for (std::size_t level = 0; level < stream_levels.size(); ++level) {
        const auto set = all.sets.set(row, level), other = own.sets.set(at, level);
        EXPECT_TRUE(std::equal(set.begin(), set.end(), other.begin()));
        const Interval& interval = all.at(row, level);
        EXPECT_EQ(interval.width(), static_cast<double>(all.sets.size(row, level)));
        const bool covered = set[static_cast<std::size_t>(fresh.labels[static_cast<std::size_t>(row)])] != 0;
        EXPECT_EQ(interval.contains(all.y[static_cast<std::size_t>(row)]), covered);
      }
    }
    EXPECT_EQ(whole.to_bytes(), second.to_bytes());
  }
}

// Labels are random after a break: the sets of a model without updates cover too rarely, a stream returns to the level.
TEST(ClassStream, FollowsABreak) {
  Random random(34);
  auto fresh = labelled_rows(4000, 4, random);
  const Index label = fresh.table.values.cols() - 1;
  for (Index row = 1000; row < 4000; ++row) fresh.table.values(row, label) = std::floor(4 * random.uniform());
  const auto coverage_after = [&](const char* controller) {
    Classifier model = fitted();
    const StreamedSets streamed =
        model.stream(fresh.table, stream_levels, {.controller = controller, .window = 500, .allow_empty = true}, single);
    std::array<double, 2> covered{};
    for (Index row = 2000; row < 4000; ++row)
      for (std::size_t level = 0; level < 2; ++level) covered[level] += streamed.at(row, level).contains(0.5) ? 1.0 / 2000 : 0;
    return covered;
  };
  Classifier still = fitted();
  const PredictedSets sets = still.predict_sets(fresh.table, stream_levels, single);
  double without = 0;
  for (Index row = 2000; row < 4000; ++row)
    without += sets.set(row, 1)[static_cast<std::size_t>(fresh.table.values(row, label))] != 0 ? 1.0 / 2000 : 0;
  // Four standard errors of a share of 2,000 independent rows.
  for (const auto& controller : {"aci", "dtaci", "pid"}) {
    const auto covered = coverage_after(controller);
    for (std::size_t level = 0; level < 2; ++level)
      EXPECT_NEAR(covered[level], stream_levels[level], 4 * std::sqrt(stream_levels[level] * (1 - stream_levels[level]) / 2000))
          << controller;
    EXPECT_LT(without, covered[1] - 0.1);
  }
}

TEST(ClassStream, UnknownLabelsAndRowsWithoutOne) {
  Random random(35);
  auto fresh = labelled_rows(60, 4, random);
  Column& target = fresh.table.columns.back();
  target.categories.emplace_back("another");
  const Index label = fresh.table.values.cols() - 1;
  fresh.table.values(3, label) = 4;
  fresh.table.values(7, label) = missing;
  Classifier model = fitted();
  const StreamedSets streamed = model.stream(fresh.table, stream_levels, {}, single);
  EXPECT_EQ(streamed.targets(), 59);
  EXPECT_FALSE(streamed.at(3, 1).contains(streamed.y[3]));
  EXPECT_FALSE(streamed.records[7].score.has_value());
  EXPECT_EQ(evaluate_stream(streamed).targets, 59);
  EXPECT_EQ(model.stream_state()->rows(), 60);
}

// Scores of streamed rows are calibration scores. New calibration rows change the scores, not the settings of the stream.
TEST(ClassStream, StoresItsStateInTheModel) {
  Random random(37);
  const auto rows = labelled_rows(300, 4, random), fresh = labelled_rows(300, 4, random);
  Classifier model = fitted(), replayed = fitted();
  const StreamOptions options{.controller = "pid", .window = 150, .delay = 4, .at_least = true};
  const StreamedSets streamed = model.stream(rows.table, stream_levels, options, single);
  replayed.begin_stream(stream_levels, options);
  replayed.replay(streamed.records);
  EXPECT_EQ(replayed.to_bytes(), model.to_bytes());
  model.end_stream();
  model = Classifier::from_bytes(model.to_bytes());
  const auto alarms_of = [&](const Table& table) { return model.evaluate(table, stream_levels, single).alarms; };
  ASSERT_EQ(alarms_of(rows.table).size(), 1U);
  EXPECT_EQ(alarms_of(rows.table).front().name(), "calibration_rows");
  EXPECT_TRUE(alarms_of(fresh.table).empty());
  EXPECT_THROW(model.update(rows.table, {}, single), Error);
  model.calibrate(fresh.table, single);
  ASSERT_NE(model.stream_state(), nullptr);
  EXPECT_EQ(model.stream_state()->settings(), options.applied_to({}));
  ASSERT_FALSE(model.calibration_notes().empty());
  EXPECT_NE(model.calibration_notes().back().find("controller pid, window 150, delay 4"), std::string::npos);
}

// Probabilities are nearly always right: to keep the level a stream gives empty sets; with `at_least` it does not.
TEST(ClassStream, AtLeastTheLevelIsNeverEmpty) {
  Random random(38);
  auto easy = labelled_rows(3000, 4, random);
  const Index label = easy.table.values.cols() - 1;
  Classifier probabilities = fitted();
  const PredictedSets sets = probabilities.predict_sets(easy.table, stream_levels, single);
  for (Index row = 0; row < 3000; ++row)
    easy.table.values(row, label) = static_cast<double>(sets.prediction[static_cast<std::size_t>(row)]);
  for (const char* controller : {"dtaci", "aci:0.02", "pid"}) {
    Classifier exact = fitted(), at_least = fitted();
    const StreamedSets first = exact.stream(easy.table, stream_levels, {.controller = controller, .allow_empty = true}, single);
    const StreamedSets second = at_least.stream(easy.table, stream_levels, {.controller = controller, .at_least = true}, single);
    Index empty = 0;
    for (Index row = 0; row < 3000; ++row) {
      empty += first.sets.size(row, 1) == 0 ? 1 : 0;
      EXPECT_GT(second.sets.size(row, 0), 0) << controller << ", row " << row;
      EXPECT_TRUE(second.at(row, 0).contains(second.y[static_cast<std::size_t>(row)])) << controller << ", row " << row;
    }
    EXPECT_GT(empty, 0) << controller;
  }
}

TEST(ClassStream, RefusesWhatItCannotDo) {
  Random random(36);
  const auto fresh = labelled_rows(60, 4, random);
  Classifier by_label =
      Classifier::fit(labelled_rows(600, 4, random).table, label_options("fixed"), given_probabilities("", true), single);
  EXPECT_THROW(by_label.stream(fresh.table, stream_levels, {}, single), Error);
  Classifier model = fitted();
  EXPECT_THROW(model.stream(fresh.table, stream_levels, {.refit_every = 10}, single), UsageError);
  Random same(31);
  const auto seen = labelled_rows(600, 4, same, 0.5);
  EXPECT_THROW(model.update(seen.table, {}, single), Error);  // rows that were used for the model
  const auto before = model.distribution().scores();
  model.update(fresh.table, {}, single);
  EXPECT_NE(model.distribution().scores(), before);
}

}  // namespace
}  // namespace taut
