// Linear quantile regression: right where the answer is known, and robust to extreme cells.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/train/quantile_lines.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

const std::vector<double> probabilities = {0.05, 0.25, 0.5, 0.75, 0.95};
constexpr Index inputs_of_lines = 3, n_lines = 5;

// y = x_0 + (1 + 0.8 x_1) u with u uniform on (−1, 1): the p-quantile is x_0 + (1 + 0.8 x_1)(2p − 1). x_2 has no effect.
struct LinearQuantiles {
  MatrixF x;
  std::vector<double> y;
  Rows train, validation;

  explicit LinearQuantiles(Index rows, std::uint64_t seed = 1) : x(rows, inputs_of_lines) {
    Random random(seed);
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < inputs_of_lines; ++k) x(i, k) = static_cast<float>(random.uniform(-1, 1));
      y.push_back(quantile(i, random.uniform()));
      (i % 5 == 0 ? validation : train).push_back(i);
    }
  }
  double quantile(Index i, double p) const {
    return static_cast<double>(x(i, 0)) + (1 + 0.8 * static_cast<double>(x(i, 1))) * (2 * p - 1);
  }
  QuantileLines lines() const { return QuantileLines::fit(x, train, validation, y, probabilities); }
};

Matrix quantiles_of(const QuantileLines& lines, const Inputs& x) {
  Matrix out(x.rows(), n_lines);
  for (Index k = 0; k < n_lines; ++k) out.col(k).setConstant(lines.intercepts()[static_cast<std::size_t>(k)]);
  lines.add_slopes(x, out);
  return out;
}

TEST(QuantileLines, FindLinesThatAreKnown) {
  const LinearQuantiles data(4000), fresh(500, 2);
  const Matrix found = quantiles_of(data.lines(), fresh.x);
  for (Index k = 0; k < n_lines; ++k) {
    double error = 0;
    for (Index i = 0; i < found.rows(); ++i)
      error += std::abs(found(i, k) - fresh.quantile(i, probabilities[static_cast<std::size_t>(k)])) / 500;
    EXPECT_LT(error, 0.06) << probabilities[static_cast<std::size_t>(k)];
  }
}

// On the training rows the share p of the targets is below a line with an intercept.
TEST(QuantileLines, HaveTheirShareOfTargetsBelow) {
  const LinearQuantiles data(2000);
  const Matrix found = quantiles_of(data.lines(), data.x);
  for (Index k = 0; k < n_lines; ++k) {
    double below = 0;
    for (const Index i : data.train) below += data.y[static_cast<std::size_t>(i)] < found(i, k) ? 1.0 / 1600 : 0.0;
    EXPECT_NEAR(below, probabilities[static_cast<std::size_t>(k)], 0.01);
  }
}

TEST(QuantileLines, MirrorWithTheirTarget) {
  LinearQuantiles data(600);
  const Matrix was = quantiles_of(data.lines(), data.x);
  for (double& y : data.y) y = -y;
  const Matrix is = quantiles_of(data.lines(), data.x);
  for (Index i = 0; i < was.rows(); ++i)
    for (Index k = 0; k < n_lines; ++k) ASSERT_NEAR(was(i, k), -is(i, n_lines - 1 - k), 1e-9);
}

TEST(QuantileLines, UnitsOfInputsAndOfTheTargetDoNotMatter) {
  LinearQuantiles data(600);
  const Matrix was = quantiles_of(data.lines(), data.x);
  for (const auto& [factor, offset, of_y] : {std::tuple{1024.0F, 4096.0F, 1.0}, {1.0F, 0.0F, 1e9}, {1.0F, 0.0F, 1e-9}}) {
    LinearQuantiles other(600);
    other.x.array() = factor * other.x.array() + offset;
    for (double& y : other.y) y *= of_y;
    const Matrix is = quantiles_of(other.lines(), other.x) / of_y;
    EXPECT_LT((is - was).cwiseAbs().maxCoeff(), 2e-3) << factor << " " << of_y;
  }
}

