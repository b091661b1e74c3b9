// The few types that all folders share, and how losses are compared.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace taut {

// Rows x columns, row-major; doubles for scores and sums, floats for model inputs.

// Otherwise Eigen chooses the alignment by the instruction set of each translation unit, and a matrix that is allocated in the
// library may be freed outside it.
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 64, "link with taut::taut, or define EIGEN_MAX_ALIGN_BYTES=64 everywhere");

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A view of inputs that we only read: a whole matrix, or a block of whole rows of one.
using Inputs = Eigen::Ref<const MatrixF, 0, Eigen::OuterStride<>>;

using Rows = std::vector<Index>;  // a choice of rows of a table, in order
using RowsView = std::span<const Index>;

inline Rows all_rows(Index count) {
  Rows rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

// The values of some rows, in their order.
inline std::vector<double> pick(std::span<const double> values, RowsView rows) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const Index row : rows) result.push_back(values[static_cast<std::size_t>(row)]);
  return result;
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The prediction set of one row: lower > upper is the empty set, two infinite ends are the whole line.
struct Interval {
  double lower = -infinity;
  double upper = infinity;

  bool empty() const { return !(lower <= upper); }
  bool finite() const { return lower > -infinity && upper < infinity; }
  bool contains(double y) const { return lower <= y && y <= upper; }
  double width() const { return empty() ? 0.0 : upper - lower; }
};

// What a choice compares by.

// Whether a candidate's loss wins over that of the best before it. A loss that is not finite never wins, and any finite one wins
// over it: NaN compares with nothing, and −infinity is the result of an overflow or of 0 rows, not of a good candidate.
inline bool is_lower_loss(double loss, double best) { return std::isfinite(loss) && (!std::isfinite(best) || loss < best); }

}  // namespace taut
