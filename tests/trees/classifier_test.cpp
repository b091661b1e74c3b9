#include <taut/trees/classifier.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Sample {
  MatrixF x;
  std::vector<std::uint8_t> z;
  std::vector<double> truth;
};

Sample sample(Index rows, double steepness, std::uint64_t seed) {
  Sample s{random_inputs(rows, 4, seed), {}, {}};
  Random random(seed + 1);
  for (Index i = 0; i < rows; ++i) {
    s.truth.push_back(1 / (1 + std::exp(-2 - steepness * static_cast<double>(s.x(i, 0)))));
    s.z.push_back(random.uniform() < s.truth.back());
  }
  return s;
}

double mean_error(const std::vector<double>& p, const std::vector<double>& truth) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(p[i] - truth[i]);
  return sum / static_cast<double>(p.size());
}

TEST(CrossFittedProbabilities, FollowTheTruth) {
  const auto s = sample(8000, 1.5, 3);
  const std::vector<double> mean(s.z.size(), 0.83);
  const auto p = cross_fitted_probabilities(s.x, s.z, 5, 1, 2);
  EXPECT_LT(mean_error(p, s.truth), 0.03);
  EXPECT_GT(mean_error(mean, s.truth), 0.1);
}

// Where x has no effect the classifier must find none: this keeps the L1-ERT of valid intervals near 0.
TEST(CrossFittedProbabilities, FindNothingInNoise) {
  const auto s = sample(4000, 0, 5);
  EXPECT_LT(mean_error(cross_fitted_probabilities(s.x, s.z, 5, 1, 2), s.truth), 0.02);
}

// A row's own label must not affect its probability.
TEST(CrossFittedProbabilities, AreOutOfSample) {
  const auto s = sample(300, 1, 7);
  const auto before = cross_fitted_probabilities(s.x, s.z, 3, 2, 1);
  double others = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    auto z = s.z;
    z[i] ^= 1;
    const auto after = cross_fitted_probabilities(s.x, z, 3, 2, 1);
    EXPECT_NEAR(before[i], after[i], 1e-5);  // the models share the grid of their gradients
    others += mean_error(before, after);
  }
  EXPECT_GT(others, 1e-2);
}

TEST(CrossFittedProbabilities, SameForAnyNumberOfThreads) {
  const auto s = sample(30'000, 1, 9);
  EXPECT_EQ(cross_fitted_probabilities(s.x, s.z, 4, 1, 1), cross_fitted_probabilities(s.x, s.z, 4, 1, 3));
}

TEST(CrossFittedProbabilities, OneClassOnly) {
  const auto x = random_inputs(40, 2, 1);
  for (const double p : cross_fitted_probabilities(x, std::vector<std::uint8_t>(40, 1), 5, 1, 1)) EXPECT_GT(p, 0.9);
  for (const double p : cross_fitted_probabilities(x.topRows(3), std::vector<std::uint8_t>(3, 0), 5, 1, 1)) EXPECT_LT(p, 0.5);
}

}  // namespace
}  // namespace taut
