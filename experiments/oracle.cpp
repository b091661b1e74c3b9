#include <experiments/oracle.hpp>

#include <cmath>
#include <functional>
#include <numbers>

namespace taut {

namespace {

constexpr int grid_cells = 4000;  // σ jumps at |x| = 1/2, which is a boundary between cells

// P(|ξ| <= z) for ξ ~ N(0, 1).
double within(double z) { return std::erf(z / std::numbers::sqrt2); }

// Half-widths h(x; t) grow with t. Finds the t at which the mean coverage is the confidence.
template <class HalfWidth>
Oracle solve(std::string name, const SyntheticSet& set, double confidence, double high, const HalfWidth& half_width) {
  const auto& grid = oracle_grid();
  const auto coverage = [&](double t) {
    double sum = 0;
    for (const double x : grid) sum += within(half_width(x, t) / set.scale(x));
    return sum / static_cast<double>(grid.size());
  };
  double low = 0;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (coverage(middle) < confidence ? low : high) = middle;
  }
  Oracle oracle{std::move(name), 0, {}};
  for (const double x : grid) {
    oracle.half_widths.push_back(half_width(x, high));
    oracle.mean_half_width += oracle.half_widths.back() / static_cast<double>(grid.size());
  }
  return oracle;
}

}  // namespace

const std::vector<double>& oracle_grid() {
  static const std::vector<double> grid = [] {
    std::vector<double> points(grid_cells);
    for (int i = 0; i < grid_cells; ++i) points[static_cast<std::size_t>(i)] = -1 + (2 * i + 1.0) / grid_cells;
    return points;
  }();
  return grid;
}

std::vector<Oracle> oracles(const SyntheticSet& set, double confidence) {
  constexpr double upper_bound = 100;  // for t
  const auto scaled = [&](double power) {
    return [&set, power](double x, double t) { return t * std::pow(set.scale(x), power); };
  };
  // {y : density >= c}: h(x) = σ √(2 log(t / σ)) where t > σ, else 0; t = 1 / (c √2π).
  const auto level_set = [&](double x, double t) {
    const double sigma = set.scale(x);
    return t > sigma ? sigma * std::sqrt(2 * std::log(t / sigma)) : 0;
  };
  return {solve("oracle: one width", set, confidence, upper_bound, scaled(0)),
          solve("oracle: best for the paper's objective", set, confidence, upper_bound, scaled(0.5)),
          solve("oracle: equal coverage at every x", set, confidence, upper_bound, scaled(1)),
          solve("oracle: smallest possible", set, confidence, 1e12, level_set)};
}

}  // namespace taut
