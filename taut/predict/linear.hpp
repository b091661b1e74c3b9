// Ridge regression by an eigendecomposition of the inputs, and the choice of its penalty.
//
// With X centred and XᵀX = VΛVᵀ, z = VᵀXᵀy:  w = V z/(Λ + λ). Where there are fewer rows than columns the same w comes from
// XXᵀ = UΛUᵀ, u = Uᵀy:  w = Xᵀ U u/(Λ + λ). λ minimises Golub, Heath and Wahba's generalised cross-validation
//   n·RSS(λ) / (n - t(λ))²,  t = 1 + Σ Λ/(Λ + λ) the degrees of freedom.
// λ > 0 always, so collinear columns share a weight and constant columns get none.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

// The eigenvectors and eigenvalues, and the coordinates of the target in the eigenvectors.
struct RidgeDirections {
  Eigen::MatrixXd vectors;  // V or U
  Eigen::ArrayXd values;    // Λ
  Eigen::ArrayXd along;     // z or u
  double penalty = 0;       // λ; 0 if every input is constant

  // V z/(Λ + λ) or U u/(Λ + λ).
  Eigen::VectorXd solution() const;
};

// From XᵀX (only its lower triangle is used), Xᵀy and |y|².
RidgeDirections ridge_by_columns(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows);
// From XXᵀ and y.
RidgeDirections ridge_by_rows(const Eigen::MatrixXd& gram, const Eigen::VectorXd& y);

}  // namespace taut
