// What a window says is what a Law of the same scores with the same weights says.
#include <taut/calibrate/law.hpp>
#include <taut/core/random.hpp>
#include <taut/stream/score_window.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

std::vector<double> weights_by_age(std::size_t count, double half_life) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) weights.push_back(std::exp2(-static_cast<double>(count - i) / half_life));
  return weights;
}

TEST(ScoreWindow, SaysWhatTheLawOfTheLastScoresSays) {
  Random random(1);
  ScoreWindow window(40);
  std::vector<double> all;
  for (int i = 0; i < 200; ++i) {
    // Ties and the score of a residual of 0 are scores like others.
    const double score = i % 7 == 0 ? -infinity : std::floor(10 * random.uniform());
    window.add(score);
    all.push_back(score);
    const std::size_t held = std::min<std::size_t>(40, all.size());
    const Law law(std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(held), all.end()));
    for (const double confidence : {0.05, 0.5, 0.8, 0.9, 0.975, 0.99})
      EXPECT_EQ(window.threshold(1 - confidence), law.quantile(confidence)) << i << " " << confidence;
    for (const double probe : {-1.0, 3.0, 8.5}) {
      if (probe > law.scores().back()) continue;  // there the window goes on by its tail
      const auto above = law.weights_above(probe);
      EXPECT_DOUBLE_EQ(window.p_value(probe), (above.beyond + above.equal + above.own) / above.all);
    }
  }
}

TEST(ScoreWindow, ForgetsAsTheLawWithWeightsDoes) {
  Random random(2);
  ScoreWindow window(60, 15);
  std::vector<double> all;
  for (int i = 0; i < 150; ++i) {
    all.push_back(random.uniform());
    window.add(all.back());
    const std::size_t held = std::min<std::size_t>(60, all.size());
    const Law law(std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(held), all.end()), {}, weights_by_age(held, 15), 1);
    for (const double confidence : {0.1, 0.5, 0.8, 0.9, 0.95})
      EXPECT_EQ(window.threshold(1 - confidence), law.quantile(confidence)) << i << " " << confidence;
  }
}

TEST(ScoreWindow, GoesOnBeyondTheLargestScoreAsItsTailDoes) {
  ScoreWindow window(99);
  Random random(3);
  double largest = 0;
  for (int i = 0; i < 99; ++i) {
    const double score = -std::log(1 - random.uniform());
    largest = std::max(largest, score);
    window.add(score);
  }
  EXPECT_EQ(window.threshold(0.001), infinity);
  EXPECT_DOUBLE_EQ(window.threshold_beyond(0.01), largest);
  double before = largest;
  for (const double alpha : {0.005, 0.001, 1e-5}) {
    const double threshold = window.threshold_beyond(alpha);
    EXPECT_GT(threshold, before);
    EXPECT_TRUE(std::isfinite(threshold));
    EXPECT_NEAR(window.p_value(threshold), alpha, 1e-9);  // the two are inverse
    before = threshold;
  }
  EXPECT_EQ(window.threshold_beyond(0), infinity);
  EXPECT_TRUE(std::isnan(window.threshold_beyond(1)));
}

}  // namespace
}  // namespace taut
