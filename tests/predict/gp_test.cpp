// Properties of the Gaussian process only.
#include <taut/core/error.hpp>
#include <taut/predict/gp_kernel.hpp>
#include <tests/predict/smooth_sample.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using namespace testing;

TEST(GpKernel, IsTheFormula) {
  const Eigen::MatrixXd x = random_inputs(6, 2, 1).cast<double>();
  Eigen::VectorXd logs(5);
  logs << std::log(0.7), std::log(2.0), std::log(1.3), std::log(0.4), std::log(0.1);
  const Eigen::MatrixXd k = GpKernel(logs).covariance(x, x);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) {
      const double r = std::hypot((x(i, 0) - x(j, 0)) / 0.7, (x(i, 1) - x(j, 1)) / 2);
      const double matern = (1 + std::sqrt(5.0) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5.0) * r);
      EXPECT_NEAR(k(i, j), 1.69 * matern + 0.16 * (1 + x.row(i).dot(x.row(j))), 1e-6);
    }
}

TEST(GpEvidence, ItsDerivativesAgreeWithDifferences) {
  const Eigen::MatrixXd x = random_inputs(40, 3, 1).cast<double>();
  const SmoothSample sample = smooth_sample(40, 1, 0.2);
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(sample.y.data(), 40);
  Random random(2);
  Eigen::VectorXd logs = gp_usual_logs(3);
  for (double& value : logs) value += 0.4 * random.normal();
  const GpEvidence evidence = gp_evidence(x, y, logs);
  for (Index i = 0; i < logs.size(); ++i) {
    constexpr double h = 1e-5;
    Eigen::VectorXd above = logs, below = logs;
    above[i] += h;
    below[i] -= h;
    const double expected = (gp_evidence(x, y, above).value - gp_evidence(x, y, below).value) / (2 * h);
    EXPECT_NEAR(evidence.gradient[i], expected, 1e-4 * (1 + std::abs(expected))) << i;
  }
}

// (K + s²I)α = y - ȳ, so the residuals on the training rows are s²α, in the order of the kept rows.
TEST(Gp, SolvesItsEquations) {
  const SmoothSample train = smooth_sample(150, 3, 0.2);
  const auto gp = fitted("gp", train);
  Archive archive;
  gp->save(archive);
  auto alpha = archive.get<std::vector<double>>("weights");
  const double noise = std::exp(archive.get<std::vector<double>>("logs").back()) * archive.number("unit");
  std::vector<double> residuals = predicted(*gp, train.x);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = train.y[i] - residuals[i];
  ASSERT_EQ(alpha.size(), residuals.size());
  std::sort(alpha.begin(), alpha.end());
  std::sort(residuals.begin(), residuals.end());
  const double factor = noise * noise / archive.number("unit");
  for (std::size_t i = 0; i < alpha.size(); ++i) EXPECT_NEAR(residuals[i], factor * alpha[i], 1e-6);
}

TEST(Gp, IsBetterThanTreesOnASmoothFunctionWithAllRowsAndWithSomeSlow) {
  const SmoothSample train = smooth_sample(1300, 1, 0.1), test = smooth_sample(1000, 2, 0);
  const double trees = mean_square_error("boost", train, test);
  EXPECT_LT(mean_square_error("gp", train, test), 0.3 * trees);
  EXPECT_LT(mean_square_error("gp", train, test, SearchEffort::quick), 0.3 * trees);  // keeps 500 rows
}

TEST(Gp, SameBitsForAnyNumberOfThreads) {
  const SmoothSample train = smooth_sample(1100, 3, 0.1);
  const auto one = predicted(*fitted("gp", train, 1, SearchEffort::quick), train.x, 1);
  for (const int threads : {2, 4})
    EXPECT_EQ(predicted(*fitted("gp", train, threads, SearchEffort::quick), train.x, threads), one) << threads;
}

// Repeated rows, once without noise and once with different targets; constant columns; an outlier.
TEST(Gp, TakesRepeatedRowsConstantColumnsAndOutliers) {
  for (const double noise : {0.0, 1.0}) {
    const SmoothSample once = smooth_sample(60, 4, 0);
    SmoothSample train{MatrixF(1200, 3), {}};
    Random random(5);
    for (Index r = 0; r < 1200; ++r) {
      train.x.row(r) = once.x.row(r % 60);
      train.x(r, 2) = 1;
      train.y.push_back(once.y[static_cast<std::size_t>(r % 60)] + noise * random.normal());
    }
    train.x(7, 0) = 1e30F;
    for (const auto effort : {SearchEffort::quick, SearchEffort::normal}) {
      const auto gp = fitted("gp", train, 1, effort);
      expect_sane_far_outside(*gp, train);
      for (const double f : predicted(*gp, train.x)) EXPECT_TRUE(std::isfinite(f));
    }
  }
}

TEST(Gp, ADamagedFileIsRefused) {
  const SmoothSample train = smooth_sample(50, 5, 0.1);
  const auto gp = fitted("gp", train);
  const auto load = [&](const std::string& name, Archive::Value value) {
    Archive archive;
    gp->save(archive);
    archive.put(name, std::move(value));
    predictors().make("gp")->load(archive, 3);
  };
  EXPECT_NO_THROW(load("unit", 2.0));
  EXPECT_THROW(load("centre", infinity), Error);
  EXPECT_THROW(load("unit", missing), Error);
  EXPECT_THROW(load("logs", std::vector<double>(5)), Error);
  EXPECT_THROW(load("logs", std::vector<double>(9, 1e3)), Error);
  EXPECT_THROW(load("weights", std::vector<double>(49)), Error);
  EXPECT_THROW(load("weights", std::vector<double>(50, missing)), Error);
  EXPECT_THROW(load("rows", MatrixF::Zero(50, 3).eval()), Error);
  EXPECT_THROW(load("rows", MatrixF::Constant(50, 6, std::nanf("")).eval()), Error);
}

TEST(Gp, CanBeStopped) { expect_can_be_stopped("gp"); }

}  // namespace
}  // namespace taut
