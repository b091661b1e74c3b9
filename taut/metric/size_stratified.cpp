#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Index coverage_groups(Index rows) { return std::clamp<Index>(rows / 50, 1, 10); }

std::vector<CoverageBin> size_stratified_coverage(std::span<const Interval> intervals, std::span<const double> y, Index bins) {
  return coverage_by_bin(widths(intervals), covered(intervals, y), bins);
}

namespace {

// The least coverage over groups of similar width.
class SizeStratifiedCoverage final : public Metric {
 public:
  double value(const Judged& judged) const override {
    const Index bins = coverage_groups(static_cast<Index>(judged.y.size()));
    double least = missing;
    for (const auto& bin : size_stratified_coverage(judged.intervals, judged.y, bins)) least = std::fmin(least, bin.coverage);
    return least;
  }
};

}  // namespace

Listed<Metric> size_stratified_coverage_metric() {
  return listed_metric<SizeStratifiedCoverage>("size_stratified_coverage",
                                               "least coverage over up to ten groups of similar width");
}

}  // namespace taut
