// How calibration rows become the law of a new row: which of them count, and how much. One file per kind, one list.
//
// A kind is given the scores of the calibration rows and what else it asks of rows, their facts; for the facts of a new row it
// gives a Law. Nothing else knows which kind it is, so every question works with every kind.
#pragma once

#include <taut/calibrate/coverage_stratum.hpp>
#include <taut/calibrate/law.hpp>
#include <taut/core/registry.hpp>

namespace taut {

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
