// Ridge regression, and the choice of its penalty.
//
// With X centred and XᵀX = VΛVᵀ, z = VᵀXᵀy:  w = V z/(Λ + λ). Where there are fewer rows than columns the same w comes from
// XXᵀ = UΛUᵀ, u = Uᵀy:  w = Xᵀ U u/(Λ + λ). λ minimises Golub, Heath and Wahba's generalised cross-validation
//   n·RSS(λ) / (n - t(λ))²,  t = 1 + Σ Λ/(Λ + λ) the degrees of freedom.
// λ > 0 always, so collinear columns share a weight and constant columns get none.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

struct Ridge {
  Eigen::VectorXd solution;  // V z/(Λ + λ) or U u/(Λ + λ)
  double penalty = 0;        // λ; 0 if every input is constant
};

// From XᵀX (only its lower triangle is used), Xᵀy and |y|². With many columns, eigenvectors take most of the time of a fit; the
// same formulas are then computed by Cholesky factors of XᵀX + λ.
Ridge ridge_by_columns(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows);
// From XXᵀ and y. `counted`: the number of rows that the weights of the rows stand for; 0 without weights.
Ridge ridge_by_rows(const Eigen::MatrixXd& gram, const Eigen::VectorXd& y, Index counted = 0);

}  // namespace taut
