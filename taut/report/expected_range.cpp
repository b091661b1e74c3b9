#include <taut/report/expected_range.hpp>

#include <taut/metric/interval.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

ExpectedRanges::ExpectedRanges(const Law& law, double level, Index test_rows, Index groups, std::vector<CoverageStratum> strata)
    : strata_(std::move(strata)),
      calibration_rows_(law.rows()),
      rank_(law.rank(level)),
      last_rank_(std::max(rank_, law.last_rank(level))),
      test_rows_(test_rows),
      groups_(std::max<Index>(1, groups)) {}

CountRange ExpectedRanges::computed(Index rows, Index last_rank) const {
  const double probability = rows == test_rows_ ? band_probability : 1 - (1 - band_probability) / static_cast<double>(groups_);
  if (!strata_.empty()) {
    const Band band = band_of_strata(rows, probability);
    return {static_cast<Index>(std::ceil(band.low * static_cast<double>(rows) - 1e-9)),
            static_cast<Index>(std::floor(band.high * static_cast<double>(rows) + 1e-9))};
  }
  const auto count = [&](double share) { return static_cast<Index>(std::llround(share * static_cast<double>(rows))); };
  return {count(coverage_band(rows, calibration_rows_, rank_, probability).low),
          count(coverage_band(rows, calibration_rows_, last_rank, probability).high)};
}

Band ExpectedRanges::band_of_strata(Index rows, double probability) const {
  if (rows == test_rows_) return CoverageSpread(strata_).band(probability);
  CoverageStratum weakest = strata_.front();
  Index units = 0;
  for (const CoverageStratum& one : strata_) {
    units += one.units;
    const bool is_certain = !(one.hits > 0 && one.misses > 0), was_certain = !(weakest.hits > 0 && weakest.misses > 0);
    if (was_certain || (!is_certain && one.hits + one.misses < weakest.hits + weakest.misses)) weakest = one;
  }
  weakest.units = std::max<Index>(1, rows * units / std::max<Index>(1, test_rows_));
  return CoverageSpread(std::span(&weakest, 1)).band(probability);
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
