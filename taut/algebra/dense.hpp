// Products and factorisations of dense column-major matrices of doubles, with the widest vectors of the processor (kernels.hpp).
// They are in one place because each takes seconds to compile. For vectors and small matrices use Eigen's operators.
#pragma once

#include <taut/algebra/kernels.hpp>
#include <taut/core/types.hpp>

namespace taut {

// A whole matrix, or a block of one. Pass a row-major matrix as its transpose().
using Dense = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// A·B, Aᵀ·B or A·Bᵀ.
Eigen::MatrixXd multiply(const Dense& a, const Dense& b, Transpose transpose = Transpose::none);

// Adds XᵀX (Transpose::left) or XXᵀ (Transpose::right) to the lower half of `sum`.
void add_gram(const Dense& x, Transpose transpose, Eigen::MatrixXd& sum);
void copy_lower_to_upper(Eigen::MatrixXd& symmetric);

// A = LLᵀ for a symmetric positive definite A. Only the lower half of A is read.
class Cholesky {
 public:
  explicit Cholesky(Eigen::MatrixXd a);

  // False if A was not positive definite; the functions below must then not be called.
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

// A⁻¹b for a symmetric positive semidefinite A, by pivoted LDLᵀ.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

// A = VΛVᵀ for a symmetric A, of which only the lower half is read. The eigenvalues ascend.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);

}  // namespace taut
