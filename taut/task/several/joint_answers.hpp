// Predictions of several targets at rows: regions, intervals of each target, the joint distribution.
#pragma once

#include <taut/core/random.hpp>
#include <taut/task/several/several_task.hpp>

#include <map>
#include <optional>

namespace taut {

// Rows to predict, with their score distributions. Everything must outlive it.
class JointPredictions {
 public:
  JointPredictions(const ModelParts& parts, const TableView& table, const ExecutionContext& context,
                   UnseenGroups* unseen = nullptr);
  // Only these rows of the table.
  JointPredictions(const ModelParts& parts, const TableView& table, const Rows& rows, const ExecutionContext& context,
                   UnseenGroups* unseen = nullptr);

  Index rows() const { return std::ssize(seen_->rows); }
  const SeveralRows& seen() const { return *seen_; }
  JointRow at(Index row) const { return seen_->at(row); }
  const RowDistributions& distributions() const { return distributions_; }

  // rows x targets.
  Matrix predictions() const;
  // Calls visit(row, JointRow, regions) for every row; `regions` has one region for each level.
  using Visit = std::function<void(Index, const JointRow&, std::span<const RegionAt* const>)>;
  void for_each_row(std::span<const double> levels, const Visit& visit) const;
  // Whether the region of a threshold holds the targets y with this score. A box holds the values between its ends, which may be
  // rounded outward to possible values.
  bool holds(const JointRow& row, const RegionAt& region, RowTarget y, double score, double threshold) const;
  // The conformal p-value of the targets y: at most p with a probability of at most p. NaN if the calibration has no ranks
  // (--overlapping).
  double p_value(Index place, const JointRow& row, RowTarget y) const;

 private:
  const ModelParts& parts_;
  const SeveralTask& task_;
  const ExecutionContext& context_;
  std::unique_ptr<SeveralRows> seen_;
  RowDistributions distributions_;
};

// The kept calibration rows of a row's group, with their weights.
class KeptOfGroup {
 public:
  // At most `maximum` rows, evenly spaced.
  KeptOfGroup(const KeptRows& kept, Index group, Index maximum = std::numeric_limits<Index>::max());
  Index rows() const { return std::ssize(places_); }
  std::span<const double> row(Index i) const { return kept_->row(places_[static_cast<std::size_t>(i)]); }
  std::span<const double> weights() const { return weights_; }  // empty: all are 1
  double own_weight() const { return own_weight_; }

 private:
  const KeptRows* kept_;
  Rows places_;
  std::vector<double> weights_;
  double own_weight_ = 1;
};

// Intervals of single targets, each at its own level: exact for the target alone.
class EachTarget {
 public:
  // `groups`: of the rows that will be asked for.
  EachTarget(const ModelParts& parts, std::span<const double> levels, const RowDistributions& rows, Index count);
  // Whether the model has calibration rows for them.
  static bool is_possible(const ModelParts& parts) { return !parts.alone.empty() || !parts.kept.empty(); }
  Interval at(const JointRow& row, Index place, Index target, std::size_t level) const;

 private:
  void read_off(const KeptRows& kept, Index count);

  const JointTargets& joint_;
  const CalibratedAlone& alone_;
  const RowDistributions& rows_;
  std::vector<double> levels_;
  std::map<Index, std::vector<ScoreEnds>> ends_;  // by group: targets x levels; empty if every row has its own
};

// Values of all targets at a row that are equally probable, or have the weights of `kept`: kept rows x targets. Each target has
// the scores of the calibration rows. Which of them go together is as in one calibration row, or if the correlation depends on x,
// as in one calibration row after its correlation is replaced by that at x.
Matrix joint_values(const JointRow& row, const KeptOfGroup& kept);

// The smallest of `values` (weights as above) that has at least the share p of the weight of all values and a new one at or below
// it, and infinity if there is none; for p < 1/2 the same from above. For values that have two sides, not for sizes.
double quantile_with_new(std::vector<double> values, std::span<const double> weights, double own_weight, double p);

}  // namespace taut