TEST(QuantileLines, StrangeCellsMoveThemNoFurtherThanUsualOnes) {
  const LinearQuantiles data(2000);
  const QuantileLines lines = data.lines();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  MatrixF x(5, inputs_of_lines);
  x << 0.99F, 0, 0, 1e30F, 0, 0, inf, 0, 0, nan, nan, nan, 0, 0, 0;
  const Matrix found = quantiles_of(lines, x);
  EXPECT_TRUE(found.allFinite());
  EXPECT_NEAR(found(1, 2), found(0, 2), 0.03);
  EXPECT_EQ(found(2, 2), found(1, 2));
  EXPECT_NEAR(found(3, 2), found(4, 2), 0.1);  // missing: like a row of mean inputs
}

// One cell of a column is 1e30, some are missing, one column is constant and one has no number: the other columns still count.
TEST(QuantileLines, LearnBesideStrangeCells) {
  LinearQuantiles data(2000);
  data.x.conservativeResize(Eigen::NoChange, inputs_of_lines + 2);
  data.x.col(3).setConstant(7);
  data.x.col(4).setConstant(std::numeric_limits<float>::quiet_NaN());
  data.x(1, 0) = 1e30F;
  data.x(2, 1) = -std::numeric_limits<float>::infinity();
  for (Index i = 0; i < 2000; i += 7) data.x(i, 2) = std::numeric_limits<float>::quiet_NaN();
  const Matrix found = quantiles_of(data.lines(), data.x);
  ASSERT_TRUE(found.allFinite());
  double error = 0;
  for (Index i = 10; i < 2000; ++i) error += std::abs(found(i, 4) - data.quantile(i, 0.95)) / 1990;
  EXPECT_LT(error, 0.1);
}

TEST(QuantileLines, TakeTargetsThatAreAllTheSame) {
  LinearQuantiles data(200);
  data.y.assign(200, 3.0);
  const Matrix found = quantiles_of(data.lines(), data.x);
  EXPECT_NEAR(found.minCoeff(), 3, 1e-9);
  EXPECT_NEAR(found.maxCoeff(), 3, 1e-9);
}

TEST(QuantileLines, SuitFewRowsAndFewerSlopes) {
  EXPECT_TRUE(QuantileLines::suit(500, 8));
  EXPECT_FALSE(QuantileLines::suit(100'000, 8));
  EXPECT_FALSE(QuantileLines::suit(200, 100));
  EXPECT_FALSE(QuantileLines::suit(4000, 500));
}

TEST(QuantileLines, ComeBackFromAFileAndRefuseDamage) {
  const LinearQuantiles data(600);
  const QuantileLines lines = data.lines();
  ASSERT_TRUE(lines.has_slopes());
  Archive archive;
  lines.save(archive);
  Matrix was = Matrix::Zero(600, n_lines), is = was;
  lines.add_slopes(data.x, was);
  QuantileLines::load(archive, inputs_of_lines, n_lines).add_slopes(data.x, is);
  EXPECT_EQ(was, is);
  EXPECT_THROW(QuantileLines::load(archive, inputs_of_lines + 1, n_lines), Error);
  EXPECT_THROW(QuantileLines::load(archive, inputs_of_lines, n_lines + 1), Error);
  for (const char* name : {"least", "most", "centre", "unit", "slopes"}) {
    Archive damaged;
    lines.save(damaged);
    auto numbers = damaged.get<std::vector<double>>(name);
    numbers.front() = std::numeric_limits<double>::quiet_NaN();
    damaged.put(name, numbers);
    EXPECT_THROW(QuantileLines::load(damaged, inputs_of_lines, n_lines), Error) << name;
  }
  Archive negative;
  lines.save(negative);
  negative.put("unit", std::vector<double>{-1, 1, 1});
  EXPECT_THROW(QuantileLines::load(negative, inputs_of_lines, n_lines), Error);
}

}  // namespace
}  // namespace taut
