// Rows sorted into a few bins along one column: parts of equal size for numbers, one bin per category. And the columns that the
// page draws widths and coverage against.
#pragma once

#include <taut/data/table_view.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

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
