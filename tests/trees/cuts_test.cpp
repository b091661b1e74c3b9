#include <taut/trees/binned_inputs.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

TEST(Thresholds, LieBetweenTheValuesWhenThoseAreFew) {
  MatrixF x(6, 3);
  const float none = std::numeric_limits<float>::quiet_NaN();
  x << 3, 1, none, 1, 1, none, 3, 1, none, 2, 1, none, 4, 1, none, 8, 1, none;
  const auto cuts = thresholds(x, 8, 1);
  EXPECT_EQ(cuts[0], (std::vector<float>{1.5F, 2.5F, 3.5F, 6}));
  EXPECT_TRUE(cuts[1].empty());
  EXPECT_TRUE(cuts[2].empty());
}

TEST(Thresholds, SetMissingCellsApart) {
  MatrixF x(4, 1);
  x << 3, 1, std::numeric_limits<float>::quiet_NaN(), 2;
  EXPECT_EQ(thresholds(x, 8, 1)[0], (std::vector<float>{1, 1.5F, 2.5F}));
}

TEST(Thresholds, ShareTheRowsWhenTheValuesAreMany) {
  MatrixF x = random_inputs(10'000, 2, 1);
  x.col(0).head(5000).setZero();  // one value takes half of the rows, the other bins share the rest
  constexpr Index maximum = 30;
  const auto cuts = thresholds(x, maximum, 2)[0];
  ASSERT_EQ(std::ssize(cuts), maximum);
  for (std::size_t b = 1; b < cuts.size(); ++b) {
    const auto inside = [&](float v) { return v != 0 && v >= cuts[b - 1] && v < cuts[b]; };
    EXPECT_LT(cuts[b - 1], cuts[b]);
    EXPECT_LT(std::count_if(x.col(0).begin(), x.col(0).end(), inside), 3 * 5000 / maximum);
  }
}

TEST(Thresholds, AreFiniteForEveryFiniteOrInfiniteCell) {
  constexpr float maximum = std::numeric_limits<float>::max(), infinite = std::numeric_limits<float>::infinity();
  MatrixF x(5, 1);
  x << -infinite, -maximum, 0, maximum, infinite;
  const auto cuts = thresholds(x, 8, 1)[0];
  for (const float cut : cuts) EXPECT_TRUE(std::isfinite(cut));
  EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
  EXPECT_GE(cuts.size(), 3U);
}

// A bin gives the same result as the comparison of floats in a finished tree, for one byte a cell and for two.
TEST(BinnedInputs, CountTheThresholdsReached) {
  for (const Index maximum : {1, 2, 7, 64, 254, 255, 1000}) {
    const MatrixF x = random_inputs(3000, 3, 5, 0.1);
    const auto cuts = thresholds(x, maximum, 2);
    const BinnedInputs bins(x, cuts, 2);
    bins.visit([&](const auto* cells) {
      for (Index row = 0; row < x.rows(); ++row)
        for (Index column = 0; column < 3; ++column) {
          const auto& here = cuts[static_cast<std::size_t>(column)];
          const auto is_reached = [&](float cut) { return x(row, column) >= cut; };
          const Index expected =
              std::isnan(x(row, column)) ? bins.missing_bin(column) : std::count_if(here.begin(), here.end(), is_reached);
          ASSERT_EQ(Index{cells[row * 3 + column]}, expected) << maximum;
        }
    });
  }
}

}  // namespace
}  // namespace taut
