#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <tests/support/goodness_of_fit.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(Beta, LogBetaMatchesFactorials) {
  EXPECT_NEAR(log_beta(1, 1), 0, 1e-14);
  EXPECT_NEAR(log_beta(0.5, 0.5), std::log(M_PI), 1e-14);
  EXPECT_NEAR(log_beta(5, 7), std::log(1.0 / 2310), 1e-13);  // 4! 6! / 11!
  EXPECT_NEAR(log_beta(2, 1e9), -std::log(1e9) - std::log(1e9 + 1), 1e-8);
  for (const double a : {0.3, 3.7, 25.0, 4e4})
    for (const double b : {0.9, 9.99, 300.0}) {
      EXPECT_NEAR(log_beta(a, b), std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b), 1e-9);
      EXPECT_NEAR(log_beta(a, b), log_beta(b, a), 1e-10);
    }
}

TEST(Beta, DistributionFunctionHasItsKnownValues) {
  EXPECT_NEAR(beta_cdf(0.3, 1, 1), 0.3, 1e-15);
  EXPECT_NEAR(beta_cdf(0.3, 1, 5), 1 - std::pow(0.7, 5), 1e-15);
  EXPECT_NEAR(beta_cdf(0.3, 4, 1), std::pow(0.3, 4), 1e-15);
  EXPECT_NEAR(beta_cdf(0.25, 0.5, 0.5), 2 / M_PI * std::asin(0.5), 1e-14);
  EXPECT_NEAR(beta_cdf(0.5, 1e5, 1e5), 0.5, 1e-10);
  EXPECT_EQ(beta_cdf(-0.1, 2, 3), 0);
  EXPECT_EQ(beta_cdf(1.1, 2, 3), 1);
}

// For integers a, b the distribution function is a binomial tail, here summed term by term.
TEST(Beta, DistributionFunctionIsABinomialTail) {
  const int n = 40;
  for (const double p : {0.05, 0.31, 0.5, 0.97}) {
    double sum = 0;
    for (int x = 0; x <= n; ++x) {
      const double choose = std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1);
      sum += std::exp(choose + x * std::log(p) + (n - x) * std::log1p(-p));
      EXPECT_NEAR(binomial_cdf(x, n, p), sum, 1e-12) << x << ' ' << p;
    }
  }
}

TEST(Beta, QuantileInverts) {
  for (const double a : {0.5, 1.0, 9.0, 91.0, 4e5})
    for (const double b : {0.7, 1.0, 10.0, 5e4})
      for (const double p : {1e-6, 0.005, 0.5, 0.9, 0.9999}) {
        const double x = beta_quantile(p, a, b);
        if (x < 1e-12 || x > 1 - 1e-12) continue;  // doubles cannot tell neighbours apart there
        EXPECT_NEAR(beta_cdf(x, a, b), p, 1e-9) << a << ' ' << b << ' ' << p;
      }
  EXPECT_EQ(beta_quantile(0, 2, 3), 0);
  EXPECT_EQ(beta_quantile(1, 2, 3), 1);
}

TEST(Beta, BetaBinomialMatchesItsDefinition) {
  const Index n = 60;
  for (const double a : {1.0, 9.0, 91.0})
    for (const double b : {1.0, 10.0}) {
      double sum = 0;
      for (Index x = 0; x <= n; ++x) {
        const auto j = static_cast<double>(x), m = static_cast<double>(n);
        sum += std::exp(-std::log(m + 1) - log_beta(j + 1, m - j + 1) + log_beta(j + a, m - j + b) - log_beta(a, b));
        EXPECT_NEAR(beta_binomial_cdf(x, n, a, b), sum, 1e-12);
        if (sum < 1e-12) continue;  // negligible tails
        EXPECT_EQ(beta_binomial_quantile(beta_binomial_cdf(x, n, a, b), n, a, b), x);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
}

// With many test rows the coverage follows the Beta distribution itself.
TEST(Beta, BetaBinomialOfManyRowsIsBeta) {
  const Index n = 10'000'000;
  const double share = static_cast<double>(beta_binomial_quantile(0.005, n, 91, 10)) / static_cast<double>(n);
  EXPECT_NEAR(share, beta_quantile(0.005, 91, 10), 1e-5);
}

TEST(Beta, ClopperPearson) {
  const Band none = binomial_band(0, 10, 0.95), all = binomial_band(10, 10, 0.95), some = binomial_band(7, 10, 0.95);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-12);
  EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(some.low, 0.3475471, 1e-6);
  EXPECT_NEAR(some.high, 0.9332605, 1e-6);
}

TEST(GoodnessOfFit, AgreesWithTheTablesOfKolmogorov) {
  EXPECT_NEAR(testing::kolmogorov_p_value(0.40925, 10), 0.05, 2e-3);
  EXPECT_NEAR(testing::kolmogorov_p_value(0.13403, 100), 0.05, 1e-4);
  EXPECT_NEAR(testing::kolmogorov_p_value(0.16081, 100), 0.01, 1e-4);
}

// The test has the right size: p-values of uniform samples are uniform. Samples of Beta(91, 10) pass, those of the neighbouring
// Beta(90, 11) do not.
TEST(GoodnessOfFit, AcceptsTheDistributionAndRefusesItsNeighbour) {
  Random random(7);
  std::vector<double> p_values, right, wrong;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<double> values;
    for (int i = 0; i < 30; ++i) values.push_back(random.uniform());
    p_values.push_back(testing::uniform_fit_p_value(values));
    const double coverage = beta_quantile(random.uniform(), 91, 10);
    right.push_back(beta_cdf(coverage, 91, 10));
    wrong.push_back(beta_cdf(coverage, 90, 11));
  }
  EXPECT_GT(testing::uniform_fit_p_value(p_values), 1e-3);
  EXPECT_GT(testing::uniform_fit_p_value(right), 1e-3);
  EXPECT_LT(testing::uniform_fit_p_value(wrong), 1e-6);
}

}  // namespace
}  // namespace taut
