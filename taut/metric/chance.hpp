// What chance alone makes of coverage, and of how two groups of rows mix.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/metric/interval.hpp>

#include <span>
#include <vector>

namespace taut {

// How many rows chance lets a model cover: the sum of independent Beta-binomial numbers, one for each stratum of the rows.

// Exact for one stratum, and for several of up to `most_cells` units together. Beyond that numbers are rounded to a grid, each to
// both of its neighbours so that its mean stays: that spreads the sum a little more, never less.
class CoverageSpread {
 public:
  static constexpr Index most_cells = 1 << 14;

  explicit CoverageSpread(std::span<const CoverageStratum> strata);

  Index units() const { return units_; }
  // The share of the units that is covered lies there with this probability, at most half of the rest on either side.
  Band band(double probability = band_probability) const;
  // The probability of at most `covered` covered units, by the lower end of each stratum.
  double p_value(double covered) const;

 private:
  // P(X = step (first + i)) = values[i].
  struct Sum {
    Index first = 0;
    std::vector<double> values = {1};
  };
  static Sum added(const Sum& sum, const Probabilities& law, Index step);

  Index units_ = 0, step_ = 1;
  Sum low_, high_;
  Index certain_low_ = 0, certain_high_ = 0;  // units that are covered whatever happens
};

// The exact law of how two groups of rows mix by chance.

// P(X >= least) for the number X of marked things among `drawn` of `all`, `marked` of which are marked:
//
//   P(X = x) = C(marked, x) C(all − marked, drawn − x) / C(all, drawn)
//
// Callers care about small probabilities only: the sum ends where it exceeds `enough`, and is then a lower bound.
double hypergeometric_tail(Index least, Index all, Index marked, Index drawn, double enough = 1);

}  // namespace taut
