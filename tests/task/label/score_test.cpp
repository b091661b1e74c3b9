#include <taut/core/random.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/task/label/set_shift.hpp>
#include <taut/task/label/temperature.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

std::vector<double> scores_of(const std::string& name, const std::vector<double>& p, double uniform = 0) {
  std::vector<double> out(p.size());
  class_scores().make(name)->scores(p, uniform, out);
  return out;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], wanted[k], 1e-15) << k;
}

TEST(ClassScores, AreThoseOfTheirFormulas) {
  const std::vector<double> p = {0.2, 0.5, 0.3};
  expect_near(scores_of("lac", p), {0.8, 0.5, 0.7});
  expect_near(scores_of("aps", p), {1.0, 0.5, 0.8});
  expect_near(scores_of("randomized-aps", p, 0.25), {0.85, 0.125, 0.575});
  expect_near(scores_of("raps:0.1,1", p), {1.2, 0.5, 0.9});
  expect_near(scores_of("raps:0.1,3", p), {1.0, 0.5, 0.8});
}

TEST(ClassScores, EqualProbabilitiesAreTakenInTheOrderOfLabels) {
  const std::vector<double> p = {0.25, 0.25, 0.25, 0.25};
  expect_near(scores_of("lac", p), {0.75, 0.75, 0.75, 0.75});
  expect_near(scores_of("aps", p), {0.25, 0.5, 0.75, 1.0});
}

TEST(ClassScores, LieBetweenZeroAndTheirTopAndGrowAsProbabilitiesFall) {
  Random random(3);
  for (const auto& entry : class_scores().entries())
    for (const Index classes : {2, 3, 17, 200}) {
      const auto score = class_scores().make(entry.example);
      std::vector<double> p(static_cast<std::size_t>(classes)), out(p.size());
      for (int again = 0; again < 20; ++again) {
        for (double& one : p) one = 4 * random.normal();
        softmax(p, 1, p);
        score->scores(p, random.uniform(), out);
        std::vector<Index> order(p.size());
        by_probability(p, order);
        for (std::size_t rank = 0; rank < order.size(); ++rank) {
          const double own = out[static_cast<std::size_t>(order[rank])];
          EXPECT_GE(own, 0);
          EXPECT_LE(own, score->top(classes));
          if (rank > 0) {
            EXPECT_GE(own, out[static_cast<std::size_t>(order[rank - 1])]) << entry.name;
          }
        }
      }
    }
}

TEST(ClassScores, ArgumentsThatMakeNoSenseAreRefused) {
  for (const auto* bad : {"lac:1", "raps:-1", "raps:0.1,1.5", "raps:a", "biggest"})
    EXPECT_THROW(class_scores().make(bad), UsageError) << bad;
}

TEST(LogOdds, KeepTheOrderOfScores) {
  EXPECT_EQ(log_odds(0, 1), -infinity);
  EXPECT_EQ(log_odds(1, 1), infinity);
  EXPECT_NEAR(log_odds(0.75, 1), std::log(3), 1e-15);
  EXPECT_NEAR(log_odds(0.5, 2), std::log(1.0 / 3), 1e-15);
  double last = -infinity;
  for (double a = 0.001; a < 1; a += 0.001) {
    EXPECT_GT(log_odds(a, 1), last);
    last = log_odds(a, 1);
  }
}

TEST(Temperature, FindsTheOneThatLabelsWereDrawnWith) {
  for (const double beta : {0.4, 1.0, 2.5}) {
    Random random(11);
    constexpr Index rows = 20'000, classes = 4;
    Matrix logits(rows, classes);
    std::vector<Index> labels;
    std::vector<double> p(classes);
    for (Index row = 0; row < rows; ++row) {
      for (Index k = 0; k < classes; ++k) logits(row, k) = 2 * random.normal();
      softmax({logits.row(row).data(), classes}, beta, p);
      const double u = random.uniform();
      Index label = 0;
      for (double sum = p[0]; label + 1 < classes && u >= sum; sum += p[static_cast<std::size_t>(label)]) ++label;
      labels.push_back(label);
    }
    EXPECT_NEAR(best_inverse_temperature(logits, labels, 1) / beta, 1, 0.05);
    EXPECT_EQ(best_inverse_temperature(logits, labels, 1), best_inverse_temperature(logits, labels, 2));
  }
}

TEST(Temperature, AProbabilityOfZeroForWhatHappenedIsNoInfiniteLoss) {
  Matrix logits(2, 2);
  logits << 0, -infinity, 0, -infinity;
  const std::vector<Index> labels = {1, 0};
  EXPECT_TRUE(std::isfinite(best_inverse_temperature(logits, labels, 1)));
}

}  // namespace
}  // namespace taut
