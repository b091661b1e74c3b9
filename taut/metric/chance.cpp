#include <taut/metric/chance.hpp>

#include <taut/core/beta.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>

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
    if (one.units == 0 || !(is_random(one.hits, one.misses) || is_random(one.max_hits, one.min_misses))) continue;
    random += one.units;
    ++parts;
  }
  if (parts > 1) step_ = std::max<Index>(1, (random + max_cells - 1) / max_cells);
  for (const CoverageStratum& one : strata) {
    if (one.units == 0) continue;
    // If both parameters are below 1, too little is known for a guarantee.
    const auto add = [&](double hits, double misses, Index if_unknown, Sum& sum, Index& certain) {
      if (!is_random(hits, misses))
        certain += hits > 0 ? one.units : 0;
      else if (hits < 1 && misses < 1)
        certain += if_unknown;
      else
        sum = added(sum, beta_binomial(one.units, hits, misses), step_);
    };
    add(one.hits, one.misses, 0, low_, certain_low_);
    add(one.max_hits, one.min_misses, one.units, high_, certain_high_);
  }
}

CoverageSpread::Sum CoverageSpread::added(const Sum& sum, const Probabilities& distribution, Index step) {
  // Round the distribution to the grid.
  Sum one{distribution.first / step, std::vector<double>(distribution.values.size() / static_cast<std::size_t>(step) + 3)};
  for (std::size_t i = 0; i < distribution.values.size(); ++i) {
    const Index x = distribution.first + static_cast<Index>(i), cell = x / step;
    const double above = static_cast<double>(x - cell * step) / static_cast<double>(step);
    one.values[static_cast<std::size_t>(cell - one.first)] += (1 - above) * distribution.values[i];
    one.values[static_cast<std::size_t>(cell - one.first) + 1] += above * distribution.values[i];
  }
  Sum result{sum.first + one.first, std::vector<double>(sum.values.size() + one.values.size() - 1)};
  for (std::size_t i = 0; i < sum.values.size(); ++i)
    for (std::size_t j = 0; j < one.values.size(); ++j) result.values[i + j] += sum.values[i] * one.values[j];
  const double minimum = negligible * *std::max_element(result.values.begin(), result.values.end());
  const auto matters = [&](double value) { return value > minimum; };
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
  const double maximum = std::ceil((covered - 1e-9 - static_cast<double>(certain_low_)) / static_cast<double>(step_));
  double sum = 0;
  for (std::size_t i = 0; i < low_.values.size() && static_cast<double>(low_.first + static_cast<Index>(i)) <= maximum; ++i)
    sum += low_.values[i];
  return std::min(1.0, sum);
}

Band coverage_band(Index rows, Index calibration_rows, Index rank, double probability) {
  if (rows <= 0 || calibration_rows <= 0 || rank <= 0) return {missing, missing};
  if (rank > calibration_rows) return {1, 1};
  const auto a = static_cast<double>(rank), b = static_cast<double>(calibration_rows + 1 - rank), n = static_cast<double>(rows);
  const double tail = 0.5 * (1 - probability);
  return {static_cast<double>(beta_binomial_quantile(tail, rows, a, b)) / n,
          static_cast<double>(beta_binomial_quantile(1 - tail, rows, a, b)) / n};
}

namespace {

Band band_of(const Judged& judged, Index rank) {
  if (judged.band) return *judged.band;
  return coverage_band(static_cast<Index>(judged.y.size()), judged.calibration_rows, rank);
}

class CoverageLow final : public Metric {
 public:
  double value(const Judged& judged) const override { return band_of(judged, judged.rank).low; }
};

class CoverageHigh final : public Metric {
 public:
  double value(const Judged& judged) const override { return band_of(judged, std::max(judged.rank, judged.last_rank)).high; }
};

}  // namespace

Listed<Metric> coverage_low_metric() {
  return listed_metric<CoverageLow>("coverage_low", "lower end of the 99 % band of the coverage (Beta-binomial distribution)");
}

Listed<Metric> coverage_high_metric() {
  return listed_metric<CoverageHigh>("coverage_high", "upper end of the 99 % band of the coverage (Beta-binomial distribution)");
}

namespace {

// log C(n, k) = −log(n + 1) − log B(k + 1, n − k + 1)
double log_choose(Index n, Index k) {
  return -std::log(static_cast<double>(n + 1)) - log_beta(static_cast<double>(k + 1), static_cast<double>(n - k + 1));
}

}  // namespace

// Sums upward from `minimum` by P(x + 1) / P(x) = (marked − x)(drawn − x) / ((x + 1)(all − marked − drawn + x + 1)), until terms
// are negligible. Below the mode, where terms would first rise, the other tail is summed: at least x marked items are at most
// drawn − x unmarked ones.
double hypergeometric_tail(Index minimum, Index all, Index marked, Index drawn, double enough) {
  const Index smallest = std::max<Index>(0, drawn + marked - all), largest = std::min(marked, drawn);
  if (minimum <= smallest) return 1;
  if (minimum > largest) return 0;
  const double mode = static_cast<double>(drawn + 1) / static_cast<double>(all + 2) * static_cast<double>(marked + 1);
  if (static_cast<double>(minimum) < mode - 1) return 1 - hypergeometric_tail(drawn - minimum + 1, all, all - marked, drawn);
  double term = std::exp(log_choose(marked, minimum) + log_choose(all - marked, drawn - minimum) - log_choose(all, drawn));
  double sum = 0;
  for (Index x = minimum; x <= largest && sum <= enough; ++x) {
    sum += term;
    const double ratio = static_cast<double>(marked - x) / static_cast<double>(x + 1) * static_cast<double>(drawn - x) /
                         static_cast<double>(all - marked - drawn + x + 1);
    if (ratio < 1 && term < 1e-17 * sum * (1 - ratio)) break;
    term *= ratio;
  }
  return std::min(sum, 1.0);
}

}  // namespace taut
