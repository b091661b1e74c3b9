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

TEST(Paired, ErrorCountsSharedRows) {
  const auto difference = paired_difference({1, 2, 3, 4}, {0, 2, 1, 3}, 0.25);
  EXPECT_DOUBLE_EQ(difference.mean, 1);
  const double variance = 2.0 / 3;  // of 1, 0, 2, 1
  EXPECT_NEAR(difference.error, std::sqrt(variance * (0.25 + 0.25)), 1e-12);
  EXPECT_NEAR(difference.p, student_two_sided(difference.mean / difference.error, 3), 1e-15);
}

TEST(Paired, OneSplitCannotTell) {
  EXPECT_TRUE(std::isnan(paired_difference({2}, {1}, 0.25).p));
  EXPECT_EQ(paired_difference({2, 2}, {2, 2}, 0.25).p, 1);
  EXPECT_EQ(paired_difference({2, 2}, {1, 1}, 0.25).p, 0);
}

}  // namespace
}  // namespace taut
