#include <taut/core/random.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

const std::vector<double> peers_y{5, 7.5, 9.5, 10.5, 12.5};
const std::vector<Interval> peers_first{{4, 6}, {6, 9}, {9, 10}, {8.5, 12.5}, {10.5, 12}};
const std::vector<Interval> peers_second{{4, 7.5}, {8, 10}, {9, 10}, {9, 12}, {10.5, 12}};

std::vector<double> coverages(const std::vector<CoverageBin>& bins) {
  std::vector<double> result;
  for (const auto& bin : bins) result.push_back(bin.coverage);
  return result;
}

TEST(SizeStratifiedCoverage, AgreesWithOtherPackages) {
  EXPECT_DOUBLE_EQ(mean_width(peers_first), 2.3);
  EXPECT_DOUBLE_EQ(mean_width(peers_second), 2.2);
  EXPECT_DOUBLE_EQ(coverage(peers_first, peers_y), .8);
  using Values = std::vector<double>;
  EXPECT_EQ(coverages(size_stratified_coverage(peers_first, peers_y, 2)), (Values{2.0 / 3, 1}));
  EXPECT_EQ(coverages(size_stratified_coverage(peers_second, peers_y, 2)), (Values{1.0 / 3, 1}));
  EXPECT_EQ(coverages(size_stratified_coverage(peers_first, peers_y, 3)), (Values{.5, 1, 1}));
  EXPECT_EQ(coverages(size_stratified_coverage(peers_second, peers_y, 3)), (Values{.5, .5, 1}));
}

// Intervals of one width are one group, although (f + d) - (f - d) differs by rounding.
TEST(SizeStratifiedCoverage, KeepsEqualWidthsTogether) {
  std::vector<Interval> intervals;
  for (int i = 0; i < 90; ++i) intervals.push_back({i * 0.1 - 0.3, i * 0.1 + 0.3});
  intervals.resize(100);  // ten infinite intervals
  const auto bins = size_stratified_coverage(intervals, std::vector<double>(100, 0.0), 5);
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_EQ(bins[0].rows, 90);
  EXPECT_EQ(bins[1].rows, 10);
  EXPECT_EQ(bins[1].coverage, 1);
}

TEST(CoverageByBin, KeepsEveryRowOnce) {
  Random random(2);
  for (const Index n : {1, 7, 100}) {
    std::vector<double> values;
    for (Index i = 0; i < n; ++i) values.push_back(i % 5 == 0 ? missing : static_cast<double>(random.below(20)));
    Index rows = 0;
    for (const auto& bin : coverage_by_bin(values, std::vector<std::uint8_t>(values.size(), 1), 4)) rows += bin.rows;
    EXPECT_EQ(rows, n);
  }
}

