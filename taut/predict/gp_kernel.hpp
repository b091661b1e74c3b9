// The covariance of a Gaussian process, and the search for its best parameters.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

namespace taut {

// The covariance of a Gaussian process: a Matérn part with a length for each column, and a linear part.
//
//   k(x, x') = a²·(1 + d + d²/3)·e^(-d) + b²·(1 + x·x'),  d² = 5 Σ_c (x_c - x'_c)²/ℓ_c²;  noise s² on the diagonal
// Matérn's with ν = 5/2: smooth, but without the infinitely many derivatives of a Gaussian, which real tables rarely have.

struct GpKernel {
  // log ℓ of each column, log a, log b, log s
  explicit GpKernel(const Eigen::VectorXd& logs);

  Eigen::RowVectorXd lengths;
  double amplitude, slope, noise;

  Eigen::MatrixXd scaled(const Eigen::MatrixXd& x) const;  // √5 x/ℓ
  // Without noise. `left`, `right`: rows.
  Eigen::MatrixXd covariance(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) const;
};

// d of all pairs of rows of what scaled() gives.
Eigen::MatrixXd gp_distances(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right);

// The negative logarithm of the likelihood of `y` at rows `x`, plus a weak prior that keeps each logarithm near a usual value, as
// far as nothing speaks for another; and the derivatives by the logarithms.
struct GpEvidence {
  double value;  // infinite where the covariance cannot be factored
  Eigen::VectorXd gradient;
};
GpEvidence gp_evidence(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& logs);

// The usual logarithms for so many columns: where the search starts, and the centre of the prior.
Eigen::VectorXd gp_usual_logs(Index columns);

// The logarithms of a kernel that make its evidence largest.

// A step costs the cube of the rows, so most are taken on few rows and only the last ones on all.
struct GpSearch {
  Index few_rows = 200, steps_on_few = 40;
  Index steps = 12;
};

Eigen::VectorXd gp_search(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const GpSearch& search,
                          const ExecutionContext& context);

}  // namespace taut
