// Rows sorted into bins along a column, and the range that chance allows their coverage.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/data/table_view.hpp>
#include <taut/metric/chance.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace taut {

// The one law by which the page judges coverage, whether of all rows, of a bin of a picture or of a region.
//
// If the test rows are exchangeable with the calibration rows and coverage does not depend on x, the number of covered rows among
// any m of them follows the Beta-binomial law of taut/core/beta.hpp. All rows together are judged by the 99 % band of
// `taut evaluate`. Groups of rows are judged by wider bands, which hold at 99 % for all groups of a level together (Bonferroni):
// otherwise one of a few hundred groups would lie outside its band by chance alone.

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

// Rows sorted into a few bins along one column: parts of equal size for numbers, one bin per category. And the columns that the
// page draws widths and coverage against.

struct Bin {
  std::string name;   // "2.1 to 3.5", "red", "missing", "all others"
  std::string words;  // the same as a condition: "size is from 2.1 to 3.5", "colour is red"
  double low = missing, high = missing;
  Index rows = 0;
};

struct Bins {
  std::vector<Bin> bins;
  std::vector<std::uint8_t> bin_of_row;  // which bin

  // How many rows of each bin are covered: `covered` is 1 for those and 0 for the others.
  std::vector<Index> count(std::span<const std::uint8_t> covered) const;
};

// Numbers: `most` parts of equal size, where equal values stay together, so there may be fewer. Categories: the most frequent
// ones, and the others together. Missing cells are a bin of their own, the last.
Bins bins_along(const TableView& table, Index column, Index most);

// The decimal number with the fewest digits t such that low < t <= high: a cut that a reader can remember.
double round_cut(double low, double high);

struct DrawnColumns {
  std::vector<Index> columns;  // of the features: the prediction, then those along which the width changes most
  std::vector<Bins> bins;
  Index left_out = 0;

  Index groups() const;  // bins of all columns
};

// `width` at one level, of intervals or of sets; only `most` columns are drawn. The last of `features` always is, and stands
// first.
DrawnColumns columns_to_draw(const TableView& features, std::span<const double> width, Index most);

// The share of the variance of log width that lies between the bins of a column: 0 where the width does not depend on it.
double share_explained(const Bins& bins, std::span<const double> width);

}  // namespace taut
