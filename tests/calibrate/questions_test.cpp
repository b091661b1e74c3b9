#include <taut/calibrate/question.hpp>

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/error.hpp>
#include <tests/calibrate/many_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

// Every listed question answers every row with one number for each column, none of them NaN.
TEST(Questions, AnswerWithOneNumberAColumn) {
  const ManyRows rows("exp", 30, 2, as_it_is);
  const ScoreDistribution distribution = rows.distribution_without(0);
  const RowScore score = rows.score(0);
  const TargetRange unlimited;
  for (const auto& entry : questions().entries())
    for (const bool band : {false, true}) {
      const auto question = questions().make(entry.example);
      const Asked asked{.value = 1.5, .band = band};
      std::vector<double> out(question->columns(asked).size() + 1, 77);
      question->answer(PredictiveDistribution(distribution, score, unlimited), asked, out.data());
      for (std::size_t i = 0; i + 1 < out.size(); ++i) EXPECT_FALSE(std::isnan(out[i]) || out[i] == 77) << entry.name;
      EXPECT_EQ(out.back(), 77) << entry.name;
    }
  for (const char* bad : {"upper:0", "lower:1", "quantile:1.5", "interval:x", "below:inf", "equal:0", "samples:0", "samples:1.5",
                          "samples:nan", "samples:1e300"})
    EXPECT_THROW((void)questions().make(bad), UsageError) << bad;
}

// If the possible values are known, answers are possible values. Bounds keep their guarantee: no bound moves past a possible y.
TEST(Questions, AnswersArePossibleValues) {
  const TargetRange counts(0, 20, 1), unlimited;
  Random random(6);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const ManyRows rows("exp", 30, 100 + static_cast<std::uint64_t>(repeat),
                        [](double v) { return std::clamp(std::round(3 + 2 * v), 0.0, 20.0); });
    const ScoreDistribution distribution = rows.distribution_without(0);
    const RowScore score = rows.score(0);
    const PredictiveDistribution with(distribution, score, counts), without(distribution, score, unlimited);
    for (const double level : {0.05, 0.3, 0.5, 0.55, 0.68, 0.8, 0.9, 0.95}) {
      for (const double value : {with.upper(level), with.lower(level), with.sample(random.uniform())})
        EXPECT_TRUE(counts.is_possible(value) || std::isinf(value)) << value;
      for (double y = 0; y <= 20; ++y) {
        EXPECT_LE(y <= without.upper(level), y <= with.upper(level));
        EXPECT_LE(y >= without.lower(level), y >= with.lower(level));
      }
    }
    EXPECT_EQ(with.below(2.7).low, with.below(2).low);
    EXPECT_EQ(with.below(-1).high, 0);
    EXPECT_EQ(with.below(20).low, 1);
  }
}

}  // namespace
}  // namespace taut
