#include <taut/metric/chance.hpp>

#include <taut/core/beta.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

// Every intermediate result is a binomial coefficient, so the result is exact below 2^53.
double choose(Index n, Index k) {
  double result = 1;
  for (Index i = 1; i <= k; ++i) result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
  return k < 0 || k > n ? 0 : result;
}

TEST(Hypergeometric, TailIsTheSumOfItsTerms) {
  for (const Index all : {1, 7, 20, 33})
    for (Index marked = 0; marked <= all; marked += 3)
      for (Index drawn = 0; drawn <= all; drawn += 2)
        for (Index minimum = 0; minimum <= drawn + 1; ++minimum) {
          double sum = 0;
          for (Index x = minimum; x <= drawn; ++x)
            sum += choose(marked, x) * choose(all - marked, drawn - x) / choose(all, drawn);
          EXPECT_NEAR(hypergeometric_tail(minimum, all, marked, drawn), sum, 1e-12)
              << minimum << " " << all << " " << marked << " " << drawn;
        }
}

// The number of m new rows at or below the k-th of n calibration rows is Beta-binomial: the same distribution, computed in
// another way.
TEST(Hypergeometric, RanksAmongTwoGroupsAreBetaBinomial) {
  for (const Index n : {1, 19, 400})
    for (const Index m : {1, 30, 5000})
      for (const Index k : {Index{1}, (n + 1) / 2, n})
        for (const Index x : {Index{0}, m / 3, m / 2, m - 1, m}) {
          const auto a = static_cast<double>(k), b = static_cast<double>(n + 1 - k);
          EXPECT_NEAR(hypergeometric_tail(k, n + m, n, k + x), beta_binomial_cdf(x, m, a, b), 1e-10) << n << " " << m << " " << k;
          EXPECT_NEAR(hypergeometric_tail(x, n + m, m, k - 1 + x), 1 - beta_binomial_cdf(x - 1, m, a, b), 1e-10)
              << n << " " << m << " " << k << " " << x;
        }
}

TEST(Hypergeometric, SmallTailsKeepTheirDigitsAndLargeNumbersTheirMeaning) {
  // All 20 sampled items are marked: 1 of C(40, 20) ways.
  EXPECT_NEAR(hypergeometric_tail(20, 40, 20, 20) * choose(40, 20), 1, 1e-11);
  const Index million = 1000000;
  EXPECT_NEAR(hypergeometric_tail(million / 2, 2 * million, million, million), 0.5, 1e-3);
  EXPECT_GT(hypergeometric_tail(million / 2 - 5000, 2 * million, million, million), 1 - 1e-10);
  EXPECT_LT(hypergeometric_tail(million / 2 + 5000, 2 * million, million, million), 1e-40);
  EXPECT_GT(hypergeometric_tail(million / 2 + 5000, 2 * million, million, million), 0);
  EXPECT_GE(hypergeometric_tail(million / 2, 2 * million, million, million, 0.01), 0.01);
}

}  // namespace
}  // namespace taut
