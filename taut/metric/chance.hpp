// Distributions of chance: of the coverage of new rows, and of how two groups of rows mix.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/metric/interval.hpp>

#include <span>
#include <vector>

namespace taut {

// The distribution of the number of covered rows: a sum of independent Beta-binomial variables, one for each stratum of the rows.
//
// Exact for one stratum, and for several with at most `max_cells` units together. Beyond that, values are rounded to a grid: each
// is split between its two grid neighbours such that its mean is unchanged. This widens the distribution slightly and never
// narrows it.
class CoverageSpread {
 public:
  static constexpr Index max_cells = 1 << 14;

  explicit CoverageSpread(std::span<const CoverageStratum> strata);

  Index units() const { return units_; }
  // The share of covered units lies in the band with this probability; each tail has at most half of the remaining probability.
  Band band(double probability = band_probability) const;
  // The probability of at most `covered` covered units, by the lower end of each stratum.
  double p_value(double covered) const;

 private:
  // P(X = step (first + i)) = values[i].
  struct Sum {
    Index first = 0;
    std::vector<double> values = {1};
  };
  static Sum added(const Sum& sum, const Probabilities& distribution, Index step);

  Index units_ = 0, step_ = 1;
  Sum low_, high_;
  Index certain_low_ = 0, certain_high_ = 0;  // units that are certainly covered
};

// The exact distribution of how two groups of rows mix by chance: P(X >= minimum) for the number X of marked items in a random
// sample of `drawn` out of `all` items, of which `marked` are marked:
//
//   P(X = x) = C(marked, x) C(all − marked, drawn − x) / C(all, drawn)
//
// Callers only need small probabilities: the sum ends once it exceeds `enough`, and is then a lower bound.
double hypergeometric_tail(Index minimum, Index all, Index marked, Index drawn, double enough = 1);

}  // namespace taut
