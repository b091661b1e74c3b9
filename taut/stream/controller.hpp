// How the level that is asked of recent scores moves, so that in the long run the share of misses is what was promised, whatever
// the rows do. One file per controller, one list.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/stream/score_window.hpp>

#include <span>

namespace taut {

// What became of a row once its target was known.
struct Outcome {
  double score;
  double threshold;  // that the controller had given for the row
  double p;          // of the score among those that were known when the row was predicted
  bool missed() const { return !(score <= threshold); }
};

// Of one confidence level.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual void start(double confidence) = 0;
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

// p / (1 − p) as a logarithm, and back.
double log_odds(double p);
double from_log_odds(double odds);

}  // namespace taut
