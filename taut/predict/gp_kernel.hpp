// The covariance of a Gaussian process, and the search for its best parameters.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

namespace taut {

// The covariance of a Gaussian process: a Matérn part with a length for each column, and a linear part.
//
//   k(x, x') = a²·(1 + d + d²/3)·e^(-d) + b²·(1 + x·x'),  d² = 5 Σ_c (x_c - x'_c)²/ℓ_c²;  noise s² on the diagonal
// Matérn with ν = 5/2 is twice differentiable. A Gaussian kernel has infinitely many derivatives, which real data rarely support.
struct GpKernel {
  // log ℓ of each column, log a, log b, log s
  explicit GpKernel(const Eigen::VectorXd& logs);

  Eigen::RowVectorXd lengths;
  double amplitude, slope, noise;

  Eigen::MatrixXd scaled(const Eigen::MatrixXd& x) const;  // √5 x/ℓ
  // Covariances of all pairs of a row of `left` and a row of `right`, without noise.
  Eigen::MatrixXd covariance(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) const;
};

// The distances d of all pairs of rows. Both matrices are results of GpKernel::scaled().
Eigen::MatrixXd gp_distances(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right);

// The negative log-likelihood of `y` at rows `x` plus the negative log of a weak prior on the logarithms, and the derivatives by
// the logarithms. The prior is centred at gp_usual_logs(). The mean of w equal observations has the noise s²/w, and their
// differences add ½(w − 1) log s² to the negative log-likelihood.
struct GpEvidence {
  double value;  // infinite where the covariance cannot be factored
  Eigen::VectorXd gradient;
};
GpEvidence gp_evidence(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& logs, RowWeights weights = {});

// Default logarithms for a number of columns: the start of the search and the centre of the prior.
Eigen::VectorXd gp_usual_logs(Index columns);

// A step costs O(rows³). Most steps are therefore taken on few rows, and only the last ones on all rows.
struct GpSearch {
  Index few_rows = 200, steps_on_few = 40;
  Index steps = 12;
};

// The logarithms that minimise gp_evidence().
Eigen::VectorXd gp_search(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const GpSearch& search,
                          const ExecutionContext& context, RowWeights weights = {});

}  // namespace taut
