#include <taut/calibrate/row_space.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index rows_at_once = 1024;

// Turns the coordinates in the complement so that `direction` becomes the first of them, and drops that one.
void drop_direction(Eigen::VectorXd direction, Matrix& coordinates, Matrix& complement) {
  direction[0] += std::copysign(direction.norm(), direction[0]);
  direction.normalize();
  const Eigen::VectorXd along = coordinates * direction;
  coordinates.noalias() -= 2 * along * direction.transpose();
  const Eigen::RowVectorXd part = direction.transpose() * complement;
  complement.noalias() -= 2 * direction * part;
  coordinates = Matrix(coordinates.rightCols(coordinates.cols() - 1));
  complement = Matrix(complement.bottomRows(complement.rows() - 1));
}

}  // namespace

bool RowSpace::contains(const Eigen::Ref<const Eigen::VectorXd>& row) const {
  return complement.rows() == 0 || (complement * row).norm() <= 1e-6 * std::max(1.0, row.norm());
}

// Rows that are clearly new come first, so that the basis is well conditioned. What the complement has lost need not be looked at
// again: once it is small, which is soon, a row costs little.
RowSpace row_space(const Matrix& rows) {
  RowSpace space{{}, Matrix::Identity(rows.cols(), rows.cols())};
  for (const double share : {1e-2, 1e-8})
    for (Index from = 0; from < rows.rows() && space.complement.rows() > 0; from += rows_at_once) {
      const Index count = std::min(rows_at_once, rows.rows() - from);
      const Eigen::VectorXd least = share * rows.middleRows(from, count).rowwise().norm().cwiseMax(1.0);
      Matrix coordinates = rows.middleRows(from, count) * space.complement.transpose();
      while (space.complement.rows() > 0) {
        Index best = 0;
        const double excess = (coordinates.rowwise().norm() - least).maxCoeff(&best);
        if (!(excess > 0)) break;
        space.independent.push_back(from + best);
        drop_direction(coordinates.row(best), coordinates, space.complement);
      }
    }
  return space;
}

}  // namespace taut
