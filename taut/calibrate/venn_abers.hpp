// The probability of an event that a score ranks, without trusting the score: an inductive Venn–Abers predictor (Vovk, Petej and
// Fedorova 2015).
#pragma once

#include <taut/calibrate/signed_score.hpp>

#include <vector>

namespace taut {

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

}  // namespace taut
