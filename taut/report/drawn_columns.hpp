// The columns that the page draws widths and coverage against.
#pragma once

#include <taut/report/bins.hpp>

namespace taut {

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
