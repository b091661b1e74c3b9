// What can be asked about the law of a row; questions are listed by name.
#pragma once

#include <taut/calibrate/row_law.hpp>
#include <taut/core/random.hpp>
#include <taut/core/registry.hpp>

namespace taut {

// What a row brings besides its law.
struct Asked {
  std::optional<double> uniform = {};  // smoothing: a draw from [0, 1) that belongs to the row
  double value = missing;              // the value that a p-value is about
  Random random{0};                    // of the row, for draws
  bool band = false;                   // also give the two ends between which a probability is known
};

class Question {
 public:
  virtual ~Question() = default;

  // The names of the answer's columns, which depend on what is asked but not on the row.
  virtual std::vector<std::string> columns(const Asked& asked) const = 0;
  // As many numbers as there are columns; NaN for both ends of an empty set.
  virtual void answer(const RowLaw& law, const Asked& asked, double* out) const = 0;

  // A sentence where `rows` calibration rows are too few for this question, with the smallest number that suffices; else empty.
  // `sure`: of the law (Law::with_sure).
  virtual std::string too_few(Index /*rows*/, double /*sure*/) const { return ""; }
  // Of the question for an interval, which can be answered without a law (CV+): its confidence.
  virtual std::optional<double> interval_level() const { return {}; }
  virtual bool needs_value() const { return false; }
  // Without any calibration row there is no answer, not even an infinite one.
  virtual bool needs_rows() const { return false; }
  // Whether the answer is about probabilities at fixed values, which ranks do not calibrate.
  virtual bool asks_fixed_values() const { return false; }
  // Whether it takes random numbers besides those of smoothing.
  virtual bool draws() const { return false; }
};

Registry<Question>& questions();

}  // namespace taut
