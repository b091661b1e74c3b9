// P(y <= v) at fixed values v, calibrated at each of them by Venn–Abers prediction.
#pragma once

#include <taut/calibrate/row_score.hpp>

#include <span>
#include <vector>

namespace taut {

// The probability of an event that a score ranks, without trusting the score: an inductive Venn–Abers predictor (Vovk, Petej and
// Fedorova 2015).

// Calibration rows have a score and either had the event or not. The new row joins them twice, once without and once with the
// event, and isotonic regression of the event on the score gives a probability each time. If the rows are exchangeable, one of
// the two is perfectly calibrated, P(event | p) = p, whatever the score and the data are like.
//
// Isotonic regression of single rows goes to 0 and 1 at the ends, whatever the truth. So neighbours in the order of scores form
// bins first: from the left, each as soon as it has enough rows, equal scores together. The new row counts like any other, so
// that bins do not depend on which row is new, and what is said above holds for them.
class VennAbers {
 public:
  struct Row {
    SignedScore score;
    bool event;
    double weight;
  };
  // Probabilities rise with the score. `own_weight` is that of the new row, above 0; rows of weight 0 do not count.
  VennAbers(std::vector<Row> rows, double own_weight);

  struct Pair {
    double low, high;  // if the new row did not have the event, and if it had
  };
  Pair at(const SignedScore& score) const;

  static Index rows_of_bin(Index rows);

 private:
  std::vector<SignedScore> scores_;  // different ones, ascending
  std::vector<Pair> pairs_;          // before the first, at it, between it and the second, at that, ...
};

// P(y <= v) at fixed values v, calibrated at each of them.
//
// Ranks calibrate quantiles: how often y lies below a value that is chosen for each row. They say nothing about a fixed v, where
// the share of rows with y <= v may be far from what the scores suggest: at 0 where most y are 0, for example. So for some values
// of y, among them all that are frequent, calibration rows say how often y <= v among rows whose score at v is alike (VennAbers).
// Between two of these values the law of ranks says how probability is spread.

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
