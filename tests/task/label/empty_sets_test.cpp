// Prediction sets that are never empty: they differ from exact sets only where these are empty.
#include <taut/core/error.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/task/label/classifier.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace taut {
namespace {

using testing::given_probabilities;
using testing::label_options;
using testing::labelled_rows;

constexpr std::array rising = {0.05, 0.2, 0.4, 0.6, 0.8, 0.9};
const ExecutionContext alone{.threads = 1};

// Probabilities that are right, so that low levels leave many sets empty.
Classifier easy_model(const std::string& score, bool by_label, const std::vector<std::string>& by = {}, double sure = 0,
                      const std::string& transform = "fixed") {
  Random random(51);
  FitOptions options = label_options(transform);
  options.by = by;
  options.sure = sure;
  return Classifier::fit(labelled_rows(500, 4, random, 0.5).table, options, given_probabilities(score, by_label), alone);
}

Index count_label(std::span<const std::uint8_t> set) { return std::count(set.begin(), set.end(), 1); }

// Returns the number of sets that were completed.
Index expect_completed(const PredictedSets& sets, const PredictedSets& exact, bool one_cut_off) {
  Index completed = 0;
  for (Index row = 0; row < sets.probabilities.rows(); ++row)
    for (std::size_t level = 0; level < sets.levels.size(); ++level) {
      const auto set = sets.set(row, level), other = exact.set(row, level);
      EXPECT_FALSE(exact.is_completed(row, level));
      EXPECT_EQ(sets.is_completed(row, level), count_label(other) == 0);
      if (count_label(other) > 0) {
        EXPECT_TRUE(std::equal(set.begin(), set.end(), other.begin()));
      } else {
        ++completed;
        EXPECT_EQ(count_label(set), 1);
        EXPECT_TRUE(!one_cut_off || set[static_cast<std::size_t>(sets.prediction[static_cast<std::size_t>(row)])] == 1);
      }
      if (level == 0) continue;
      const auto smaller = sets.set(row, level - 1);
      for (std::size_t k = 0; k < set.size(); ++k) EXPECT_LE(smaller[k], set[k]) << "levels are not nested";
    }
  return completed;
}

TEST(EmptySets, GetTheMostProbableLabelAndStayNested) {
  Random random(52);
  const auto fresh = labelled_rows(150, 4, random, 0.5);
  for (const auto& entry : class_scores().entries())
    for (const bool by_label : {false, true})
      for (const auto& smoothing : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
        const Classifier model = easy_model(entry.example, by_label);
        const auto sets = model.predict_sets(fresh.table, rising, alone, {.smoothing = smoothing});
        const auto exact = model.predict_sets(fresh.table, rising, alone, {.smoothing = smoothing, .allow_empty = true});
        EXPECT_GT(expect_completed(sets, exact, !by_label), 0) << entry.name;
      }
}

TEST(EmptySets, AreCompletedInGroupsAndWithATrainedShiftAndWithSure) {
  Random random(53);
  const auto fresh = labelled_rows(150, 4, random, 0.5);
  const auto check = [&](const Classifier& model, bool one_cut_off) {
    const auto sets = model.predict_sets(fresh.table, rising, alone);
    EXPECT_GT(expect_completed(sets, model.predict_sets(fresh.table, rising, alone, {.allow_empty = true}), one_cut_off), 0);
  };
  check(easy_model("", false, {"x0:2"}), true);
  check(easy_model("", false, {}, 0, "curve"), true);
  check(easy_model("", true, {}, 0.9), false);
  check(easy_model("aps", true, {}, 0, "curve"), false);
}

// Labels of very different numbers of calibration rows and with --sure: the label that is added is the first that the sets of
// higher levels contain.
TEST(EmptySets, StayNestedAtManyLevelsByLabel) {
  Random random(54);
  const auto fresh = labelled_rows(100, 4, random, 0.5);
  std::vector<double> many;
  for (int i = 1; i < 100; ++i) many.push_back(i / 100.0);
  for (const double sure : {0.0, 0.9}) {
    Classifier model = easy_model("", true, {}, sure);
    auto rows = labelled_rows(400, 4, random, 0.5);
    for (Index row = 0; row < 350; ++row)
      if (rows.labels[static_cast<std::size_t>(row)] == 2) rows.table.values(row, 7) = 0;
    model.calibrate(rows.table, alone);
    const auto sets = model.predict_sets(fresh.table, many, alone);
    EXPECT_GT(expect_completed(sets, model.predict_sets(fresh.table, many, alone, {.allow_empty = true}), false), 0);
  }
}

TEST(EmptySets, EvaluationsShowBothCoveragesAndTestTheExactOne) {
  Random random(55);
  const auto fresh = labelled_rows(800, 4, random, 0.5);
  for (const bool by_label : {false, true}) {
    const Classifier model = easy_model("", by_label);
    const std::array low = {0.4};
    const LabelEvaluation usual = model.evaluate(fresh.table, low, alone),
                          exact = model.evaluate(fresh.table, low, alone, {}, true);
    const LevelReport &a = usual.levels.front(), &b = exact.levels.front();
    EXPECT_EQ(a.metric("exact_coverage"), b.metric("coverage"));
    EXPECT_EQ(b.metric("exact_coverage"), b.metric("coverage"));
    EXPECT_EQ(a.metric("completed"), b.metric("empty"));
    EXPECT_GT(a.metric("completed"), 0.1);
    EXPECT_EQ(a.metric("empty"), 0);
    EXPECT_EQ(b.metric("completed"), 0);
    EXPECT_NEAR(a.metric("mean_size"), b.metric("mean_size") + a.metric("completed"), 1e-12);
    EXPECT_GT(a.metric("coverage"), b.metric("coverage"));
    EXPECT_GT(a.metric("coverage"), a.metric("coverage_high"));  // the band is that of exact sets,
    EXPECT_TRUE(usual.alarms.empty());                           // and so is the alarm
    EXPECT_TRUE(exact.alarms.empty());
  }
}

// Rows whose labels are all wrong: exact sets cover too rarely, and this is said although completed sets hide a part of it.
TEST(EmptySets, CoverageAlarmsAreThoseOfExactSets) {
  Random random(56);
  auto fresh = labelled_rows(400, 4, random, 0.5);
  for (Index row = 0; row < 400; ++row)
    if (row % 3 == 0) fresh.table.values(row, 7) = static_cast<double>(random.below(4));
  const Classifier model = easy_model("", false);
  const std::array low = {0.6};
  const auto usual = model.evaluate(fresh.table, low, alone), exact = model.evaluate(fresh.table, low, alone, {}, true);
  ASSERT_EQ(exact.alarms.size(), 1U);
  ASSERT_EQ(usual.alarms.size(), 1U);
  EXPECT_EQ(usual.alarms.front().kind, AlarmKind::coverage);
  EXPECT_EQ(usual.alarms.front().numbers, exact.alarms.front().numbers);
  EXPECT_NE(usual.alarms.front().words.find("before empty sets got a label"), std::string::npos) << usual.alarms.front().words;
  EXPECT_EQ(exact.alarms.front().words.find("before empty sets"), std::string::npos);
}

TEST(EmptySets, AStreamLearnsFromExactSets) {
  Random random(57);
  const auto fresh = labelled_rows(500, 4, random, 0.5);
  for (const auto& controller : {"dtaci", "pid"}) {
    Classifier usual = easy_model("", false), exact = easy_model("", false);
    const StreamedSets a = usual.stream(fresh.table, rising, {.controller = controller}, alone);
    const StreamedSets b = exact.stream(fresh.table, rising, {.controller = controller, .allow_empty = true}, alone);
    EXPECT_EQ(usual.to_bytes(), exact.to_bytes());
    EXPECT_GT(expect_completed(a.sets, b.sets, true), 0);
    for (Index row = 0; row < 500; ++row)
      for (std::size_t level = 0; level < rising.size(); ++level)
        EXPECT_EQ(a.at(row, level).width(), static_cast<double>(a.sets.size(row, level)));
  }
}

}  // namespace
}  // namespace taut
