// --sure: coverage given the calibration set, exactly. Ranks are found here by summing binomial probabilities, not by the
// library.
#include <taut/calibrate/rank.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/error.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/labelled_rows.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/population.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::Population;

constexpr double chance = 1e-6;  // of a false alarm, for each count
using testing::one_thread;

// P(Beta(k, n + 1 − k) >= p) = P(Binomial(n, p) < k).
long double chance_to_reach(Index k, Index n, double p) {
  long double term = std::pow(1 - static_cast<long double>(p), static_cast<long double>(n)), sum = 0;
  for (Index j = 0; j < k; ++j) {
    sum += term;
    term *= static_cast<long double>(n - j) / static_cast<long double>(j + 1) * p / (1 - static_cast<long double>(p));
  }
  return sum;
}

Index smallest_rank(Index n, double p, double sure) {
  Index k = 1;
  while (k <= n && chance_to_reach(k, n, p) < sure) ++k;
  return k;
}

// The probability that coverage is below the level, if the rank is the smallest that is sufficient.
double chance_below(Index n, double p, double sure) {
  const Index k = smallest_rank(n, p, sure);
  return k > n ? 0 : 1 - static_cast<double>(chance_to_reach(k, n, p));
}

void expect_count(Index below, Index all, double p, double sure, const std::string& what) {
  EXPECT_LE(p, 1 - sure + 1e-12) << what;
  const double at_most = binomial_cdf(below, all, p), at_least = below == 0 ? 1 : 1 - binomial_cdf(below - 1, all, p);
  EXPECT_GT(std::min(at_most, at_least), chance) << what << ": " << below << " of " << all << " below, expected " << p;
}

// Uniform scores: the coverage of an interval is its quantile, that of a bound its distance from the other end.
void expect_beta_distribution(Index n, Index repeats) {
  for (const double level : {0.5, 0.8, 0.9, 0.95})
    for (const double sure : {0.9, 0.95}) {
      Random random = Random(11).fork(static_cast<std::uint64_t>(n)).fork(static_cast<std::uint64_t>(1000 * level + 100 * sure));
      Index interval = 0, upper = 0, lower = 0, tail = 0;
      const double of_tail = 0.5 + 0.5 * level;
      for (Index again = 0; again < repeats; ++again) {
        std::vector<double> scores(static_cast<std::size_t>(n));
        for (double& score : scores) score = random.uniform();
        const ScoreDistribution distribution =
            ScoreDistribution(scores, std::vector<Side>(scores.size(), Side::above)).with_sure(sure);
        const auto high = distribution.upper(level), low = distribution.lower(level), end = distribution.upper(of_tail, 2);
        interval += distribution.quantile(level) < level ? 1 : 0;
        upper += high && high->score < level ? 1 : 0;
        lower += low && 1 - low->score < level ? 1 : 0;
        tail += end && end->score < of_tail ? 1 : 0;
      }
      const std::string what = std::to_string(n) + " rows, " + std::to_string(level) + ", sure " + std::to_string(sure);
      const double p = chance_below(n, level, sure);
      expect_count(interval, repeats, p, sure, "intervals of " + what);
      expect_count(upper, repeats, p, sure, "upper bounds of " + what);
      expect_count(lower, repeats, p, sure, "lower bounds of " + what);
      const double of_both = 1 - (1 - sure) / 2;
      expect_count(tail, repeats, chance_below(n, of_tail, of_both), of_both, "tails of " + what);
    }
}

TEST(Sure, CoverageFollowsTheBetaDistributionOfItsRank) {
  for (const Index n : {19, 99}) expect_beta_distribution(n, 4000);
}

