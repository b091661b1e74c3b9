// A window gives the same answers as a ScoreDistribution of the same scores with the same weights.
#include <taut/calibrate/score_distribution.hpp>
#include <taut/core/random.hpp>
#include <taut/time/control/score_window.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::vector<double> weights_by_age(std::size_t count, double half_life) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) weights.push_back(std::exp2(-static_cast<double>(count - i) / half_life));
  return weights;
}

TEST(ScoreWindow, AgreesWithTheDistributionOfTheLastScores) {
  Random random(1);
  ScoreWindow window(40);
  std::vector<double> all;
  for (int i = 0; i < 200; ++i) {
    // Ties and the score of a residual of 0 are ordinary scores.
    const double score = i % 7 == 0 ? -infinity : std::floor(10 * random.uniform());
    window.add(score);
    all.push_back(score);
    const std::size_t held = std::min<std::size_t>(40, all.size());
    const ScoreDistribution distribution(std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(held), all.end()));
    for (const double confidence : {0.05, 0.5, 0.8, 0.9, 0.975, 0.99})
      EXPECT_EQ(window.threshold(1 - confidence), distribution.quantile(confidence)) << i << " " << confidence;
    for (const double probe : {-1.0, 3.0, 8.5}) {
      if (probe > distribution.scores().back()) continue;  // beyond it the window uses its tail
      const auto above = distribution.weights_above(probe);
      EXPECT_DOUBLE_EQ(window.p_value(probe), (above.beyond + above.equal + above.own) / above.all);
    }
  }
}

TEST(ScoreWindow, ForgetsAsTheDistributionWithWeightsDoes) {
  Random random(2);
  ScoreWindow window(60, 15);
  std::vector<double> all;
  for (int i = 0; i < 150; ++i) {
    all.push_back(random.uniform());
    window.add(all.back());
    const std::size_t held = std::min<std::size_t>(60, all.size());
    const ScoreDistribution distribution(std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(held), all.end()), {},
                                         weights_by_age(held, 15), 1);
    for (const double confidence : {0.1, 0.5, 0.8, 0.9, 0.95})
      EXPECT_EQ(window.threshold(1 - confidence), distribution.quantile(confidence)) << i << " " << confidence;
  }
}

// In blocks or not, the scores are in the order of one sorted list, with ties, while scores are added and removed.
TEST(RankedScores, AreOneSortedList) {
  Random random(4);
  RankedScores ranked;
  std::vector<RankedScore> all;
  for (std::int64_t i = 0; i < 6000; ++i) {
    // The list grows to 3,000 scores, stays for a while, and shrinks to nothing.
    if (i < 5000 && (i < 3000 || i % 2 == 0)) {
      const RankedScore entry{i % 5 == 0 ? -infinity : std::floor(40 * random.uniform()), i};
      ranked.insert(entry);
      all.insert(std::upper_bound(all.begin(), all.end(), entry), entry);
    } else {
      for (int times = 0; times < (i < 5000 ? 1 : 4) && !all.empty(); ++times) {
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(random.uniform() * static_cast<double>(all.size()));
        ranked.erase(*at);
        all.erase(at);
      }
    }
    ASSERT_EQ(ranked.size(), std::ssize(all));
    if (all.empty() || i % 50 != 0) continue;
    EXPECT_EQ(ranked.minimum(), all.front().score);
    EXPECT_EQ(ranked.maximum(), all.back().score);
    for (const double share : {0.0, 0.1, 0.5, 0.77, 0.999}) {
      const auto place = static_cast<std::size_t>(share * static_cast<double>(all.size()));
      ASSERT_EQ(ranked.at(static_cast<Index>(place)), all[place].score);
      std::vector<std::int64_t> numbers, expected;
      ranked.ascending_from(static_cast<Index>(place), [&](const RankedScore& entry) { numbers.push_back(entry.number); });
      for (std::size_t rest = place; rest < all.size(); ++rest) expected.push_back(all[rest].number);
      ASSERT_EQ(numbers, expected);
    }
    for (const double score : {-infinity, -1.0, 0.0, 20.0, 20.5, 39.0, 40.0, infinity}) {
      const auto first = std::lower_bound(all.begin(), all.end(), RankedScore{score, -1});
      ASSERT_EQ(ranked.count_from(score), all.end() - first);
    }
    std::vector<std::int64_t> top;
    ranked.descending([&](const RankedScore& entry) {
      top.push_back(entry.number);
      return top.size() < 300;
    });
    for (std::size_t place = 0; place < top.size(); ++place) ASSERT_EQ(top[place], all[all.size() - 1 - place].number);
  }
  EXPECT_TRUE(ranked.empty());
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
