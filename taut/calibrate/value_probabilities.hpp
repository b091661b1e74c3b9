// P(y <= v) at fixed values v, calibrated at each of them by Venn–Abers prediction.
#pragma once

#include <taut/calibrate/row_score.hpp>

#include <span>
#include <vector>

namespace taut {

// The calibrated probability of an event, from a score that ranks rows: an inductive Venn–Abers predictor (Vovk, Petej and
// Fedorova 2015). It needs no assumption about the score.
//
// Calibration rows have a score and either had the event or not. The new row joins them twice, once without and once with the
// event, and isotonic regression of the event on the score gives a probability each time. If the rows are exchangeable, one of
// the two is perfectly calibrated, P(event | p) = p, for any score and any data.
//
// Isotonic regression of single rows is 0 and 1 at the ends, whatever the true probabilities are. So rows that are adjacent in
// the order of scores are binned first: from the left, a bin ends once it has enough rows, and equal scores stay together. The
// new row counts like any other, so bins do not depend on which row is new, and the calibration holds for them too.
class VennAbers {
 public:
  struct Row {
    SignedScore score;
    bool event;
    double weight;
  };
  // Probabilities rise with the score. `own_weight` is that of the new row, above 0; rows of weight 0 are ignored.
  VennAbers(std::vector<Row> rows, double own_weight);

  struct Pair {
    double low, high;  // if the new row did not have the event, and if it had
  };
  Pair at(const SignedScore& score) const;

  static Index rows_of_bin(Index rows);

 private:
  std::vector<SignedScore> scores_;  // distinct, ascending
  std::vector<Pair> pairs_;          // below the first score, at it, between it and the second, at the second, ...
};

// P(y <= v) at fixed values v, calibrated at each of them.
//
// Ranks calibrate quantiles: how often y lies below a value that depends on the row. They do not calibrate P(y <= v) at a fixed
// v, which may be far from what the scores suggest, for example at 0 if most y are 0. So for some values of y, including all
// frequent ones, P(y <= v) is estimated from calibration rows with a similar score at v (VennAbers). Between two of these values
// it is interpolated by ranks.

class ValueProbabilities {
 public:
  // The score function, target and weight of each calibration row. `own_weight`: the weight of a new row, above 0.
  ValueProbabilities(std::span<const RowScore> scores, std::span<const double> y, std::span<const double> weights,
                     double own_weight);

  // A value at which probabilities are calibrated. Nodes are ascending; a repeated value may have two, for y < v and y <= v.
  struct Node {
    double value;
    bool is_open;  // y < value
    bool is_jump;  // all probability since the previous node lies on the value itself
    VennAbers calibrated;
  };
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
};

class PredictiveDistribution;

// P(y <= v) for one row.
class RowProbabilities {
 public:
  RowProbabilities(const ValueProbabilities& values, const PredictiveDistribution& ranks, const RowScore& score);

  struct Band {
    double low, value, high;
  };
  // P(y <= v). It increases with v, and so do its ends. [low, high] contains the Venn–Abers pair at v, or those of the nodes
  // around v.
  Band below(double v) const;
  // The value at which below() reaches `uniform`, so that P(sample <= v) = below(v).
  double sample(double uniform) const;

 private:
  double by_ranks(std::size_t from, std::size_t to, double share) const;

  const std::vector<ValueProbabilities::Node>& nodes_;
  const PredictiveDistribution& ranks_;
  std::vector<double> raw_, values_, low_, high_;  // at each node: by ranks alone, calibrated, and the ends of the pair
};

}  // namespace taut