// Neighbouring ranks of many rows need more repeats to be told apart.
TEST(Sure, CoverageFollowsTheBetaDistributionOfItsRankAmongManyRowsSlow) { expect_beta_distribution(500, 20'000); }

// Every question that has a rank, through a model.
TEST(Sure, HoldsForEveryQuestionOfAModel) {
  constexpr double level = 0.8, sure = 0.9;
  const Population population("cos");
  FitOptions options = testing::tiny("boost", "exp");
  options.prediction = "p";
  options.sure = sure;
  Random random(5);
  Regressor model = Regressor::fit(population.rows(120, random), options, one_thread);
  const std::array<const char*, 5> asked = {"upper:0.8", "lower:0.8", "quantile:0.8", "quantile:0.2", "equal:0.8"};
  std::vector<std::unique_ptr<Question>> all;
  for (const char* one : asked) all.push_back(questions().make(one));
  constexpr Index rows = 45, repeats = 500;
  Index interval = 0;
  std::array<Index, 6> below = {};
  for (Index again = 0; again < repeats; ++again) {
    model.calibrate(population.rows(rows, random), one_thread);
    interval += population.coverage(model, std::array{level})[0] < level ? 1 : 0;
    const Answers answers = model.ask(population.everything(), all, {}, one_thread);
    for (std::size_t i = 0; i < below.size(); ++i) {
      const double at_most = population.share_at_most(answers.values.col(static_cast<Index>(i)));
      const bool is_lower = i == 1 || i == 3 || i == 4;
      below[i] += (is_lower ? 1 - at_most : at_most) < (i < 4 ? level : 0.9) ? 1 : 0;
    }
  }
  EXPECT_EQ(model.sure(), sure);  // calibrating keeps it
  expect_count(interval, repeats, chance_below(rows, level, sure), sure, "intervals");
  for (std::size_t i = 0; i < below.size(); ++i) {
    const double of_each = i < 4 ? sure : 0.95;
    expect_count(below[i], repeats, chance_below(rows, i < 4 ? level : 0.9, of_each), of_each, "question " + std::to_string(i));
  }
}

// Columns group, p = 0 and y, whose deviation is that of the group.
constexpr std::array<double, 3> deviations = {3, 1, 0.3};

Table in_groups(const std::array<Index, 3>& sizes, Random& random) {
  Table table;
  for (const char* name : {"group", "p", "y"}) table.columns.push_back({name});
  table.values.resize(sizes[0] + sizes[1] + sizes[2], 3);
  Index row = 0;
  for (std::size_t group = 0; group < sizes.size(); ++group)
    for (Index i = 0; i < sizes[group]; ++i)
      table.values.row(row++) << static_cast<double>(group), 0, deviations[group] * random.normal();
  return table;
}

// All groups at once: each has the rank of its own rows with a third of the error probability.
TEST(Sure, HoldsInAllGroupsAtOnce) {
  constexpr double level = 0.9, sure = 0.85;
  constexpr std::array<Index, 3> sizes = {40, 60, 35};
  Random random(9);
  FitOptions options;
  options.target = "y";
  options.prediction = "p";
  options.transform = "fixed";
  options.localizer = "none";
  Regressor model = Regressor::fit(in_groups(sizes, random), options, one_thread);
  const Table one_each = in_groups({1, 1, 1}, random);
  constexpr Index repeats = 1500;
  Index failed = 0;
  std::array<Index, 3> below = {};
  for (Index again = 0; again < repeats; ++again) {
    CalibrationOptions how{.by = {"group"}};
    how.sure = sure;
    model.calibrate(in_groups(sizes, random), one_thread, how);
    const Predicted predicted = model.predict_interval(one_each, std::array{level}, one_thread);
    bool any = false;
    for (std::size_t group = 0; group < 3; ++group) {
      const Interval& set = predicted.at(static_cast<Index>(group), 0);
      const bool too_low =
          testing::normal_cdf(set.upper / deviations[group]) - testing::normal_cdf(set.lower / deviations[group]) < level;
      below[group] += too_low ? 1 : 0;
      any = any || too_low;
    }
    failed += any ? 1 : 0;
  }
  const double of_each = 1 - (1 - sure) / 3;
  double all_hold = 1;
  for (std::size_t group = 0; group < 3; ++group) {
    const double p = chance_below(sizes[group], level, of_each);
    expect_count(below[group], repeats, p, of_each, "group " + std::to_string(group));
    all_hold *= 1 - p;
  }
  expect_count(failed, repeats, 1 - all_hold, sure, "all groups");
}

// The cut-off of sets of labels comes from the same rank, so sets only grow.
TEST(Sure, SetsOfLabelsHaveTheSameRank) {
  Random random(3);
  const auto rows = testing::labelled_rows(300, 3, random, 1.0);
  Classifier model =
      Classifier::fit(rows.table, testing::label_options("fixed"), testing::given_probabilities("lac", false), one_thread);
  const auto fresh = testing::labelled_rows(200, 3, random, 1.0), calibration = testing::labelled_rows(90, 3, random, 1.0);
  for (const bool by_label : {false, true}) {
    CalibrationOptions how;
    how.sure = 0;
    how.by_label = by_label;
    model.calibrate(calibration.table, one_thread, how);
    const auto usual = model.predict_sets(fresh.table, std::array{0.8}, one_thread, {.allow_empty = true});
    how.sure = 0.9;
    model.calibrate(calibration.table, one_thread, how);
    const auto sure = model.predict_sets(fresh.table, std::array{0.8}, one_thread, {.allow_empty = true});
    Index grown = 0;
    for (Index row = 0; row < 200; ++row)
      for (std::size_t label = 0; label < 3; ++label) {
        EXPECT_LE(usual.set(row, 0)[label], sure.set(row, 0)[label]);
        grown += sure.set(row, 0)[label] - usual.set(row, 0)[label];
      }
    EXPECT_GT(grown, 0);
    if (!by_label) {
      EXPECT_EQ(model.distribution().rank(0.8), smallest_rank(90, 0.8, 0.9));
    }
    EXPECT_DOUBLE_EQ(model.distribution().sure(), by_label ? 1 - 0.1 / 3 : 0.9);
  }
}

// Ties can only raise coverage: the score at the rank is the same or a larger one.
TEST(Sure, TiesOnlyRaiseCoverage) {
  constexpr Index n = 60, repeats = 2000;
  constexpr double level = 0.8, sure = 0.9;
  Random random(21);
  Index below = 0;
  for (Index again = 0; again < repeats; ++again) {
    std::vector<double> scores(n);
    for (double& score : scores) score = std::ceil(10 * random.uniform());  // P(score <= s) = s / 10
    below += ScoreDistribution(scores).with_sure(sure).quantile(level) / 10 < level ? 1 : 0;
  }
  EXPECT_GT(binomial_cdf(repeats - below, repeats, 1 - chance_below(n, level, sure)), chance);
  EXPECT_LE(static_cast<double>(below), (1 - sure) * repeats + 5 * std::sqrt(sure * (1 - sure) * repeats));
}

// Where no exact statement is known, --sure is refused by name, and the model stays as it was.
TEST(Sure, WhatHasNoExactStatementIsRefused) {
  const Population population("cos");
  Random random(6);
  FitOptions options = testing::tiny("none", "fixed");
  options.prediction = "p";
  options.split = "0,0.4,0.1,0.5";  // other kinds of calibration need rows that do not calibrate
  options.sure = 0.95;
  Regressor model = Regressor::fit(population.rows(200, random), options, one_thread);
  const std::string before = model.to_bytes();
  const Table rows = population.rows(100, random);
  CalibrationOptions local, together, weights, overlapping, pool;
  local.local = 50;
  together.keep_together = "x";
  weights.weights = "hi";
  overlapping.overlapping = {"z"};
  pool.by = {"z"};
  pool.other_groups = "pool";
  for (const auto* how : {&local, &together, &overlapping, &pool}) {
    EXPECT_THROW(model.calibrate(rows, one_thread, *how), UsageError) << how->given();
    EXPECT_EQ(model.to_bytes(), before) << how->given();
    CalibrationOptions without = *how;
    without.sure = 0;
    Regressor other = Regressor::from_bytes(before);
    EXPECT_NO_THROW(other.calibrate(rows, one_thread, without)) << how->given();
    EXPECT_EQ(other.sure(), 0);
  }
  EXPECT_THROW(model.begin_stream(std::array{0.9}), UsageError);
  EXPECT_THROW(model.distribution().smoothed_quantile(0.9, 0.5), UsageError);
  EXPECT_EQ(Regressor::from_bytes(before).distribution().rank(0.9), model.distribution().rank(0.9));
  for (const auto change : {+[](FitOptions& own) { own.split = "cv+"; }, +[](FitOptions& own) { own.keep_together = "x"; },
                            +[](FitOptions& own) { own.in_order = true; }, +[](FitOptions& own) { own.other_groups = "pool"; },
                            +[](FitOptions& own) { own.sure = 1; }, +[](FitOptions& own) { own.sure = -0.1; }}) {
    FitOptions own = options;
    change(own);
    EXPECT_THROW(own.check(), UsageError);
  }
}

}  // namespace
}  // namespace taut
