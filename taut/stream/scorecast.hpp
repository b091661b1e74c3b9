// A forecast of the next score from the last ones. Where large errors come in clusters the intervals widen at once, before the
// level has had time to move; where they do not, the forecast is nearly constant: how much it says is learnt from how well it
// did.
#pragma once

#include <taut/stream/score_window.hpp>

#include <array>
#include <span>

namespace taut {

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
