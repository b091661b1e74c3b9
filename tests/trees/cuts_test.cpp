#include <taut/trees/cuts.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

TEST(CutPoints, LieBetweenTheValuesWhenThoseAreFew) {
  MatrixF x(6, 2);
  x << 3, 1, 1, 1, 3, 1, 2, 1, std::numeric_limits<float>::quiet_NaN(), 1, 8, 1;
  const MatrixF cuts = cut_points(x, 8, 1);
  const float expected[] = {1, 1.5F, 2.5F, 5.5F, 8};
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(cuts(i, 0), expected[i]);
  EXPECT_TRUE(std::isnan(cuts(5, 0)));
  EXPECT_EQ(cuts(0, 1), 1);
  EXPECT_TRUE(std::isnan(cuts(1, 1)));
}

TEST(CutPoints, ShareTheRowsWhenTheValuesAreMany) {
  MatrixF x = random_inputs(10'000, 2, 1);
  x.col(0).head(5000).setZero();  // one value takes half of the rows, the other bins share the rest
  constexpr Index bins = 32;
  const MatrixF cuts = cut_points(x, bins, 2);
  Index most = 0, used = 0;
  for (Index b = 1; b < bins; ++b) {
    const auto inside = [&](float v) { return v >= cuts(b - 1, 0) && v < cuts(b, 0); };
    const auto count = std::count_if(x.col(0).begin(), x.col(0).end(), [&](float v) { return v != 0 && inside(v); });
    EXPECT_LT(cuts(b - 1, 0), cuts(b, 0));
    most = std::max<Index>(most, count);
    used += count;
  }
  EXPECT_LT(most, 3 * 5000 / bins);
  EXPECT_GE(used, 4999);
}

TEST(CutPoints, ReachTheExtremesOfManyRows) {
  MatrixF x = random_inputs(200'001, 2, 3);
  x(77'777, 0) = 1e6F;
  x(77'779, 0) = -1e6F;
  const MatrixF cuts = cut_points(x, 16, 1);
  EXPECT_EQ(cuts(0, 0), -1e6F);
  EXPECT_EQ(cuts(15, 0), 1e6F);
}

}  // namespace
}  // namespace taut
