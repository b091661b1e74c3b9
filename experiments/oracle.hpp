// The best possible intervals on a synthetic set, computed from the distribution that its rows are drawn from.
#pragma once

#include <taut/data/synthetic.hpp>

#include <string>
#include <vector>

namespace taut {

// Half-widths of one kind of interval around the true mean, as a function of x.
struct Oracle {
  std::string name;
  double mean_half_width = 0;
  std::vector<double> half_widths;  // at oracle_grid()
};

// Values of x in [−1, 1]: the midpoints of equal cells.
const std::vector<double>& oracle_grid();

// For normal noise with standard deviation σ(x) at confidence 1 − α: one width, s = √σ (the optimum of the paper's objective), s
// = σ (the same coverage at every x), and the density level set (the smallest possible mean width).
std::vector<Oracle> oracles(const SyntheticSet& set, double confidence);

}  // namespace taut
