// Sets of labels follow their exact distributions, for every listed score, trained or not: a fresh row's label is in its set with
// probability k / (n + 1), and with --by-label that of a row of label l with k_l / (n_l + 1), neither less nor more. This is
// about exact sets; default sets contain them. Scores are continuous. TAUT_VALIDATE=long repeats twenty times as often.
#include <taut/calibrate/rank.hpp>
#include <taut/core/beta.hpp>
#include <taut/task/label/class_score.hpp>
#include <tests/support/goodness_of_fit.hpp>
#include <tests/support/labelled_rows.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace taut {
namespace {

using testing::one_thread;
using testing::repeats;

// The difference between the number of covered rows and the promised one, in standard errors.
struct SetPromise {
  double found = 0, promised = 0, variance = 0;

  void add(bool covered, double p) {
    found += covered ? 1 : 0;
    promised += p;
    variance += p * (1 - p);
  }
  double z() const { return (found - promised) / std::sqrt(variance); }
};

// Trees from few rows give equal probabilities to many rows, and ties raise coverage: only a randomized score is continuous.
struct SetsCase {
  std::string score;
  bool trained, by_label, trees;
};

std::vector<SetsCase> cases() {
  std::vector<SetsCase> all;
  for (const auto& entry : class_scores().entries())
    for (const bool trained : {false, true})
      for (const bool by_label : {false, true}) {
        all.push_back({entry.example, trained, by_label, false});
        if (class_scores().make(entry.example)->draws()) all.push_back({entry.example, trained, by_label, true});
      }
  return all;
}

Classifier fitted(const SetsCase& one, Random& random) {
  const auto rows = testing::labelled_rows(300, 3, random, 1.0);
  FitOptions options = testing::label_options(one.trained ? "curve" : "fixed");
  LabelOptions classes = testing::given_probabilities(one.score, one.by_label);
  if (one.trees) {
    classes.probabilities.clear();
    options = testing::without_probabilities(options, 3);
  }
  return Classifier::fit(rows.table, options, classes, one_thread);
}

TEST(Sets, HoldTheLabelExactlyAsOftenAsPromised) {
  std::uint64_t stream = 0;
  for (const SetsCase& one : cases()) {
    Random random = Random(41).fork(++stream);
    Classifier model = fitted(one, random);
    std::map<Index, SetPromise> promises;  // by label, or of all rows
    Index number = 0;
    for (Index again = 0; again < repeats(400, 20); ++again) {
      const auto rows = testing::labelled_rows(again % 2 == 0 ? 23 : 60, 3, random, 1.0);
      model.calibrate(rows.table, one_thread);
      const auto fresh = testing::labelled_rows(1, 3, random, 1.0);
      const Index label = fresh.labels.front();
      const Index n = one.by_label ? std::count(rows.labels.begin(), rows.labels.end(), label) : std::ssize(rows.labels);
      const std::array level = {again % 3 == 0 ? 0.5 : 0.8};
      const Index rank = testing::rank_in_whole_numbers(n, again % 3 == 0 ? 500 : 800);
      const auto sets = model.predict_sets(fresh.table, level, one_thread, {.first_row = number++, .allow_empty = true});
      const double promised = rank > n ? 1 : static_cast<double>(rank) / static_cast<double>(n + 1);
      const bool covered = sets.set(0, 0)[static_cast<std::size_t>(label)] != 0;
      if (promised == 1) {
        EXPECT_TRUE(covered);
      } else {
        promises[one.by_label ? label : 0].add(covered, promised);
      }
    }
    for (const auto& [label, promise] : promises)
      EXPECT_LT(std::abs(promise.z()), 4.9) << one.score << (one.trained ? " trained" : " fixed")
                                            << (one.by_label ? " by label " : " ") << label << ": " << promise.found
                                            << " instead of " << promise.promised;
  }
}

// A set that is not empty covers at least as often, for all rows together and for the rows of each label.
TEST(Sets, SetsThatAreNeverEmptyCoverAtLeastAsOften) {
  for (const bool by_label : {false, true}) {
    Random random = Random(42).fork(by_label ? 1 : 0);
    Classifier model = fitted({"lac", false, by_label, false}, random);
    std::map<Index, SetPromise> promises;
    Index completed = 0;
    for (Index again = 0; again < repeats(400, 20); ++again) {
      const auto rows = testing::labelled_rows(60, 3, random, 1.0);
      model.calibrate(rows.table, one_thread);
      const auto fresh = testing::labelled_rows(1, 3, random, 1.0);
      const Index label = fresh.labels.front();
      const Index n = by_label ? std::count(rows.labels.begin(), rows.labels.end(), label) : std::ssize(rows.labels);
      const Index rank = testing::rank_in_whole_numbers(n, 500);
      const auto sets = model.predict_sets(fresh.table, std::array{0.5}, one_thread);
      completed += sets.is_completed(0, 0) ? 1 : 0;
      EXPECT_GT(sets.size(0, 0), 0);
      if (rank <= n)
        promises[by_label ? label : 0].add(sets.set(0, 0)[static_cast<std::size_t>(label)] != 0,
                                           static_cast<double>(rank) / static_cast<double>(n + 1));
    }
    EXPECT_GT(completed, 0);
    for (const auto& [label, promise] : promises) EXPECT_GT(promise.z(), -4.9) << label;
  }
}

// Coverage of all future rows, given the calibration rows, is Beta(k, n + 1 − k).
TEST(Sets, CoverageFollowsItsBetaDistribution) {
  for (const bool by_label : {false, true}) {
    Random random = Random(43).fork(by_label ? 1 : 0);
    Classifier model = fitted({"lac", true, by_label, false}, random);
    const auto fresh = testing::labelled_rows(4000, 3, random, 1.0);
    const std::array level = {0.8};
    std::vector<double> places;
    for (Index again = 0; again < repeats(60, 20); ++again) {
      const auto rows = testing::labelled_rows(40, 3, random, 1.0);
      model.calibrate(rows.table, one_thread);
      const auto sets = model.predict_sets(fresh.table, level, one_thread, {.allow_empty = true});
      Index covered = 0, all = 0;
      for (Index row = 0; row < 4000; ++row) {
        const auto label = static_cast<std::size_t>(fresh.labels[static_cast<std::size_t>(row)]);
        if (by_label && label != 0) continue;
        ++all;
        covered += sets.set(row, 0)[label];
      }
      const Index n = by_label ? std::count(rows.labels.begin(), rows.labels.end(), 0) : 40;
      const Index rank = testing::rank_in_whole_numbers(n, 800);
      if (rank > n) continue;
      // The randomized probability integral transform of the count.
      const auto a = static_cast<double>(rank), b = static_cast<double>(n + 1 - rank);
      const double low = covered > 0 ? beta_binomial_cdf(covered - 1, all, a, b) : 0;
      const double high = beta_binomial_cdf(covered, all, a, b);
      places.push_back(low + random.uniform() * (high - low));
    }
    EXPECT_GT(std::ssize(places), 40);
    EXPECT_GT(testing::uniform_fit_p_value(places), 1e-5) << (by_label ? "by label" : "all rows");
  }
}

// Ties: labels with equal probabilities. Coverage may be above the promise, never below.
TEST(Sets, TiesNeverCostCoverage) {
  Random random(45);
  const auto equal = [&](Index rows) {
    auto drawn = testing::labelled_rows(rows, 3, random);
    for (Index row = 0; row < rows; ++row)
      for (Index k = 0; k < 3; ++k) drawn.table.values(row, 3 + k) = k == 0 ? 0.5 : 0.25;
    return drawn;
  };
  for (const auto& entry : class_scores().entries()) {
    Classifier model = Classifier::fit(equal(200).table, testing::label_options("fixed"),
                                       testing::given_probabilities(entry.example), one_thread);
    SetPromise promise;
    for (Index again = 0; again < 400; ++again) {
      model.calibrate(equal(19).table, one_thread);
      const auto fresh = equal(1);
      const std::array level = {0.8};
      const auto sets = model.predict_sets(fresh.table, level, one_thread, {.first_row = again, .allow_empty = true});
      promise.add(sets.set(0, 0)[static_cast<std::size_t>(fresh.labels.front())] != 0, 16.0 / 20);
    }
    EXPECT_GT(promise.z(), -4.9) << entry.name;
  }
}

// Random ranks make coverage exact, with or without ties.
TEST(Sets, SmoothedSetsCoverExactlyTheLevelOnAverage) {
  Random random(47);
  Classifier model = fitted({"lac", true, false, false}, random);
  SetPromise promise;
  for (Index again = 0; again < repeats(800, 20); ++again) {
    model.calibrate(testing::labelled_rows(7, 3, random, 1.0).table, one_thread);
    const auto fresh = testing::labelled_rows(1, 3, random, 1.0);
    const std::array level = {0.8};
    const auto sets =
        model.predict_sets(fresh.table, level, one_thread, {.smoothing = 5, .first_row = again, .allow_empty = true});
    promise.add(sets.set(0, 0)[static_cast<std::size_t>(fresh.labels.front())] != 0, 0.8);
  }
  EXPECT_LT(std::abs(promise.z()), 4.9) << promise.found << " instead of " << promise.promised;
}

// All probabilities are equal, so all scores tie. Sets without random ranks are too large, smoothed ones are not.
TEST(Sets, SmoothedSetsAreExactWithTies) {
  Random random(48);
  const auto equal = [&](Index rows) {
    auto drawn = testing::labelled_rows(rows, 3, random);
    for (Index row = 0; row < rows; ++row)
      for (Index k = 0; k < 3; ++k) drawn.table.values(row, 3 + k) = k == 0 ? 0.5 : 0.25;
    return drawn;
  };
  for (const bool by_label : {false, true})
    for (const std::string score : {"lac", "aps"}) {
      Classifier model = Classifier::fit(equal(200).table, testing::label_options("fixed"),
                                         testing::given_probabilities(score, by_label), one_thread);
      SetPromise promise, plain;
      for (Index again = 0; again < repeats(1500, 20); ++again) {
        model.calibrate(equal(19).table, one_thread);
        const auto fresh = equal(1);
        const std::array level = {0.6, 0.8};
        const auto label = static_cast<std::size_t>(fresh.labels.front());
        const auto sets = model.predict_sets(fresh.table, level, one_thread, {.smoothing = 5, .allow_empty = true});
        promise.add(sets.set(0, 1)[label] != 0, 0.8);
        plain.add(model.predict_sets(fresh.table, level, one_thread, {.allow_empty = true}).set(0, 1)[label] != 0, 0.8);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(sets.set(0, 0)[k], sets.set(0, 1)[k]);
      }
      EXPECT_LT(std::abs(promise.z()), 4.9) << score << ": " << promise.found << " instead of " << promise.promised;
      EXPECT_GT(plain.z(), 4.9) << score;
    }
}

}  // namespace
}  // namespace taut
