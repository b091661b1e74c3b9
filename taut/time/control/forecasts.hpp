// What a stream expects of the next row: where the errors lie, and how large the score is.
#pragma once

#include <taut/time/control/score_window.hpp>

#include <array>
#include <span>
#include <vector>

namespace taut {

// How far a stream's intervals are moved as a whole. Where the level of the target has jumped, errors lie to one side of f for as
// long as f is not trained anew: intervals that move with them need not be wide on both sides.

// What became of a row's own f once its target was known.
struct StreamError {
  double error;  // y − f(x), before anything was moved
  double width;  // how far intervals usually reach at this x; 0 where that says nothing
  double score;  // of y where f is moved
};

// Means of the last errors at many paces, each judged by how near to the targets it would have moved f, and beside them f as it
// is: nothing to tune, and nothing moves until that has been better.
class Location {
 public:
  static constexpr std::size_t paces = 4;
  using Means = std::array<double, paces>;

  // To be added to f.
  double shift() const;
  const Means& means() const { return means_; }
  // `given`: the means as they were when the row was predicted.
  void learn(const StreamError& row, const Means& given);
  // From now on errors are those of another f. How fast levels move is still known.
  void change_model() { means_.fill(0); }

  std::vector<double> state() const;
  // What state() gave; anything else is an Error.
  void restore(std::span<const double> state);

 private:
  static constexpr double doubt = 0.9;  // in anything but f, at first

  Means means_{};
  std::array<double, paces + 1> weights_ = {doubt, (1 - doubt) / 4, (1 - doubt) / 4, (1 - doubt) / 4,
                                            (1 - doubt) / 4};  // f's first
};

// A forecast of the next score from the last ones. Where large errors come in clusters the intervals widen at once, before the
// level has had time to move; where they do not, the forecast is nearly constant: how much it says is learnt from how well it
// did.

class Scorecast {
 public:
  // To be subtracted from the next score: 0 until something has been learnt.
  double forecast() const;
  // A score, and its p-value among those before it.
  void learn(double score, double p, const ScoreWindow& recent);

  std::vector<double> state() const;
  void restore(std::span<const double> state);

 private:
  static constexpr std::size_t paces = 2;

  std::array<double, paces> surprise_{};  // means of 1/2 − p over the last scores, at each pace
  // Sums of a regression of scores on surprises, with forgetting.
  std::array<double, paces * paces> products_{};
  std::array<double, paces> with_score_{};
  double mean_ = 0, rows_ = 0;
};

}  // namespace taut
