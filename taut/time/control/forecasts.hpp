// Forecasts for the next row of a stream: the shift of its error, and the size of its score.
#pragma once

#include <taut/time/control/score_window.hpp>

#include <array>
#include <span>
#include <vector>

namespace taut {

// How far the intervals of a stream are shifted. After a jump of the target's level, errors lie on one side of f until f is
// trained again. Shifted intervals need not be wide on both sides.

// The error of a row's f once its target is known.
struct StreamError {
  double error;  // y − f(x), without the shift
  double width;  // typical half width of intervals at this x; 0 if unknown
  double score;  // of y about the shifted f
};

// Exponential means of recent errors with several decay rates, weighted by how close to the targets each would have moved f. No
// shift is one of the candidates, so f is not shifted until a shift has performed better. There is nothing to tune.
class Location {
 public:
  static constexpr std::size_t paces = 4;
  using Means = std::array<double, paces>;

  // To be added to f.
  double shift() const;
  const Means& means() const { return means_; }
  // `given`: the means as they were when the row was predicted.
  void learn(const StreamError& row, const Means& given);
  // From now on errors come from another f. The weights of the decay rates are kept.
  void change_model() { means_.fill(0); }

  std::vector<double> state() const;
  // What state() gave; anything else is an Error.
  void restore(std::span<const double> state);

 private:
  static constexpr double prior_weight = 0.9;  // initial weight of no shift

  Means means_{};
  std::array<double, paces + 1> weights_ = {prior_weight, (1 - prior_weight) / 4, (1 - prior_weight) / 4, (1 - prior_weight) / 4,
                                            (1 - prior_weight) / 4};  // the first: no shift
};

// A forecast of the next score from recent ones. If large errors come in clusters, intervals widen at once, before the level has
// adapted. If not, the forecast is nearly constant. Its strength is learnt from its past performance.

class Scorecast {
 public:
  // To be subtracted from the next score: 0 until something has been learnt.
  double forecast() const;
  // Learns from a score and its p-value among those before it.
  void learn(double score, double p, const ScoreWindow& recent);

  std::vector<double> state() const;
  void restore(std::span<const double> state);

 private:
  static constexpr std::size_t paces = 2;

  std::array<double, paces> surprise_{};  // exponential means of 1/2 − p over recent scores
  // Sums of a regression of scores on surprises, with exponential decay.
  std::array<double, paces * paces> products_{};
  std::array<double, paces> with_score_{};
  double mean_ = 0, rows_ = 0;
};

}  // namespace taut
