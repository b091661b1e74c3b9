// The rows of a scale family in logarithms: what every objective for r / s(x) computes with, and the way back to g.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

// u = log s of each side that exists, z = r / s of the side that occurred.
class ScaleRows {
 public:
  explicit ScaleRows(const ObjectiveRows& rows);

  Index count() const { return rows_.rows(); }
  int sides() const { return rows_.sides; }
  int threads() const { return rows_.threads; }
  const Eigen::ArrayXXd& u() const { return u_; }  // rows x sides
  Eigen::ArrayXXd s() const { return u_.exp(); }   // computed anew: not every objective needs it
  const Eigen::ArrayXd& z() const { return z_; }
  // The column of the side on which row i's target fell.
  Index occurred(Index row) const { return sides() == 2 ? static_cast<Index>(rows_.side[static_cast<std::size_t>(row)]) : 0; }

  // Turns ∂loss/∂u (rows x sides) and its curvature into those of g by the chain rule; the curvature keeps its leading
  // term, (∂u/∂g)² times that of u, which is exact where u is linear in g.
  void back(const Eigen::ArrayXXd& gradient_u, const Eigen::ArrayXXd& curvature_u, Matrix* gradient, Matrix* curvature) const;

 private:
  const ObjectiveRows& rows_;
  Eigen::ArrayXXd u_;
  Eigen::ArrayXd z_;
};

}  // namespace taut
