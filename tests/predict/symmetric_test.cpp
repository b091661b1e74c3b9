// Properties of boosted symmetric trees only; predictor_test.cpp has those of every predictor.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Sample {
  MatrixF x;
  std::vector<double> y;
};

// y = sin(2 a) cos(2 b) + 1{b missing} + noise
Sample waves(Index rows, std::uint64_t seed, double noise) {
  Random random(seed);
  Sample s{MatrixF(rows, 3), {}};
  for (Index i = 0; i < rows; ++i) {
    const double a = random.uniform(-2, 2), b = random.uniform(-2, 2);
    const bool absent = random.uniform() < 0.2;
    s.x.row(i) << static_cast<float>(a), absent ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(b),
        static_cast<float>(random.normal());
    s.y.push_back(std::sin(2 * a) * (absent ? 0 : std::cos(2 * b)) + (absent ? 1 : 0) + noise * random.normal());
  }
  return s;
}

std::vector<double> fitted_values(const char* name, const Sample& train, const MatrixF& x, const PredictorSettings& settings = {},
                                  int threads = 1) {
  auto predictor = predictors().make(name);
  predictor->fit(train.x, all_rows(train.x.rows()), train.y, settings, taut::ExecutionContext{.threads = threads});
  std::vector<double> out(static_cast<std::size_t>(x.rows()));
  predictor->predict(x, out, threads);
  return out;
}

double mean_error(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]) / static_cast<double>(a.size());
  return sum;
}

TEST(SymmetricPredictor, IsBetterThanOtherTreesOnWaves) {
  const Sample train = waves(1500, 1, 0.1), test = waves(1000, 2, 0);
  const double symmetric = mean_error(fitted_values("symmetric", train, test.x), test.y);
  EXPECT_LT(symmetric, 0.09);
  EXPECT_LT(symmetric, mean_error(fitted_values("boost", train, test.x), test.y));
}

TEST(SymmetricPredictor, EveryEffortLearnsSlow) {
  const Sample train = waves(1500, 1, 0.1), test = waves(1000, 2, 0);
  for (const auto effort : {SearchEffort::quick, SearchEffort::normal, SearchEffort::thorough}) {
    PredictorSettings settings;
    settings.effort = effort;
    EXPECT_LT(mean_error(fitted_values("symmetric", train, test.x, settings), test.y), 0.12) << static_cast<int>(effort);
  }
}

TEST(SymmetricPredictor, StopsInTimeWhereThereIsNothingToLearn) {
  Sample noise = waves(500, 3, 0);
  Random random(4);
  for (double& y : noise.y) y = random.normal();
  const std::vector<double> zeros(noise.y.size(), 0.0);
  EXPECT_LT(mean_error(fitted_values("symmetric", noise, noise.x), zeros), 0.3);
}

TEST(SymmetricPredictor, FitsFewRowsAndConstantsAndHugeCells) {
  for (const Index rows : {1, 2, 7, 39, 41}) {
    Sample few = waves(rows, 6, 0.1);
    few.x(0, 0) = std::numeric_limits<float>::max();
    few.x.col(2).setConstant(std::numeric_limits<float>::quiet_NaN());
    for (const double value : fitted_values("symmetric", few, few.x)) EXPECT_TRUE(std::isfinite(value));
  }
  Sample constant = waves(200, 7, 0);
  constant.y.assign(constant.y.size(), 3.5);
  for (const double value : fitted_values("symmetric", constant, constant.x)) EXPECT_EQ(value, 3.5);
}

TEST(SymmetricPredictor, SameBitsForAnyNumberOfThreads) {
  const Sample train = waves(30'000, 5, 0.5);
  PredictorSettings settings;
  settings.effort = SearchEffort::quick;
  EXPECT_EQ(fitted_values("symmetric", train, train.x, settings, 1), fitted_values("symmetric", train, train.x, settings, 3));
}

TEST(SymmetricPredictor, CanBeStopped) {
  const Sample train = waves(400, 8, 0.1);
  taut::ExecutionContext context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(predictors().make("symmetric")->fit(train.x, all_rows(train.x.rows()), train.y, {}, context), Interrupted);
}

}  // namespace
}  // namespace taut
