#include <taut/train/interval_quality.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace taut {
namespace {

// ⌈confidence · n⌉-th smallest, for every confidence of two digits: products such as 0.55 · 100 are whole numbers in decimals,
// but not in doubles.
TEST(SampleQuantile, IsTheExactOrderStatistic) {
  for (const int n : {1, 7, 20, 50, 100, 200, 400}) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.rbegin(), values.rend(), 1.0);
    for (int percent = 1; percent < 100; ++percent)
      EXPECT_EQ(sample_quantile(values, percent / 100.0), (percent * n + 99) / 100) << n << " " << percent;
  }
}

}  // namespace
}  // namespace taut
