// The bodies of the kernels, included once by each file that compiles them for an instruction set, named by TAUT_INSTRUCTIONS.
//
// The namespace Eigen is renamed for each instruction set. Its functions are inline, so the linker would otherwise keep one copy
// for the whole program, perhaps one that only some processors can run. tests/tools/dispatch_test.py finds other such functions.
#include <taut/algebra/kernels.hpp>

#define TAUT_JOIN_NAMES(a, b) a##b
#define TAUT_JOIN(a, b) TAUT_JOIN_NAMES(a, b)
#define TAUT_KERNELS TAUT_JOIN(dense_, TAUT_INSTRUCTIONS)
#define Eigen TAUT_JOIN(Eigen_, TAUT_INSTRUCTIONS)

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace taut::TAUT_KERNELS {
namespace {

using Stride = Eigen::OuterStride<>;

Eigen::Map<Eigen::MatrixXd, 0, Stride> map(DenseView<double> view) {
  return {view.data, view.rows, view.columns, Stride(view.step)};
}
Eigen::Map<const Eigen::MatrixXd, 0, Stride> map(DenseView<const double> view) {
  return {view.data, view.rows, view.columns, Stride(view.step)};
}

void add_product(DenseView<const double> a, DenseView<const double> b, Transpose transpose, DenseView<double> c) {
  switch (transpose) {
    case Transpose::none:
      map(c).noalias() += map(a) * map(b);
      break;
    case Transpose::left:
      map(c).noalias() += map(a).transpose() * map(b);
      break;
    case Transpose::right:
      map(c).noalias() += map(a) * map(b).transpose();
      break;
  }
}

void add_gram(DenseView<const double> x, Transpose transpose, DenseView<double> c) {
  auto sum = map(c);
  if (transpose == Transpose::left)
    sum.selfadjointView<Eigen::Lower>().rankUpdate(map(x).transpose());
  else
    sum.selfadjointView<Eigen::Lower>().rankUpdate(map(x));
}

bool factor(DenseView<double> a) {
  Eigen::Ref<Eigen::MatrixXd> matrix(map(a));
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factored(matrix);
  return factored.info() == Eigen::Success;
}

void solve_lower(DenseView<const double> l, DenseView<double> b) {
  auto right = map(b);
  map(l).triangularView<Eigen::Lower>().solveInPlace(right);
}

void solve_upper(DenseView<const double> l, DenseView<double> b) {
  auto right = map(b);
  map(l).transpose().triangularView<Eigen::Upper>().solveInPlace(right);
}

}  // namespace

const DenseKernels kernels = {add_product, add_gram, factor, solve_lower, solve_upper};

}  // namespace taut::TAUT_KERNELS
