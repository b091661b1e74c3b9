#include <taut/calibrate/target_range.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(TargetRange, CutsAndPullsInward) {
  const TargetRange counts{0, infinity, 1};
  const Interval cut = counts.cut({-3.5, 4.7}, 0.6);
  EXPECT_EQ(cut.lower, 0);
  EXPECT_EQ(cut.upper, 4);
  const Interval whole = counts.cut({-infinity, infinity}, 2);
  EXPECT_EQ(whole.lower, 0);
  EXPECT_EQ(whole.upper, infinity);
}

TEST(TargetRange, KeepsTheNearestPossibleValueWhenNoneIsInside) {
  const TargetRange counts{0, infinity, 1};
  EXPECT_EQ(counts.cut({2.2, 2.8}, 2.6).lower, 3);
  EXPECT_EQ(counts.cut({2.2, 2.8}, 2.6).upper, 3);
  EXPECT_EQ(counts.cut({-5, -4}, -4.5).upper, 0);
}

TEST(TargetRange, DecimalStepsAreTheDecimalsTheyStandFor) {
  const TargetRange tenths{-infinity, infinity, 0.1};
  const Interval cut = tenths.cut({0.3, 0.7}, 0.5);  // 0.3 / 0.1 and 0.7 / 0.1 are not whole in doubles
  EXPECT_EQ(cut.lower, 0.3);
  EXPECT_EQ(cut.upper, 0.7);
}

TEST(TargetRange, AnEmptySetStaysEmpty) { EXPECT_TRUE((TargetRange{0, 1, 0}.cut({infinity, -infinity}, 0.5).empty())); }

// No possible value is ever lost: that is why cutting costs no coverage.
TEST(TargetRange, LosesNoPossibleValue) {
  Random random(2);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const TargetRange range{-2, 40, repeat % 2 == 0 ? 0.25 : 0.01};
    const double y = std::round(random.uniform(-2, 40) / range.step) * range.step;
    const double f = random.uniform(-10, 50), reach = 5 * random.uniform();
    const Interval before{f - reach, f + reach};
    if (!before.contains(y)) continue;
    EXPECT_LE(range.cut(before, f).lower, y + 1e-9);
    EXPECT_GE(range.cut(before, f).upper, y - 1e-9);
  }
}

TEST(TargetRange, RefusesNonsense) {
  EXPECT_THROW((TargetRange{1, 0, 0}.check()), UsageError);
  EXPECT_THROW((TargetRange{0, 1, -1}.check()), UsageError);
  EXPECT_THROW((TargetRange{0.2, 0.8, 1}.check()), UsageError);
  EXPECT_NO_THROW((TargetRange{0, infinity, 1}.check()));
}

}  // namespace
}  // namespace taut
