// Questions about the predictive distribution of a row, listed by name.
#pragma once

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/random.hpp>
#include <taut/core/registry.hpp>

namespace taut {

// What an answer may depend on besides the predictive distribution.
struct Asked {
  std::optional<double> uniform = {};  // smoothing: the random number of the row in [0, 1)
  double value = missing;              // the value of y for p-value, cdf and crps
  Random random{0};                    // the random stream of the row, for samples
  bool band = false;                   // also return the lower and upper end of a probability
};

class Question {
 public:
  virtual ~Question() = default;

  // The names of the answer's columns, which depend on the question but not on the row.
  virtual std::vector<std::string> columns(const Asked& asked) const = 0;
  // Writes one number for each column; NaN for both ends of an empty set.
  virtual void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const = 0;

  // If `rows` calibration rows are too few for this question, a sentence with the smallest number that suffices; otherwise empty.
  // `sure`: see ScoreDistribution::with_sure.
  virtual std::string too_few(Index /*rows*/, double /*sure*/) const { return ""; }
  // The confidence of an interval question, which CV+ answers without a predictive distribution.
  virtual std::optional<double> interval_level() const { return {}; }
  virtual bool needs_value() const { return false; }
  // Whether there is no answer without calibration rows, not even an infinite one.
  virtual bool needs_rows() const { return false; }
  // Whether the answer is about probabilities at fixed values, which ranks do not calibrate.
  virtual bool asks_fixed_values() const { return false; }
  // Whether it uses random numbers besides those of smoothing.
  virtual bool draws() const { return false; }
};

Registry<Question>& questions();

}  // namespace taut
