// How the level that is asked of recent scores moves, so that in the long run the share of misses is what was promised, whatever
// the rows do. Controllers are listed by name.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/time/control/score_window.hpp>

#include <span>

namespace taut {

// What became of a row once its target was known.
struct Outcome {
  double p;     // of the score among those that were known when the row was predicted
  bool missed;  // by the set that was issued for the level, which may be larger than the controller's own
};

struct ControlSettings {
  Index delay = 0;        // an outcome is known this many rows after its row; gains shrink with it, or the level would oscillate
  bool at_least = false;  // promise at least the level: no set is made empty because of too few misses
};

// Of one confidence level.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual void start(double confidence, const ControlSettings& settings = {}) = 0;
  // Other settings from the next row on: thresholds do not jump, so sums of misses are rescaled where their gain changes.
  virtual void change(const ControlSettings& settings) = 0;
  // The score up to which values are in the interval: +infinity for the whole line, NaN for the empty set.
  virtual double threshold(const ScoreWindow& recent) const = 0;
  virtual void learn(const Outcome& outcome) = 0;
  // The confidence that is asked for now, to show how far it has moved. It may lie outside of [0, 1].
  virtual double asked() const = 0;

  // All that moves; restore() takes what state() gave, after start(). Anything else is an Error.
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> state) = 0;

  // From now on scores are those of another model. What was learnt of the size of the old ones is void: a level that had to go
  // far out would make the intervals of a good model thousands of times too wide. The sum of misses is not, it bounds those of
  // the long run.
  virtual void change_model() {}
};

Registry<Controller>& controllers();

// For restore(): as many numbers as expected, all finite.
void require_state(std::span<const double> state, std::size_t size);

// The largest level below 1: its threshold is the smallest recent score, so the set is not empty.
inline constexpr double largest_alpha = 1 - 0x1p-53;

// p / (1 − p) as a logarithm, and back.
double log_odds(double p);
double from_log_odds(double odds);

}  // namespace taut
