#include <experiments/paired.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(Paired, StudentsDistribution) {
  EXPECT_NEAR(student_two_sided(2.093024, 19), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided(-4.032143, 5), 0.01, 1e-6);
  EXPECT_NEAR(student_two_sided(1, 1), 0.5, 1e-12);  // Cauchy
  EXPECT_EQ(student_two_sided(INFINITY, 3), 0);
}

const std::vector<double> zeros(100, 0.0);

PairedDifference of(const std::vector<double>& halves, const std::vector<double>& quarters) {
  return paired_difference({halves, quarters}, {{zeros.begin(), zeros.begin() + std::ssize(halves)},
                                                {zeros.begin(), zeros.begin() + std::ssize(quarters)}});
}

// Three halvings. The quarters 1, 3 and 5, 3; 0, 0 and 2, 2; 4, 4 and 1, 1 give the halves 2 and 4, 0 and 2, 4 and 1.
TEST(Paired, HalvesThatShareNoRowMeasureTheError) {
  const std::vector<double> quarters = {1, 3, 5, 3, 0, 0, 2, 2, 4, 4, 1, 1};
  const auto difference = of({3, 3, 4, 4, 3, 4}, quarters);
  EXPECT_DOUBLE_EQ(difference.mean, 3.5);
  EXPECT_DOUBLE_EQ(difference.error, std::sqrt((1 + 1 + 2.25) / 3));
  std::vector<double> less = {-3, -3, -4, -4, -3, -4}, less_of_quarters;
  for (const double one : quarters) less_of_quarters.push_back(-one);
  const auto reversed = of(less, less_of_quarters);
  EXPECT_EQ(reversed.mean, -difference.mean);
  EXPECT_EQ(reversed.p_value, difference.p_value);
}

// Where halves differ by more than quarters do, the error is computed from the halves.
TEST(Paired, TheErrorIsNeverBelowWhatHalvesSay) {
  const auto difference = of({3, 1, 2, 6, 4, 5}, {1, 1, 1, 1, 1, 1, 1.1, 1.1, 1, 1, 1.3, 1.3});
  EXPECT_DOUBLE_EQ(difference.mean, 3.5);
  EXPECT_DOUBLE_EQ(difference.error, 1.25 * std::sqrt((1 + 4 + 0.25) / 3));
}

// A single row adds 8 to every split that contains it, fitted or tested: halves agree to the digit, and quarters without it are
// 0.
TEST(Paired, ARowThatDecidesEverythingIsNoEvidence) {
  std::vector<double> halves, quarters;
  for (int m = 0; m < 10; ++m) {
    halves.insert(halves.end(), {8.0 + 0.01 * m, 8.0});
    quarters.insert(quarters.end(), {16.0, 16.1 + 0.02 * m, 0, 0});
  }
  EXPECT_GT(of(halves, quarters).p_value, 0.3);
}

// Few values may agree by accident: two numbers that are nearly equal are no evidence.
TEST(Paired, OneOrTwoHalvingsAreNeverSignificant) {
  EXPECT_DOUBLE_EQ(of({3, 3.001}, {3, 3, 3, 3.1}).p_value, 1.0 / 2);
  EXPECT_DOUBLE_EQ(of({3, 3.001, 3, 3.002}, {3, 3, 3, 3.1, 3, 3, 3, 3.2}).p_value, 1.0 / 3);
  EXPECT_LT(of({3, 3.001, 3, 3.002, 3, 3.003}, {3, 3, 3, 3.1, 3, 3, 3, 3.2, 3, 3, 3, 3.3}).p_value, 0.001);
}

// Where differences repeat, a small standard error is no evidence; the rank of the mean among the halvings is.
TEST(Paired, TiesAreJudgedByTheirRank) {
  EXPECT_DOUBLE_EQ(of({1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}).p_value, 1.0 / 3);
  EXPECT_EQ(of({0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}).p_value, 1);
  const auto steps = of({0.9, 0.9, 0.9, 0.9, 0.9, 0.6}, {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.6});
  EXPECT_DOUBLE_EQ(steps.p_value, 1.0 / 4);
  EXPECT_LT(student_two_sided(steps.mean / steps.error, 3), 0.01);  // the p-value of Student's distribution
}

TEST(Paired, InfiniteValuesHaveNoPValue) {
  EXPECT_TRUE(std::isnan(of({INFINITY, 1}, {1, 1, 1, 1}).p_value));
  const auto half = of({2, 1}, {INFINITY, 1, 1, 1});
  EXPECT_EQ(half.mean, 1.5);
  EXPECT_TRUE(std::isnan(half.error));
  EXPECT_TRUE(std::isnan(half.p_value));
  EXPECT_TRUE(std::isnan(of({2, 1}, {}).p_value));
}

// Blocks of one time series: the difference is described, not tested.
TEST(Paired, BlocksInTimeHaveNoPValue) {
  const auto difference = described_difference({3, 5}, {1, 1});
  EXPECT_DOUBLE_EQ(difference.mean, 3);
  EXPECT_DOUBLE_EQ(difference.error, 1);
  EXPECT_TRUE(std::isnan(difference.p_value));
}

}  // namespace
}  // namespace taut
