// How calibration rows become the score distribution of a new row, and how many new rows the sets will cover.
#pragma once

#include <taut/calibrate/score_distribution.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

namespace taut {

// The distribution of the number of new rows that are covered at a level, over random calibration rows and new rows.
//
// With n calibration scores and rank k the coverage is Beta(k, n + 1 − k), so the number of covered rows among m new ones is
// Beta-binomial(m; k, n + 1 − k). If calibration rows have weights or groups, the new rows are divided into strata. Strata with
// separate calibration rows are independent. Each stratum has such a distribution, exact or wider than the true one.

struct CoverageStratum {
  Index units = 0;  // new rows, or groups of new rows if each group counts once
  // Lower end: the coverage of a unit is Beta(hits, misses). Without misses all are covered; without hits nothing is guaranteed.
  double hits = 0, misses = 1;
  // Upper end: ties may have raised the coverage.
  double max_hits = 1, min_misses = 0;
};

// The exact distribution for rows that share calibration rows of weight 1.
CoverageStratum exact_stratum(const ScoreDistribution& distribution, Index units, double confidence);
// The distribution for `effective_rows` calibration rows of weight 1. The mean coverage lies between `at_least` and `at_most`.
CoverageStratum effective_stratum(Index units, double effective_rows, double at_least, double at_most);

// The number of rows of equal weight that leaves the coverage as uncertain as rows with these weights do in the worst case: the
// rows of the rarer outcome, usually those that are not covered, have the largest weights. It is
//   β (1 − β) Σ(w)² / (β² Σ_missed(w²) + (1 − β)² Σ_covered(w²)).
// If coverage does not depend on the weights, it is Σ(w)² / Σ(w²). The weights must be in descending order.
double effective_rows_at_worst(std::span<const double> falling_weights, double confidence);

// The share of the weight at or below the quantile, equal scores included; 1 if the quantile is infinite.
double share_with_ties(const ScoreDistribution& distribution, double confidence);

// At most `maximum` of the rows, evenly spaced. That is enough to estimate means over rows.
Rows thinned_rows(RowsView rows, std::size_t maximum = 2000);

// A kind of calibration decides which calibration rows count for a new row, and with which weight. Kinds are listed by name.
//
// A kind gets the scores of the calibration rows and their facts: groups, weights or coordinates. For the facts of a new row it
// returns a ScoreDistribution. No other code depends on the kind, so every question works with every kind.

// What kinds of calibration need besides scores, one entry for each row. Vectors that a kind does not need stay empty.
struct RowFacts {
  static constexpr Index no_group = -1;

  std::vector<Index> groups = {};    // counted from 0; no_group: a group without calibration rows
  std::vector<double> weights = {};  // likelihood ratio of new rows to calibration rows
  Matrix points = {};                // rows x coordinates
  // Only for new rows: the key of the row's random numbers, equal for equal inputs. Empty for models of earlier versions, whose
  // random numbers depend on the row's coordinates.
  std::vector<std::uint64_t> keys = {};

  Index rows() const;
  // The facts of some rows, in their order.
  RowFacts of(RowsView rows) const;
};

// Settings of a kind. They are chosen before any calibration row is used.
struct CalibrationSettings {
  Index groups = 0;                  // number of groups
  bool pool_others = false;          // a row of no group gets the distribution of all calibration rows, not the whole line
  std::vector<double> reaches = {};  // local: the largest distance to a neighbour, in each coordinate
  std::uint64_t seed = 0;            // random numbers depend only on the seed and on the row's facts
  double sure = 0;                   // by-group: for each group separately (ScoreDistribution::with_sure)
};

// The rows in ascending order of their scores, equal ones by their facts, and else in the given order.
Rows order_of_calibration(const std::vector<SignedScore>& scores, const RowFacts& facts, Rows rows);

// Scores and facts of the calibration rows, in an order that does not depend on the order in which rows were given.
class CalibrationRows {
 public:
  CalibrationRows() = default;
  CalibrationRows(std::vector<SignedScore> scores, RowFacts facts);

  Index size() const { return std::ssize(scores_); }
  const std::vector<SignedScore>& scores() const { return scores_; }  // ascending
  const RowFacts& facts() const { return facts_; }                    // in the same order; equal scores by their facts

  // The distribution of the scores of these rows, which must be in ascending order.
  ScoreDistribution distribution_of(RowsView rows) const;
  ScoreDistribution weighted_distribution(std::vector<double> weights, double own_weight) const;

 private:
  std::vector<SignedScore> scores_;
  RowFacts facts_;
};

class Calibration {
 public:
  virtual ~Calibration() = default;

  virtual void calibrate(CalibrationRows rows, const CalibrationSettings& settings) = 0;
  // The score distribution for row `row` of these facts. Cheap: distributions share their scores if possible.
  virtual ScoreDistribution distribution(const RowFacts& facts, Index row) const = 0;
  // The number of covered rows among these new rows at this level, as independent strata. `rows` are positions in `facts`, the
  // same facts as for distribution(). If each group counts once, facts.groups holds the groups of the new rows, or is empty if
  // they are unknown.
  virtual std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const = 0;
  // Whether all rows have the same score distribution.
  virtual bool is_shared() const { return false; }

  // Which fact is needed of new rows, and of calibration rows.
  enum class Fact { none, group, weight, point };
  virtual Fact needs() const { return Fact::none; }
  virtual Fact needs_of_calibration_rows() const { return needs(); }
};

Registry<Calibration>& calibrations();

// Kish's effective sample size: Σ(w)² / Σ(w²).
double effective_rows(std::span<const double> weights);

}  // namespace taut
