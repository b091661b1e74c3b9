// Coverages that were drawn, and whether they follow their law: given the model, the coverage of the k-th of n calibration scores
// is Beta(k, n + 1 − k), and a fresh row is covered with probability k / (n + 1), which lies in [confidence, confidence + 1/(n +
// 1)].
//
// Every bound holds for any number of draws, so that the chance of a false alarm is known and not merely approximate:
// Massart's P(sup |F_N − F| >= d) <= 2 exp(−2 N d²) for the law, binomial tails for the share of fresh rows covered.
#pragma once

#include <taut/core/beta.hpp>
#include <tests/support/goodness_of_fit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace taut::testing {

struct CoverageDraw {
  Index rows;       // n, calibration rows
  Index per_mille;  // confidence · 1000
  double coverage;  // given the model
  bool covered;     // one fresh row
};

// ⌈(n + 1) · confidence⌉ in whole numbers: the test must not take the rank from the code that it tests.
inline Index rank_in_whole_numbers(Index rows, Index per_mille) { return ((rows + 1) * per_mille + 999) / 1000; }

class LawTest {
 public:
  // `rank_error` makes the law wrong, for tests of the test.
  explicit LawTest(Index rank_error = 0) : rank_error_(rank_error) {}

  void add(const CoverageDraw& draw) {
    const Index rank = rank_in_whole_numbers(draw.rows, draw.per_mille) + rank_error_;
    const auto n = static_cast<double>(draw.rows), k = static_cast<double>(rank);
    if (rank < 1 || rank > draw.rows)
      impossible_ = impossible_ || draw.coverage != (rank < 1 ? 0 : 1);
    else
      uniform_.push_back(beta_cdf(draw.coverage, k, n + 1 - k));
    auto& level = levels_[{draw.rows, draw.per_mille}];
    ++level.draws;
    level.covered += draw.covered ? 1 : 0;
  }

  Index draws() const { return static_cast<Index>(uniform_.size()); }

  // "These coverages follow their Beta laws."
  double law_p_value() const {
    if (impossible_) return 0;
    const double distance = uniform_distance(uniform_);
    return std::min(1.0, 2 * std::exp(-2 * static_cast<double>(draws()) * distance * distance));
  }

  // "Fresh rows are covered at least as often as asked", and "at most 1 / (n + 1) more often": the least p-value over the pairs
  // of n and confidence, times their number.
  double least_p_value() const {
    return over_levels(
        [](const Level& level, Index, double confidence) { return binomial_cdf(level.covered, level.draws, confidence); });
  }
  double most_p_value() const {
    return over_levels([](const Level& level, Index rows, double confidence) {
      const double most = std::min(1.0, confidence + 1 / static_cast<double>(rows + 1));
      return 1 - binomial_cdf(level.covered - 1, level.draws, most);
    });
  }

  double p_value() const { return std::min(1.0, 3 * std::min({law_p_value(), least_p_value(), most_p_value()})); }

 private:
  struct Level {
    Index draws = 0, covered = 0;
  };

  template <class PValue>
  double over_levels(PValue p_value) const {
    double least = 1;
    for (const auto& [key, level] : levels_)
      least = std::min(least, p_value(level, key.first, static_cast<double>(key.second) / 1000));
    return std::min(1.0, least * static_cast<double>(levels_.size()));
  }

  Index rank_error_;
  bool impossible_ = false;  // a coverage that the law excludes
  std::vector<double> uniform_;
  std::map<std::pair<Index, Index>, Level> levels_;
};

// Draws under several headings, tested under each of them; a false alarm anywhere has at most the chance `family`.
class LawSuite {
 public:
  static constexpr double family = 1e-4;

  void add(const std::vector<std::string>& headings, const CoverageDraw& draw) {
    for (const auto& heading : headings) tests_[heading].add(draw);
  }

  // Expects that every heading follows the law; the least p-value.
  double expect_law() const {
    double least = 1;
    for (const auto& [heading, test] : tests_) {
      EXPECT_GT(test.p_value(), threshold())
          << heading << ": " << test.draws() << " draws; p-values: law " << test.law_p_value() << ", covered too rarely "
          << test.least_p_value() << ", too often " << test.most_p_value();
      least = std::min(least, test.p_value());
    }
    return least;
  }

  double threshold() const { return family / static_cast<double>(tests_.size()); }
  const std::map<std::string, LawTest>& tests() const { return tests_; }

 private:
  std::map<std::string, LawTest> tests_;
};

}  // namespace taut::testing
