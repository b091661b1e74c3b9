#include <taut/algebra/dense.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <utility>

namespace taut {

namespace {

const DenseKernels& kernels() {
  static const DenseKernels& chosen = dense_kernels(instruction_set());
  return chosen;
}

DenseView<const double> view(const Dense& matrix) { return {matrix.data(), matrix.rows(), matrix.cols(), matrix.outerStride()}; }

template <class Owner>
DenseView<double> view_to_write(Owner& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.rows()};
}

}  // namespace

Eigen::MatrixXd multiply(const Dense& a, const Dense& b, Transpose transpose) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(transpose == Transpose::left ? a.cols() : a.rows(),
                                                 transpose == Transpose::right ? b.rows() : b.cols());
  kernels().add_product(view(a), view(b), transpose, view_to_write(result));
  return result;
}

void add_gram(const Dense& x, Transpose transpose, Eigen::MatrixXd& sum) {
  kernels().add_gram(view(x), transpose, view_to_write(sum));
}

void copy_lower_to_upper(Eigen::MatrixXd& symmetric) {
  for (Index c = 1; c < symmetric.cols(); ++c)
    for (Index r = 0; r < c; ++r) symmetric(r, c) = symmetric(c, r);
}

// A factor with entries that are not finite counts as a failure.
Cholesky::Cholesky(Eigen::MatrixXd a)
    : lower_(std::move(a)), succeeded_(kernels().factor(view_to_write(lower_)) && lower_.diagonal().allFinite()) {}

void Cholesky::solve_lower(Eigen::MatrixXd& b) const { kernels().solve_lower(view(lower_), view_to_write(b)); }

void Cholesky::solve_lower(Eigen::VectorXd& b) const { kernels().solve_lower(view(lower_), view_to_write(b)); }

void Cholesky::solve_upper(Eigen::VectorXd& b) const { kernels().solve_upper(view(lower_), view_to_write(b)); }

Eigen::MatrixXd Cholesky::solve(Eigen::MatrixXd b) const {
  kernels().solve_lower(view(lower_), view_to_write(b));
  kernels().solve_upper(view(lower_), view_to_write(b));
  return b;
}

Eigen::VectorXd Cholesky::solve(Eigen::VectorXd b) const {
  solve_lower(b);
  solve_upper(b);
  return b;
}

Eigen::MatrixXd Cholesky::inverse() const {
  return solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(lower_.rows(), lower_.rows())));
}

double Cholesky::log_determinant() const { return 2 * lower_.diagonal().array().log().sum(); }

Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) { return a.ldlt().solve(b); }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace taut
