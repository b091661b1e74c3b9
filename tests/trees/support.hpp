// Data for the tests of this module.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

namespace taut {

// Normal inputs, a share of the cells missing, the last column with few distinct values.
inline MatrixF random_inputs(Index rows, Index columns, std::uint64_t seed, double missing_share = 0) {
  Random random(seed);
  MatrixF x(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      x(i, j) = static_cast<float>(j + 1 < columns ? random.normal() : static_cast<double>(random.below(4)));
      if (random.uniform() < missing_share) x(i, j) = std::numeric_limits<float>::quiet_NaN();
    }
  return x;
}

// One smooth target per output that reacts to missing cells too.
inline Matrix random_targets(const MatrixF& x, Index outputs, std::uint64_t seed) {
  Random random(seed);
  Matrix y(x.rows(), outputs);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < outputs; ++k) {
      const double a = x(i, k % x.cols()), b = x(i, x.cols() - 1);
      y(i, k) = (a == a ? a * a : 3) + (b == b ? b : -2) + 0.3 * random.normal();
    }
  return y;
}

}  // namespace taut
