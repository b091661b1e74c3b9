// Which rows of a matrix are independent, and which directions none of them has.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

struct RowSpace {
  Rows independent;   // as many rows as the rank, none close to what the others span
  Matrix complement;  // orthonormal rows: what every row of the matrix is orthogonal to

  // Whether a row is a combination of those of the matrix, up to rounding.
  bool contains(const Eigen::Ref<const Eigen::VectorXd>& row) const;
};

// Entries are expected to be of order one. A row counts as independent where a hundred-millionth of it or more is new.
RowSpace row_space(const Matrix& rows);

}  // namespace taut
