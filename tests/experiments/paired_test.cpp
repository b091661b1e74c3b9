#include <experiments/paired.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(Paired, StudentsLaw) {
  EXPECT_NEAR(student_two_sided(2.093024, 19), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided(-4.032143, 5), 0.01, 1e-6);
  EXPECT_NEAR(student_two_sided(1, 1), 0.5, 1e-12);  // Cauchy
  EXPECT_EQ(student_two_sided(INFINITY, 3), 0);
}

// Differences 3, 1; 2, 6; 4, 5 of three halvings: the mean is 3.5, half of what the two sides differ by is 1, 2, 0.5.
TEST(Paired, HalvesOfAHalvingMeasureTheError) {
  const auto difference = paired_difference({3, 2, 2, 7, 4, 6}, {0, 1, 0, 1, 0, 1});
  EXPECT_DOUBLE_EQ(difference.mean, 3.5);
  EXPECT_DOUBLE_EQ(difference.error, 1.25 * std::sqrt((1 + 4 + 0.25) / 3));
  EXPECT_DOUBLE_EQ(difference.p_value, student_two_sided(difference.mean / difference.error, 3));
  const auto reversed = paired_difference({0, 1, 0, 1, 0, 1}, {3, 2, 2, 7, 4, 6});
  EXPECT_EQ(reversed.mean, -difference.mean);
  EXPECT_EQ(reversed.p_value, difference.p_value);
}

// They may agree by accident: two numbers that are nearly the same are no evidence.
TEST(Paired, OneOrTwoHalvingsAreNeverSignificant) {
  EXPECT_DOUBLE_EQ(paired_difference({3, 3.001}, {0, 0}).p_value, 1.0 / 2);
  EXPECT_DOUBLE_EQ(paired_difference({3, 3.001, 3, 3.002}, {0, 0, 0, 0}).p_value, 1.0 / 3);
  EXPECT_LT(paired_difference({3, 3.001, 3, 3.002, 3, 3.003}, {0, 0, 0, 0, 0, 0}).p_value, 0.001);
}

// Where differences repeat, a small error is no evidence; the rank of the mean among the halvings is.
TEST(Paired, TiesAreJudgedByTheirRank) {
  EXPECT_DOUBLE_EQ(paired_difference({2, 2, 2, 2}, {1, 1, 1, 1}).p_value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(paired_difference({2, 2}, {1, 1}).p_value, 1.0 / 2);
  EXPECT_EQ(paired_difference({2, 2, 3, 3}, {2, 2, 3, 3}).p_value, 1);
  const auto steps = paired_difference({0.9, 0.9, 0.9, 0.9, 0.9, 0.6}, {0, 0, 0, 0, 0, 0});  // 0.3 * 3 is not 0.9
  EXPECT_DOUBLE_EQ(steps.p_value, 1.0 / 4);
  EXPECT_LT(student_two_sided(steps.mean / steps.error, 3), 0.01);  // what Student's law would have said
}

TEST(Paired, InfiniteValuesHaveNoPValue) {
  EXPECT_TRUE(std::isnan(paired_difference({INFINITY, 1}, {1, 1}).p_value));
  EXPECT_TRUE(std::isnan(paired_difference({INFINITY, 1}, {INFINITY, 1}).p_value));
}

}  // namespace
}  // namespace taut
