#include <taut/report/expected_range.hpp>

#include <taut/metric/interval.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

ExpectedRanges::ExpectedRanges(const Calibrator& calibrator, double level, Index test_rows, Index groups)
    : calibration_rows_(calibrator.rows()),
      rank_(calibrator.rank(level)),
      last_rank_(std::max(rank_, calibrator.last_rank(level))),
      test_rows_(test_rows),
      groups_(std::max<Index>(1, groups)) {}

CountRange ExpectedRanges::computed(Index rows, Index last_rank) const {
  const double probability = rows == test_rows_ ? band_probability : 1 - (1 - band_probability) / static_cast<double>(groups_);
  const auto count = [&](double share) { return static_cast<Index>(std::llround(share * static_cast<double>(rows))); };
  return {count(coverage_band(rows, calibration_rows_, rank_, probability).low),
          count(coverage_band(rows, calibration_rows_, last_rank, probability).high)};
}

CountRange ExpectedRanges::of(Index rows) const {
  if (rows <= 0) return {};
  const auto found = known_.find(rows);
  return found != known_.end() ? found->second : known_.emplace(rows, computed(rows, last_rank_)).first->second;
}

Verdict ExpectedRanges::judge(Index covered, Index rows) const {
  const CountRange range = of(rows);
  return covered < range.least ? Verdict::too_low : covered > range.most ? Verdict::too_high : Verdict::as_expected;
}

Index ExpectedRanges::most_without_ties() const { return computed(test_rows_, rank_).most; }

}  // namespace taut
