#include <taut/score/score.hpp>

#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

// The paper's three scores must give the same intervals: same order, and the same residual back.
TEST(Score, AllScoresGiveTheSameIntervals) {
  Random random(5);
  std::vector<double> r(200);
  for (double& value : r) value = std::abs(random.normal());
  r[3] = 0;
  std::vector<double> sorted = r;
  std::sort(sorted.begin(), sorted.end());
  for (const auto& entry : scores().entries()) {
    const auto score = scores().make(entry.name);
    std::vector<double> a;
    for (const double value : r) a.push_back(score->of_residual(value));
    std::sort(a.begin(), a.end());
    for (std::size_t k = 0; k < r.size(); ++k)
      EXPECT_NEAR(score->residual_of(a[k]), sorted[k], 1e-15 * 4 * sorted[k]) << entry.name;
  }
}

TEST(Score, SignedResidualsOfThePeers) {
  const std::vector<double> y = {5, 7, 9, 11, 13, 15}, f = {4, 7, 10, 12, 13, 12}, expected = {1, 0, -1, -1, 0, 3};
  const Residuals r = residuals(f, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(r.side[i] == Side::below ? -r.size[i] : r.size[i], expected[i]);
    EXPECT_EQ(r.side[i] == Side::below, expected[i] < 0);
  }
  EXPECT_EQ(residuals(f, y, 2).size[5], 1.5);
}

TEST(Score, PickTakesRowsInOrder) {
  const Residuals all{{1, 2, 3}, {Side::below, Side::above, Side::below}};
  const Residuals some = pick(all, Rows{2, 1});
  EXPECT_EQ(some.size, (std::vector<double>{3, 2}));
  EXPECT_EQ(some.side[1], Side::above);
}

}  // namespace
}  // namespace taut
