// Which candidate is kept, and when a richer class is.

#include <taut/core/types.hpp>
#include <taut/train/validation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace taut {
namespace {

std::size_t chosen(const std::vector<double>& losses) { return choose(losses); }

TEST(Choice, TheLowestLossWins) {
  EXPECT_EQ(chosen({3, 2, 1, 1.5}), 2U);
  EXPECT_EQ(chosen({1, 2, 3}), 0U) << "nothing beats one width";
  EXPECT_EQ(chosen({1}), 0U);
}

TEST(Choice, TiesKeepTheEarlierAndNaNNeverWins) {
  EXPECT_EQ(chosen({1, 1}), 0U);
  EXPECT_EQ(chosen({1, std::nan(""), 0.5}), 2U);
  EXPECT_EQ(chosen({1, infinity}), 0U);
}

TEST(Choice, NothingThatIsNotFiniteWins) {
  EXPECT_EQ(chosen({1, -infinity}), 0U) << "an overflow must not win";
  EXPECT_EQ(chosen({1, -infinity, 0.5}), 2U);
  EXPECT_EQ(chosen({std::nan(""), 3}), 1U) << "a finite loss beats NaN";
  EXPECT_EQ(chosen({infinity, 3, -infinity}), 1U);
  EXPECT_EQ(chosen({-infinity, 3}), 1U);
  EXPECT_EQ(chosen({std::nan(""), infinity}), 0U) << "one width needs no loss";
  const std::vector<double> simple = {5, 9}, rich = {4, 6}, broken = {-infinity, 6};
  EXPECT_FALSE(is_clearly_better({-infinity, rich}, {7, simple}));
  EXPECT_FALSE(is_clearly_better({1, broken}, {7, simple})) << "its standard error is not known";
}

// Differences of 1 and 3 in two groups: their mean has a standard error of 1.
TEST(Choice, ARicherClassMustBeBetterByMoreThanTheStandardError) {
  const std::vector<double> simple = {5, 9}, rich = {4, 6};
  EXPECT_DOUBLE_EQ(standard_error({0, rich}, {0, simple}), 1);
  EXPECT_FALSE(is_clearly_better({6, rich}, {7, simple}));
  EXPECT_TRUE(is_clearly_better({5.5, rich}, {7, simple}));
}

TEST(Choice, TooFewGroupsAreNoEvidence) {
  const std::vector<double> one = {5};
  EXPECT_EQ(standard_error({0, one}, {1, one}), infinity);
  EXPECT_FALSE(is_clearly_better({-1000, one}, {1, one}));
}

}  // namespace
}  // namespace taut
