// Products, factors and solutions against explicit sums, for every instruction set that this processor has.
#include <taut/algebra/dense.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace taut {
namespace {

using Square = Eigen::MatrixXd;

Square random_square(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return Square::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

Square summed(const Square& a, const Square& b) {
  Square c = Square::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

double difference(const Square& a, const Square& b) { return (a - b).cwiseAbs().maxCoeff(); }

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= instruction_set()) sets.push_back(set);
  return sets;
}

DenseView<const double> view(const Square& m) { return {m.data(), m.rows(), m.cols(), m.rows()}; }
DenseView<double> view(Square& m) { return {m.data(), m.rows(), m.cols(), m.rows()}; }

// Positive definite, and far from singular.
Square definite(Index size, std::uint64_t seed) {
  const Square a = random_square(size, size, seed);
  return summed(a, a.transpose()) + static_cast<double>(size) * Square::Identity(size, size);
}

TEST(DenseKernels, ProductsAreSumsInEveryInstructionSet) {
  for (const auto set : instruction_sets())
    for (const Index size : {1, 3, 17, 70}) {
      const Square a = random_square(size, size + 2, 1), b = random_square(size + 2, size + 1, 2);
      const Square expected = summed(a, b), at = a.transpose(), bt = b.transpose();
      Square c = Square::Ones(size, size + 1);
      dense_kernels(set).add_product(view(a), view(b), Transpose::none, view(c));
      EXPECT_LT(difference(c, expected + Square::Ones(size, size + 1)), 1e-12 * static_cast<double>(size));
      c.setZero();
      dense_kernels(set).add_product(view(at), view(b), Transpose::left, view(c));
      EXPECT_LT(difference(c, expected), 1e-12 * static_cast<double>(size));
      c.setZero();
      dense_kernels(set).add_product(view(a), view(bt), Transpose::right, view(c));
      EXPECT_LT(difference(c, expected), 1e-12 * static_cast<double>(size));
    }
}

TEST(DenseKernels, FactorsGiveTheMatrixBackInEveryInstructionSet) {
  for (const auto set : instruction_sets())
    for (const Index size : {1, 5, 64, 150}) {
      const Square a = definite(size, 3);
      Square l = a;
      ASSERT_TRUE(dense_kernels(set).factor(view(l)));
      l = l.triangularView<Eigen::Lower>().toDenseMatrix();
      EXPECT_LT(difference(summed(l, l.transpose()), a), 1e-11 * static_cast<double>(size));
      Square x = random_square(size, 4, 4);
      const Square right = x;
      dense_kernels(set).solve_lower(view(std::as_const(l)), view(x));
      EXPECT_LT(difference(summed(l, x), right), 1e-10);
      dense_kernels(set).solve_upper(view(std::as_const(l)), view(x));
      EXPECT_LT(difference(summed(a, x), right), 1e-10);
    }
}

TEST(Dense, GramsFillTheLowerHalf) {
  const Square x = random_square(23, 9, 5);
  for (const auto transpose : {Transpose::left, Transpose::right}) {
    const Square expected = transpose == Transpose::left ? summed(x.transpose(), x) : summed(x, x.transpose());
    Square sum = Square::Constant(expected.rows(), expected.rows(), 0.5);
    add_gram(x, transpose, sum);
    if (expected.rows() > 1) {
      EXPECT_EQ(sum(0, 1), 0.5);  // the upper half is not written
    }
    copy_lower_to_upper(sum);
    EXPECT_LT(difference(sum, expected + Square::Constant(expected.rows(), expected.rows(), 0.5)), 1e-12);
  }
}

TEST(Dense, BlocksAndRowMajorMatricesAreTakenAsTheyLie) {
  const Square a = random_square(30, 12, 6);
  EXPECT_LT(difference(multiply(a.middleRows(5, 9), a.middleCols(2, 3).topRows(12)),
                       summed(a.middleRows(5, 9), a.middleCols(2, 3).topRows(12))),
            1e-12);
  const Matrix rows = a;
  EXPECT_LT(difference(multiply(rows.transpose(), a), summed(a.transpose(), a)), 1e-12);
}

TEST(Dense, CholeskySolvesInvertsAndGivesTheDeterminant) {
  const Square a = definite(40, 7);
  const Cholesky factor(a);
  ASSERT_TRUE(factor.succeeded());
  EXPECT_LT(difference(summed(a, factor.inverse()), Square::Identity(40, 40)), 1e-12);
  const Eigen::VectorXd y = random_square(40, 1, 8);
  EXPECT_LT((a * factor.solve(y) - y).norm(), 1e-11);
  EXPECT_NEAR(factor.log_determinant(), symmetric_eigen(a).values.array().log().sum(), 1e-9);
}

TEST(Dense, MatricesThatAreNotPositiveDefiniteAreReported) {
  Square a = definite(20, 9);
  a(13, 13) = -1;
  EXPECT_FALSE(Cholesky(a).succeeded());
  a(13, 13) = std::nan("");
  EXPECT_FALSE(Cholesky(a).succeeded());
}

TEST(Dense, SemidefiniteSystemsAreSolvedWhereTheyCanBe) {
  const Eigen::VectorXd v = random_square(6, 1, 10);
  const Square a = v * v.transpose();
  const Eigen::VectorXd x = solve_semidefinite(a, 3 * v);
  EXPECT_LT((a * x - 3 * v).norm(), 1e-10);
}

TEST(Dense, EigenvectorsDiagonalise) {
  const Square a = definite(15, 11);
  const SymmetricEigen found = symmetric_eigen(a);
  EXPECT_LT(difference(summed(a, found.vectors), summed(found.vectors, Square(found.values.asDiagonal()))), 1e-11);
  for (Index i = 1; i < found.values.size(); ++i) EXPECT_LE(found.values[i - 1], found.values[i]);
}

}  // namespace
}  // namespace taut
