#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <algorithm>

namespace taut {

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
  return listed_metric<CoverageLow>("coverage_low", "lower end of the 99 % band of the coverage (Beta-binomial law)");
}

Listed<Metric> coverage_high_metric() {
  return listed_metric<CoverageHigh>("coverage_high", "upper end of the 99 % band of the coverage (Beta-binomial law)");
}

}  // namespace taut
