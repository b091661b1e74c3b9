// A common scale for the conformity scores of several targets, so that no target and no side of one is missed more often.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/archive.hpp>

#include <vector>

namespace taut {

// The score t of a target has a side and a size and increases with y (see SignedScore). F is the distribution of t on rows that
// select the model, by f and g that were not trained on them. The common score is the quantile of the Laplace distribution with
// probability F(t):
//   w(t) = log 2F(t)              below the median
//   w(t) = −log 2(1 − F(t))       above it
// P(|w| > a) = exp(−a), for every target and with equal shares of both sides. w is 0 at the median, and increases with y. On each
// side it is linear between scores of a few ranks. Beyond the outermost ones it is linear too: an exponential tail with the mean
// excess of the largest scores.
//
// The scale only decides how targets and sides are weighed. Coverage is exact for any increasing w.
class CommonScale {
 public:
  CommonScale() = default;
  // Throws Error without scores.
  explicit CommonScale(std::vector<SignedScore> scores);

  // Never decreases, also in floating point.
  double operator()(const SignedScore& t) const;
  // The largest t with w(t) <= w, and the smallest with w(t) >= w. Sets between them lose no t by rounding.
  SignedScore highest_at(double w) const;
  SignedScore lowest_at(double w) const;
  // A t near w, for curves and random values.
  SignedScore at(double w) const;

  void save(Archive archive) const;
  static CommonScale load(const Archive& archive);

 private:
  // w as a function of the size of the score on one side, outward from the centre. `sign` is −1 below f, where w falls.
  struct OneSide {
    std::vector<double> scores;  // ascending
    std::vector<double> w;       // outward: sign · w never falls
    double slope = 1;            // of sign · w beyond the last score
    double sign = 1;

    double at(double score, double centre) const;
    double inverse(double w) const;
  };
  static OneSide side_of_scores(const std::vector<SignedScore>& sorted, Side side, std::size_t tail_rows);
  const OneSide& of(Side side) const { return side == Side::below ? below_ : above_; }
  double value(Side side, double score) const { return of(side).at(score, centre_); }

  OneSide below_, above_;
  double centre_ = 0;  // w at f
};

// The quantile of the standard normal distribution with the same probability as the Laplace quantile w, and its inverse.
double normal_score(double w);
double laplace_score(double normal);

}  // namespace taut
