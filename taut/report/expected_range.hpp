// The one law by which the page judges coverage, whether of all rows, of a bin of a picture or of a region.
//
// If the test rows are exchangeable with the calibration rows and coverage does not depend on x, the number of covered rows among
// any m of them follows the Beta-binomial law of taut/core/beta.hpp. All rows together are judged by the 99 % band of
// `taut evaluate`. Groups of rows are judged by wider bands, which hold at 99 % for all groups of a level together (Bonferroni):
// otherwise one of a few hundred groups would lie outside its band by chance alone.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/metric/coverage_spread.hpp>

#include <map>

namespace taut {

// How many rows of a group chance explains to be covered, ends included.
struct CountRange {
  Index least = 0, most = 0;
};

enum class Verdict { as_expected, too_low, too_high };

class ExpectedRanges {
 public:
  // `groups`: how many groups of rows the page judges at one level. `strata`: those of all test rows, where rows do not all count
  // alike; a group of rows is then judged by the stratum with the fewest calibration rows.
  ExpectedRanges(const Law& law, double level, Index test_rows, Index groups, std::vector<CoverageStratum> strata = {});

  CountRange of(Index rows) const;
  Verdict judge(Index covered, Index rows) const;

  // The most covered rows of all that chance would explain if no two calibration scores were equal.
  Index most_without_ties() const;

 private:
  CountRange computed(Index rows, Index last_rank) const;
  Band band_of_strata(Index rows, double probability) const;

  std::vector<CoverageStratum> strata_;
  Index calibration_rows_, rank_, last_rank_, test_rows_, groups_;
  mutable std::map<Index, CountRange> known_;  // most groups of a page have one of a few sizes
};

}  // namespace taut