TEST(CoverageGap, AgreesWithOtherPackages) {
  const std::vector<Interval> intervals{{0, 1}, {0, 2}, {1, 2}, {4, 5}};
  const std::vector<std::int64_t> groups{0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(coverage_gap(groups, covered(intervals, std::vector<double>{0, 1, 2, 3}), .75), .25);
}

TEST(ConditionalCoverageRmse, IsTheRootOfTheMeanSquare) {
  EXPECT_DOUBLE_EQ(conditional_coverage_rmse(std::vector<double>{.9, .8, 1}, .9), std::sqrt(.02 / 3));
}

TEST(Hsic, AgreesWithOtherPackages) {
  EXPECT_NEAR(hsic(widths(peers_first), covered(peers_first, peers_y)), .16829505, 5e-9);
  EXPECT_NEAR(hsic(widths(peers_second), covered(peers_second, peers_y)), .30527980, 5e-9);
}

// √(tr(LHKH) / (n - 1)²) with the matrices written out.
double dense_hsic(const std::vector<double>& w, const std::vector<std::uint8_t>& z, double width_size, double z_size) {
  const auto n = static_cast<Index>(w.size());
  Matrix k(n, n), l(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      const double distance = w[a] == w[b] ? 0 : w[a] - w[b], difference = z[a] == z[b] ? 0 : 1;
      k(i, j) = std::exp(-distance * distance / width_size);
      l(i, j) = std::exp(-difference / z_size);
    }
  const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  return std::sqrt((l * h * k * h).trace()) / static_cast<double>(n - 1);
}

TEST(Hsic, EqualsTheMatricesWhateverTheSpread) {
  Random random(5);
  for (const double spread : {0.1, 1.0, 5.0, 40.0, 1e4})
    for (const double size : {1.0, 0.37}) {
      std::vector<double> w;
      std::vector<std::uint8_t> z;
      for (int i = 0; i < 300; ++i) {
        w.push_back(spread * std::abs(random.normal()));
        z.push_back(random.uniform() < 0.9 ? 1 : 0);
      }
      w[3] = w[4] = w[5] = infinity;
      w[6] = w[7] = 0;
      const double expected = dense_hsic(w, z, size, 0.8);
      EXPECT_NEAR(hsic(w, z, size, 0.8) / expected, 1, 1e-11) << spread << ' ' << size;
    }
}

// Against the direct double sum, with enough rows for cancellation to show.
TEST(Hsic, KeepsItsDigitsForManyRows) {
  Random random(6);
  std::vector<double> w;
  std::vector<std::uint8_t> z;
  for (int i = 0; i < 4000; ++i) {
    w.push_back(3 * random.uniform());
    z.push_back(random.uniform() < 0.9 ? 1 : 0);
  }
  const double mean = mean_of(z);
  long double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += 2 * (z[i] - mean) * (z[j] - mean) * std::exp(-(w[i] - w[j]) * (w[i] - w[j]));
  for (std::size_t i = 0; i < w.size(); ++i) sum += (z[i] - mean) * (z[i] - mean);
  const double expected = std::sqrt(2 * (1 - std::exp(-1.0)) * static_cast<double>(sum)) / static_cast<double>(w.size() - 1);
  EXPECT_NEAR(hsic(w, z) / expected, 1, 1e-11);
}

struct Heteroscedastic {
  MatrixF x;
  std::vector<std::uint8_t> z;
};

// P(z = 1 | x) is `low` where x_0 < 0 and `high` elsewhere.
Heteroscedastic coverage_in_two_halves(Index n, double low, double high) {
  Random random(8);
  Heteroscedastic data{MatrixF(n, 3), {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 3; ++j) data.x(i, j) = static_cast<float>(random.normal());
    data.z.push_back(random.uniform() < (data.x(i, 0) < 0 ? low : high) ? 1 : 0);
  }
  return data;
}

TEST(Ert, FindsWhatItShouldAndNothingElse) {
  const auto uneven = coverage_in_two_halves(4000, .8, 1), even = coverage_in_two_halves(4000, .9, .9);
  EXPECT_NEAR(ert(uneven.x, uneven.z, .9), .1, .02);  // E|P(z|x) - t| = .1
  EXPECT_NEAR(ert(even.x, even.z, .9), 0, .02);
}

TEST(Ert, EdgeCases) {
  const MatrixF x = MatrixF::Zero(100, 2);
  EXPECT_DOUBLE_EQ(ert(x, std::vector<std::uint8_t>(100, 1), .9), 1 - .9);
  EXPECT_DOUBLE_EQ(ert(x, std::vector<std::uint8_t>(100, 0), .9), .9);
  EXPECT_TRUE(std::isnan(ert(x.topRows(10), std::vector<std::uint8_t>(10, 0), .9)));
}

TEST(Ert, IsTheSameForAnyNumberOfThreads) {
  const auto data = coverage_in_two_halves(1000, .8, 1);
  EXPECT_EQ(ert(data.x, data.z, .9, 3, 1), ert(data.x, data.z, .9, 3, 2));
}

}  // namespace
}  // namespace taut
