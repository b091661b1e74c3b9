// A smooth function of three columns, and checks that networks and Gaussian processes share.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace taut::testing {

struct SmoothSample {
  MatrixF x;
  std::vector<double> y;
};

inline MatrixF random_inputs(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

// y = sin(2a) cos(b) + c/2 + noise
inline SmoothSample smooth_sample(Index rows, std::uint64_t seed, double noise) {
  SmoothSample sample{random_inputs(rows, 3, seed), {}};
  Random random(seed + 100);
  for (Index r = 0; r < rows; ++r)
    sample.y.push_back(std::sin(2 * static_cast<double>(sample.x(r, 0))) * std::cos(static_cast<double>(sample.x(r, 1))) +
                       0.5 * static_cast<double>(sample.x(r, 2)) + noise * random.normal());
  return sample;
}

inline std::unique_ptr<Predictor> fitted(const std::string& name, const SmoothSample& sample, int threads = 1,
                                         SearchEffort effort = SearchEffort::normal) {
  auto predictor = predictors().make(name);
  PredictorSettings settings;
  settings.effort = effort;
  predictor->fit(sample.x, all_rows(sample.x.rows()), sample.y, settings, ExecutionContext{.threads = threads});
  return predictor;
}

inline std::vector<double> predicted(const Predictor& predictor, const MatrixF& x, int threads = 1) {
  std::vector<double> out(static_cast<std::size_t>(x.rows()));
  predictor.predict(x, out, threads);
  return out;
}

inline double mean_square_error(const std::string& name, const SmoothSample& train, const SmoothSample& test,
                                SearchEffort effort = SearchEffort::normal) {
  const auto f = predicted(*fitted(name, train, 1, effort), test.x);
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += (f[i] - test.y[i]) * (f[i] - test.y[i]);
  return sum / static_cast<double>(f.size());
}

// No prediction is farther outside the range of the targets than the length of that range.
inline void expect_sane_far_outside(const Predictor& predictor, const SmoothSample& train) {
  MatrixF far = random_inputs(8, 3, 9);
  far.row(0).setConstant(1e6F);
  far.row(1).setConstant(-1e30F);
  far.row(2).setConstant(std::numeric_limits<float>::max());
  far.row(3).setConstant(std::numeric_limits<float>::lowest());
  far(4, 0) = 50;
  const auto [minimum, maximum] = std::minmax_element(train.y.begin(), train.y.end());
  const double range = *maximum - *minimum;
  for (const double f : predicted(predictor, far)) {
    EXPECT_GT(f, *minimum - range);
    EXPECT_LT(f, *maximum + range);
  }
}

inline void expect_can_be_stopped(const std::string& name) {
  const SmoothSample train = smooth_sample(200, 8, 0.1);
  ExecutionContext context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(predictors().make(name)->fit(train.x, all_rows(train.x.rows()), train.y, {}, context), Interrupted);
}

}  // namespace taut::testing
