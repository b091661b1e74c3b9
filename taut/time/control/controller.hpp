// Controllers adapt the level at which the quantile of recent scores is taken, so that the long-run share of misses is the
// promised one for every sequence of rows. They are listed by name.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/time/control/score_window.hpp>

#include <span>

namespace taut {

// The outcome of a row once its target is known.
struct Outcome {
  double p;     // p-value of the score among those that were known when the row was predicted
  bool missed;  // whether the issued set missed the target; it may be larger than the controller's own set
};

struct ControlSettings {
  Index delay = 0;        // an outcome is known this many rows after its row; gains shrink with it to prevent oscillation
  bool at_least = false;  // guarantee at least the level: no set is made empty because of too few misses
};

// Controls one confidence level.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual void start(double confidence, const ControlSettings& settings = {}) = 0;
  // Uses other settings from the next row on. Thresholds must not jump, so sums of misses are rescaled if their gain changes.
  virtual void change(const ControlSettings& settings) = 0;
  // The score up to which values are in the interval: +infinity for the whole line, NaN for the empty set.
  virtual double threshold(const ScoreWindow& recent) const = 0;
  virtual void learn(const Outcome& outcome) = 0;
  // The current confidence, to show how far it has moved. It may lie outside [0, 1].
  virtual double asked() const = 0;

  // The complete state. restore() is called after start() with numbers from state(); anything else is an Error.
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> state) = 0;

  // From now on scores come from another model. What was learnt from the size of the old scores is reset: an extreme level would
  // make the intervals of a good model thousands of times too wide. The sum of misses is kept, because it bounds the long-run
  // misses.
  virtual void change_model() {}
};

Registry<Controller>& controllers();

// For restore(): throws an Error unless there are `size` numbers, all finite.
void require_state(std::span<const double> state, std::size_t size);

// The largest level below 1: its threshold is the smallest recent score, so the set is not empty.
inline constexpr double largest_alpha = 1 - 0x1p-53;

// log(p / (1 − p)), and its inverse.
double log_odds(double p);
double from_log_odds(double odds);

}  // namespace taut
