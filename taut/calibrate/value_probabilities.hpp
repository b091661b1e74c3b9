// P(y <= v) at fixed values v, calibrated at each of them.
//
// Ranks calibrate quantiles: how often y lies below a value that is chosen for each row. They say nothing about a fixed v, where
// the share of rows with y <= v may be far from what the scores suggest: at 0 where most y are 0, for example. So for some values
// of y, among them all that are frequent, calibration rows say how often y <= v among rows whose score at v is alike (VennAbers).
// Between two of these values the law of ranks says how probability is spread.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/venn_abers.hpp>

#include <span>
#include <vector>

namespace taut {

class ValueProbabilities {
 public:
  // Of calibration rows: the score at each, its target, and its weight. `own_weight`: of a new row, above 0.
  ValueProbabilities(std::span<const RowScore> scores, std::span<const double> y, std::span<const double> weights,
                     double own_weight);

  // A value at which probabilities are calibrated, ascending. A frequent value comes twice, first for y < v and then for y <= v.
  struct Node {
    double value;
    bool is_open;  // y < value
    bool is_jump;  // all probability since the node before lies on the value itself
    VennAbers calibrated;
  };
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
};

class RowLaw;

// The same at one row.
class RowProbabilities {
 public:
  RowProbabilities(const ValueProbabilities& values, const RowLaw& ranks, const RowScore& score);

  struct Band {
    double low, value, high;
  };
  // P(y <= v): rises with v, as its ends do. `low` and `high` hold the Venn–Abers pair at v, or of the nodes around it, between
  // them.
  Band below(double v) const;
  // The value whose probability is reached at `uniform`, so that samples lie at or below v with the probability that below(v)
  // says.
  double sample(double uniform) const;

 private:
  double by_ranks(std::size_t from, std::size_t to, double share) const;

  const std::vector<ValueProbabilities::Node>& nodes_;
  const RowLaw& ranks_;
  std::vector<double> raw_, values_, low_, high_;  // at each node: by ranks alone, calibrated, and the ends of the pair
};

}  // namespace taut
