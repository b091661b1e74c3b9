#include <taut/metric/coverage_spread.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double negligible = 1e-18;

bool is_random(double hits, double misses) { return hits > 0 && misses > 0; }

}  // namespace

CoverageSpread::CoverageSpread(std::span<const CoverageStratum> strata) {
  Index random = 0, parts = 0;
  for (const CoverageStratum& one : strata) {
    units_ += one.units;
    if (one.units == 0 || !(is_random(one.hits, one.misses) || is_random(one.most_hits, one.least_misses))) continue;
    random += one.units;
    ++parts;
  }
  if (parts > 1) step_ = std::max<Index>(1, (random + most_cells - 1) / most_cells);
  for (const CoverageStratum& one : strata) {
    if (one.units == 0) continue;
    // Where both parameters are below 1, so little is known that nothing is promised.
    const auto add = [&](double hits, double misses, Index if_unknown, Sum& sum, Index& certain) {
      if (!is_random(hits, misses))
        certain += hits > 0 ? one.units : 0;
      else if (hits < 1 && misses < 1)
        certain += if_unknown;
      else
        sum = added(sum, beta_binomial(one.units, hits, misses), step_);
    };
    add(one.hits, one.misses, 0, low_, certain_low_);
    add(one.most_hits, one.least_misses, one.units, high_, certain_high_);
  }
}

CoverageSpread::Sum CoverageSpread::added(const Sum& sum, const Probabilities& law, Index step) {
  // On the grid.
  Sum one{law.first / step, std::vector<double>(law.values.size() / static_cast<std::size_t>(step) + 3)};
  for (std::size_t i = 0; i < law.values.size(); ++i) {
    const Index x = law.first + static_cast<Index>(i), cell = x / step;
    const double above = static_cast<double>(x - cell * step) / static_cast<double>(step);
    one.values[static_cast<std::size_t>(cell - one.first)] += (1 - above) * law.values[i];
    one.values[static_cast<std::size_t>(cell - one.first) + 1] += above * law.values[i];
  }
  Sum result{sum.first + one.first, std::vector<double>(sum.values.size() + one.values.size() - 1)};
  for (std::size_t i = 0; i < sum.values.size(); ++i)
    for (std::size_t j = 0; j < one.values.size(); ++j) result.values[i + j] += sum.values[i] * one.values[j];
  const double least = negligible * *std::max_element(result.values.begin(), result.values.end());
  const auto matters = [&](double value) { return value > least; };
  const auto begin = std::find_if(result.values.begin(), result.values.end(), matters);
  const auto end = std::find_if(result.values.rbegin(), result.values.rend(), matters).base();
  result.first += begin - result.values.begin();
  result.values = std::vector<double>(begin, end);
  return result;
}

Band CoverageSpread::band(double probability) const {
  if (units_ == 0) return {missing, missing};
  const double tail = 0.5 * (1 - probability);
  const auto quantile = [&](const Sum& sum, double p) {
    double reached = 0;
    for (std::size_t i = 0; i < sum.values.size(); ++i)
      if ((reached += sum.values[i]) >= p) return step_ * (sum.first + static_cast<Index>(i));
    return step_ * (sum.first + std::ssize(sum.values) - 1);
  };
  const auto share = [&](Index covered) { return std::min(1.0, static_cast<double>(covered) / static_cast<double>(units_)); };
  return {share(certain_low_ + quantile(low_, tail)), share(certain_high_ + quantile(high_, 1 - tail))};
}

double CoverageSpread::p_value(double covered) const {
  const double most = std::ceil((covered - 1e-9 - static_cast<double>(certain_low_)) / static_cast<double>(step_));
  double sum = 0;
  for (std::size_t i = 0; i < low_.values.size() && static_cast<double>(low_.first + static_cast<Index>(i)) <= most; ++i)
    sum += low_.values[i];
  return std::min(1.0, sum);
}

}  // namespace taut
