// Products and factorisations of dense matrices of doubles, column-major: in one place, because each takes seconds to compile,
// and with the widest vectors of the processor (kernels.hpp). Eigen's own operators do for vectors and small matrices.
#pragma once

#include <taut/algebra/kernels.hpp>
#include <taut/core/types.hpp>

namespace taut {

// A whole matrix, or some columns or rows of one; a row-major matrix as its transpose().
using Dense = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// A·B, Aᵀ·B or A·Bᵀ.
Eigen::MatrixXd multiply(const Dense& a, const Dense& b, Transpose transpose = Transpose::none);

// Adds XᵀX (Transpose::left) or XXᵀ (Transpose::right) to the lower half of `sum`.
void add_gram(const Dense& x, Transpose transpose, Eigen::MatrixXd& sum);
void copy_lower_to_upper(Eigen::MatrixXd& symmetric);

// A = LLᵀ for a symmetric positive definite A, of which the lower half is read.
class Cholesky {
 public:
  explicit Cholesky(Eigen::MatrixXd a);

  // False where A was not positive definite; nothing below may then be asked.
  bool succeeded() const { return succeeded_; }

  Eigen::MatrixXd solve(Eigen::MatrixXd b) const;  // A⁻¹B
  Eigen::VectorXd solve(Eigen::VectorXd b) const;
  Eigen::MatrixXd inverse() const;
  void solve_lower(Eigen::MatrixXd& b) const;  // B = L⁻¹B
  void solve_lower(Eigen::VectorXd& b) const;
  void solve_upper(Eigen::VectorXd& b) const;  // b = L⁻ᵀb
  double log_determinant() const;

 private:
  Eigen::MatrixXd lower_;
  bool succeeded_;
};

// A⁻¹b for a symmetric A that is at least semidefinite, by pivoted LDLᵀ.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

// A = VΛVᵀ for a symmetric A, of which the lower half is read; values ascend.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);

}  // namespace taut
