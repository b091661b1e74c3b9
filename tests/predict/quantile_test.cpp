#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

struct Sample {
  MatrixF x;
  std::vector<double> y, sigma;
};

// y = x + σ(x) · normal, σ from 0.2 to 2.2.
Sample draw(Index rows, std::uint64_t seed) {
  Random random(seed);
  Sample sample{MatrixF(rows, 2), {}, {}};
  for (Index row = 0; row < rows; ++row) {
    const double x = random.uniform(), sigma = 0.2 + 2 * x;
    sample.x.row(row) << static_cast<float>(x), static_cast<float>(random.normal());
    sample.sigma.push_back(sigma);
    sample.y.push_back(x + sigma * random.normal());
  }
  return sample;
}

double mean_pinball(const Sample& sample, double p, const auto& quantile) {
  double mean = 0;
  for (std::size_t i = 0; i < sample.y.size(); ++i) {
    const double e = quantile(i) - sample.y[i];
    mean += std::max((1 - p) * e, -p * e) / static_cast<double>(sample.y.size());
  }
  return mean;
}

// On new rows the pinball loss is nearer to that of the true quantile than to that of the best constant.
TEST(QuantilePredictor, ComesNearTheTrueQuantiles) {
  constexpr double z = 1.6448536269514722;
  const Sample train = draw(4000, 1), fresh = draw(4000, 2);
  const auto predictor = predictors().make("quantile:0.05,0.95");
  predictor->fit(train.x, all_rows(train.x.rows()), train.y, {}, ExecutionContext{.threads = 1});
  std::vector<double> both(2 * fresh.y.size());
  predictor->predict(fresh.x, both, 1);
  for (const int which : {0, 1}) {
    const double p = which == 0 ? 0.05 : 0.95, sign = which == 0 ? -1 : 1;
    std::vector<double> sorted = fresh.y;
    std::sort(sorted.begin(), sorted.end());
    const double constant = sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size()))];
    const double best = mean_pinball(fresh, p, [&](std::size_t i) {
      return static_cast<double>(fresh.x(static_cast<Index>(i), 0)) + sign * z * fresh.sigma[i];
    });
    const double flat = mean_pinball(fresh, p, [&](std::size_t) { return constant; });
    const double got = mean_pinball(fresh, p, [&](std::size_t i) { return both[2 * i + static_cast<std::size_t>(which)]; });
    EXPECT_LT(got - best, flat - got) << "best " << best << ", constant " << flat << ", got " << got;
  }
}

}  // namespace
}  // namespace taut
