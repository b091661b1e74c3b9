// Groups rows into bins along a column, and computes the range of their coverage that chance explains.
#pragma once

#include <taut/calibrate/score_distribution.hpp>
#include <taut/data/table_view.hpp>
#include <taut/metric/chance.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace taut {

// Every part of the page uses the same criterion for coverage: of all rows, of a bin in a chart, of a region.
//
// If the test rows are exchangeable with the calibration rows and coverage does not depend on x, the number of covered rows among
// any m of them follows the Beta-binomial distribution of taut/core/beta.hpp. All rows together are compared with the 99 % band
// of `taut evaluate`. Groups of rows have wider bands, which hold at 99 % for all groups of a level together (Bonferroni).
// Otherwise one of a few hundred groups would lie outside its band by chance alone.

// The numbers of covered rows of a group that chance explains, ends included.
struct CountRange {
  Index minimum = 0, maximum = 0;
};

enum class Verdict { as_expected, too_low, too_high };

class ExpectedRanges {
 public:
  // `groups` is the number of groups of rows that the page evaluates at one level. `strata` are the strata of all test rows if
  // calibration rows have different weights; a group of rows then gets the band of the stratum with the fewest calibration rows.
  ExpectedRanges(const ScoreDistribution& distribution, double level, Index test_rows, Index groups,
                 std::vector<CoverageStratum> strata = {});

  CountRange of(Index rows) const;
  Verdict judge(Index covered, Index rows) const;

  // The largest number of covered test rows that chance would explain if no two calibration scores were equal.
  Index max_without_ties() const;

 private:
  CountRange computed(Index rows, Index last_rank) const;
  Band band_of_strata(Index rows, double probability) const;

  std::vector<CoverageStratum> strata_;
  Index calibration_rows_, rank_, last_rank_, test_rows_, groups_;
  mutable std::map<Index, CountRange> known_;  // a cache: most groups of a page have one of a few sizes
};

struct Bin {
  std::string name;   // "2.1 to 3.5", "red", "missing", "all others"
  std::string words;  // the same as a condition: "size is from 2.1 to 3.5", "colour is red"
  double low = missing, high = missing;
  Index rows = 0;
};

struct Bins {
  std::vector<Bin> bins;
  std::vector<std::uint8_t> bin_of_row;

  // The number of covered rows of each bin. `covered` is 1 for covered rows, 0 for others.
  std::vector<Index> count(std::span<const std::uint8_t> covered) const;
};

// Numbers: up to `maximum` bins with equal numbers of rows; equal values stay in one bin. Categories: one bin for each of the
// most frequent ones, and one for all others, `maximum` in all. Missing cells have a separate bin, the last one.
Bins bins_along(const TableView& table, Index column, Index maximum);

// The decimal number t with the fewest digits such that low < t <= high, because it is easy to read.
double round_cut(double low, double high);

struct ChartColumns {
  std::vector<Index> columns;  // positions among the features: the prediction, then those along which the width changes most
  std::vector<Bins> bins;
  Index left_out = 0;

  Index groups() const;  // the number of bins of all columns
};

// The last column of `features`, then up to `maximum` others that explain the largest share of `width`: the widths of intervals,
// or sizes of sets, at one level.
ChartColumns columns_to_draw(const TableView& features, std::span<const double> width, Index maximum);

// The share of the variance of log width that lies between the bins of a column; 0 if all widths are equal.
double share_explained(const Bins& bins, std::span<const double> width);

}  // namespace taut
