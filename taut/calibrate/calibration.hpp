// How calibration rows become the distribution of a new row, and how many new rows that will cover.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

namespace taut {

// What is known beforehand of how many new rows are covered at a level, the calibration rows being random too.
//
// With n calibration scores and rank k the coverage is Beta(k, n + 1 − k), so the number of covered rows among m new ones is
// Beta-binomial(m; k, n + 1 − k). Where rows do not all count alike, the new rows fall into strata: independent of one another
// where they have calibration rows of their own, and each with such a distribution, exact or wider than the true one.

class Law;

struct CoverageStratum {
  Index units = 0;  // new rows, or groups of them where a group counts once
  // Of the lower end: the coverage of a unit is Beta(hits, misses). No misses: all are covered; no hits: nothing is promised.
  double hits = 0, misses = 1;
  // Of the upper end, where ties may have raised the coverage.
  double most_hits = 1, least_misses = 0;
};

// The exact distribution for rows that share calibration rows of weight 1.
CoverageStratum exact_stratum(const Law& law, Index units, double confidence);
// As with `effective_rows` calibration rows of weight 1; the mean coverage is between the two given.
CoverageStratum effective_stratum(Index units, double effective_rows, double at_least, double at_most);

// How many rows of equal weight would leave the coverage as uncertain as rows with these weights do in the worst case, in which
// the rows that are not covered are those of the largest weights: β (1 − β) Σ(w)² / (β² Σ_missed(w²) + (1 − β)² Σ_covered(w²)).
// Without that dependence it is Σ(w)² / Σ(w²). Weights in falling order.
double effective_rows_at_worst(std::span<const double> falling_weights, double confidence);

// The share of the weight at or below the quantile, equal scores included; 1 where the quantile is infinite.
double share_with_ties(const Law& law, double confidence);

// At most this many rows, evenly spread: enough for means over rows that steer a bound.
Rows thinned_rows(RowsView rows, std::size_t most = 2000);

// How calibration rows become the law of a new row: which of them count, and how much. Kinds are listed by name.
//
// A kind is given the scores of the calibration rows and what else it asks of rows, their facts; for the facts of a new row it
// gives a Law. Nothing else knows which kind it is, so every question works with every kind.

// What kinds ask of rows besides their scores, an entry for each row; a kind leaves empty what it does not ask for.
struct RowFacts {
  static constexpr Index no_group = -1;

  std::vector<Index> groups = {};    // counted from 0; no_group: none of the groups that the calibration rows have
  std::vector<double> weights = {};  // how much likelier such a row is among new rows than among calibration rows
  Matrix points = {};                // where the row lies: rows x coordinates
  // Of new rows alone: what each draws its random numbers by, the same for the same inputs. Empty in models of earlier versions,
  // where rows draw by their place.
  std::vector<std::uint64_t> keys = {};

  Index rows() const;
  // The facts of some rows, in their order.
  RowFacts of(RowsView rows) const;
};

// Settings of a kind, found before any calibration row is looked at.
struct CalibrationSettings {
  Index groups = 0;                  // how many there are
  bool pool_others = false;          // a row of no group gets the law of all calibration rows instead of the whole line
  std::vector<double> reaches = {};  // local: how far neighbours lie apart at most, in each coordinate
  std::uint64_t seed = 0;            // of random numbers, which depend on it and on the row's facts alone
  double sure = 0;                   // by-group: of every group by itself (Law::with_sure)
};

// Scores and facts of the calibration rows, in an order that does not depend on the order in which rows were given.
class CalibrationRows {
 public:
  CalibrationRows() = default;
  CalibrationRows(std::vector<SignedScore> scores, RowFacts facts);

  Index size() const { return std::ssize(scores_); }
  const std::vector<SignedScore>& scores() const { return scores_; }  // ascending
  const RowFacts& facts() const { return facts_; }                    // in the same order; equal scores by their facts

  // The law of some of the rows, which are named in ascending order.
  Law law_of(RowsView rows) const;
  Law weighted_law(std::vector<double> weights, double own_weight) const;

 private:
  std::vector<SignedScore> scores_;
  RowFacts facts_;
};

class Calibration {
 public:
  virtual ~Calibration() = default;

  virtual void calibrate(CalibrationRows rows, const CalibrationSettings& settings) = 0;
  // The law of row `row` of these facts. Cheap: laws share their scores where they can.
  virtual Law law(const RowFacts& facts, Index row) const = 0;
  // What is known beforehand of how many of some new rows are covered at this level: independent strata. `rows` are positions in
  // the facts, which are those of law(); where groups count once, facts.groups are those of the new rows, or empty if unknown.
  virtual std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const = 0;
  // Whether all rows have the same law.
  virtual bool is_shared() const { return false; }

  // Which facts of new rows it asks for, and of calibration rows.
  enum class Fact { none, group, weight, point };
  virtual Fact needs() const { return Fact::none; }
  virtual Fact needs_of_calibration_rows() const { return needs(); }
};

Registry<Calibration>& calibrations();

// Σ(w)² / Σ(w²): so many rows of equal weight would tell as much.
double effective_rows(std::span<const double> weights);

}  // namespace taut
