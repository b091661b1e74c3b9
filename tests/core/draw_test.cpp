#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace taut {
namespace {

TEST(Draw, GivesDifferentNumbersInOrder) {
  for (const Index count : {0, 1, 5, 1000})
    for (const Index maximum : {0, 1, 4, 5, 999, 2000}) {
      const Rows drawn = draw(count, maximum, Random(1));
      EXPECT_EQ(std::ssize(drawn), std::min(count, maximum));
      EXPECT_EQ(std::set<Index>(drawn.begin(), drawn.end()).size(), drawn.size());
      EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
      if (!drawn.empty()) {
        EXPECT_GE(drawn.front(), 0);
        EXPECT_LT(drawn.back(), count);
      }
    }
}

// Two of five: ten choices.
TEST(Draw, EveryChoiceIsAsLikely) {
  constexpr int times = 100'000;
  std::map<Rows, int> seen;
  for (int i = 0; i < times; ++i) ++seen[draw(5, 2, Random(static_cast<std::uint64_t>(i)))];
  ASSERT_EQ(seen.size(), 10U);
  for (const auto& [choice, count] : seen) EXPECT_NEAR(count, times / 10, 5 * std::sqrt(times * 0.09));
}

}  // namespace
}  // namespace taut
