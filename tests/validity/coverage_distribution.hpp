// Do simulated coverages follow their distribution? Given the model, the coverage of the k-th of n calibration scores is Beta(k,
// n + 1 − k), and a fresh row is covered with probability k / (n + 1), which lies in [confidence, confidence + 1/(n + 1)].
//
// Every bound holds for any number of coverages, so the probability of a false alarm is known exactly: Massart's P(sup |F_N − F|
// >= d) <= 2 exp(−2 N d²) for the distribution, binomial tails for the share of fresh rows covered.
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

// ⌈(n + 1) · confidence⌉ in integers: the test must not take the rank from the code that it tests.
inline Index rank_in_whole_numbers(Index rows, Index per_mille) { return ((rows + 1) * per_mille + 999) / 1000; }

class CoverageTest {
 public:
  // `rank_error` makes the expected distribution wrong, to test this test.
  explicit CoverageTest(Index rank_error = 0) : rank_error_(rank_error) {}

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

  // The p-value of "these coverages follow their Beta distributions".
  double distribution_p_value() const {
    if (impossible_) return 0;
    const double distance = uniform_distance(uniform_);
    return std::min(1.0, 2 * std::exp(-2 * static_cast<double>(draws()) * distance * distance));
  }

  // The p-values of "fresh rows are covered at least as often as asked" and of "at most 1 / (n + 1) more often": the lowest over
  // the pairs of n and confidence, times their number.
  double min_p_value() const {
    return over_levels(
        [](const Level& level, Index, double confidence) { return binomial_cdf(level.covered, level.draws, confidence); });
  }
  double max_p_value() const {
    return over_levels([](const Level& level, Index rows, double confidence) {
      const double maximum = std::min(1.0, confidence + 1 / static_cast<double>(rows + 1));
      return 1 - binomial_cdf(level.covered - 1, level.draws, maximum);
    });
  }

  double p_value() const { return std::min(1.0, 3 * std::min({distribution_p_value(), min_p_value(), max_p_value()})); }

 private:
  struct Level {
    Index draws = 0, covered = 0;
  };

  template <class PValue>
  double over_levels(PValue p_value) const {
    double minimum = 1;
    for (const auto& [key, level] : levels_)
      minimum = std::min(minimum, p_value(level, key.first, static_cast<double>(key.second) / 1000));
    return std::min(1.0, minimum * static_cast<double>(levels_.size()));
  }

  Index rank_error_;
  bool impossible_ = false;  // a coverage that cannot occur
  std::vector<double> uniform_;
  std::map<std::pair<Index, Index>, Level> levels_;
};

// Coverages under several headings, tested under each of them. A false alarm anywhere has a probability of at most `family`.
class CoverageSuite {
 public:
  static constexpr double family = 1e-4;

  void add(const std::vector<std::string>& headings, const CoverageDraw& draw) {
    for (const auto& heading : headings) tests_[heading].add(draw);
  }

  // Expects that every heading follows its distribution. Returns the lowest p-value.
  double expect_distribution() const {
    double minimum = 1;
    for (const auto& [heading, test] : tests_) {
      EXPECT_GT(test.p_value(), threshold())
          << heading << ": " << test.draws() << " draws; p-values: distribution " << test.distribution_p_value()
          << ", covered too rarely " << test.min_p_value() << ", too often " << test.max_p_value();
      minimum = std::min(minimum, test.p_value());
    }
    return minimum;
  }

  double threshold() const { return family / static_cast<double>(tests_.size()); }
  const std::map<std::string, CoverageTest>& tests() const { return tests_; }

 private:
  std::map<std::string, CoverageTest> tests_;
};

}  // namespace taut::testing
