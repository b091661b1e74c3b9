#include <taut/calibrate/row_score.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(Residuals, SignedResidualsAgreeWithOtherPackages) {
  const std::vector<double> y = {5, 7, 9, 11, 13, 15}, f = {4, 7, 10, 12, 13, 12}, expected = {1, 0, -1, -1, 0, 3};
  const Residuals r = residuals(f, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(r.side[i] == Side::below ? -r.size[i] : r.size[i], expected[i]);
    EXPECT_EQ(r.side[i] == Side::below, expected[i] < 0);
  }
  EXPECT_EQ(residuals(f, y, 2).size[5], 1.5);
}

TEST(Residuals, PickTakesRowsInOrder) {
  const Residuals all{{1, 2, 3}, {Side::below, Side::above, Side::below}};
  const Residuals some = pick(all, Rows{2, 1});
  EXPECT_EQ(some.size, (std::vector<double>{3, 2}));
  EXPECT_EQ(some.side[1], Side::above);
}

}  // namespace
}  // namespace taut
