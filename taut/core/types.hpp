// The few types that all modules share, and the comparison of losses.
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

// Without a fixed alignment Eigen would choose it by the instruction set of each translation unit. A matrix that is allocated in
// the library may be freed outside of it, so all must agree.
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 64, "link with taut::taut, or define EIGEN_MAX_ALIGN_BYTES=64 everywhere");

using Index = Eigen::Index;
// Rows x columns, row-major: doubles for scores and sums, floats for model inputs.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A read-only view of inputs: a whole matrix, or a block of whole rows of one.
using Inputs = Eigen::Ref<const MatrixF, 0, Eigen::OuterStride<>>;

using Rows = std::vector<Index>;  // row numbers of a table, in order
using RowsView = std::span<const Index>;

inline Rows all_rows(Index count) {
  Rows rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

// The values of these rows, in the order of `rows`.
inline std::vector<double> pick(std::span<const double> values, RowsView rows) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const Index row : rows) result.push_back(values[static_cast<std::size_t>(row)]);
  return result;
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The prediction interval of one row. If lower > upper it is empty; two infinite ends are the whole real line.
struct Interval {
  double lower = -infinity;
  double upper = infinity;

  bool empty() const { return !(lower <= upper); }
  bool finite() const { return lower > -infinity && upper < infinity; }
  bool contains(double y) const { return lower <= y && y <= upper; }
  double width() const { return empty() ? 0.0 : upper - lower; }
};

// Whether a candidate's loss is lower than the best so far. A loss that is not finite is never lower, and any finite loss is
// lower than one that is not: NaN has no order, and −infinity results from an overflow or from 0 rows, not from a good candidate.
inline bool is_lower_loss(double loss, double best) { return std::isfinite(loss) && (!std::isfinite(best) || loss < best); }

}  // namespace taut
