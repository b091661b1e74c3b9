// The report of `evaluate` on the whole predictive distribution: the bands contain what they should as often as stated, and the
// fast CRPS equals the slow one.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>
#include <taut/task/number/distribution_report.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

const TargetRange any_value;

// Calibration rows and test rows from one source, f = 0 everywhere; `make` samples y.
template <class Make>
DistributionReport report_of(Index calibration_rows, Index rows, std::uint64_t seed, const TargetRange& range, Make make) {
  static const auto fixed = transforms().make("fixed");
  const RowScore score{0, 1, *fixed, nullptr, nullptr};
  Random random(seed);
  std::vector<double> scores, y;
  std::vector<Side> sides;
  for (Index i = 0; i < calibration_rows; ++i) {
    const double value = make(random);
    scores.push_back(score(value));
    sides.push_back(side_of(0, value));
  }
  for (Index i = 0; i < rows; ++i) y.push_back(make(random));
  return evaluate_distribution(
      ScoreDistribution(scores, sides), range, [&](Index) { return score; }, y, seed, 1);
}

double normal(Random& random) { return random.normal(); }
double mostly_zero(Random& random) { return random.uniform() < 0.6 ? 0 : random.normal(); }
double count(Random& random) { return std::floor(-2 * std::log(1 - random.uniform())); }

// For at most 1 of 100 pairs of tables any of the seven quantiles leaves its band; with ties, zeros and steps too.
TEST(DistributionReport, QuantilesAreInTheirBandsAsOftenAsStatedSlow) {
  constexpr Index pairs = 3000;
  const auto alarms = [](const TargetRange& range, auto make) {
    Index found = 0;
    for (Index i = 0; i < pairs; ++i) {
      const DistributionReport report = report_of(25 + i % 7, 40, static_cast<std::uint64_t>(i), range, make);
      found +=
          std::all_of(report.quantiles.begin(), report.quantiles.end(), [](const auto& one) { return one.chance_explains(); })
              ? 0
              : 1;
    }
    return 1 - binomial_cdf(found - 1, pairs, 1 - band_probability);  // the p-value of "at most 1 in 100"
  };
  EXPECT_GT(alarms(any_value, normal), 1e-6);
  EXPECT_GT(alarms(any_value, mostly_zero), 1e-6);
  EXPECT_GT(alarms(TargetRange(0, infinity, 1), count), 1e-6);
}

// Most targets are exactly 0 and f is not: the value of their rank is 0 up to rounding, −2.5e-19 for example.
TEST(DistributionReport, TargetsThatEqualAQuantileUpToRoundingRaiseNoAlarm) {
  const auto fixed = transforms().make("fixed");
  Index alarms = 0, rounded = 0;
  constexpr Index pairs = 400, calibration_rows = 40, rows = 200;
  for (Index i = 0; i < pairs; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const RowScore score{random.normal() / 300, 1, *fixed, nullptr, nullptr};
    std::vector<double> scores, y;
    std::vector<Side> sides;
    for (Index row = 0; row < calibration_rows; ++row) {
      const double value = random.uniform() < 0.8 ? 0 : random.normal();
      scores.push_back(score(value));
      sides.push_back(side_of(score.f(), value));
    }
    for (Index row = 0; row < rows; ++row) y.push_back(random.uniform() < 0.8 ? 0 : random.normal());
    const ScoreDistribution distribution(scores, sides);
    const double median = PredictiveDistribution(distribution, score, any_value).quantile(0.5);
    rounded += median != 0 && std::abs(median) < 1e-15 ? 1 : 0;
    const DistributionReport report = evaluate_distribution(
        distribution, any_value, [&](Index) { return score; }, y, static_cast<std::uint64_t>(i), 1);
    alarms += std::all_of(report.quantiles.begin(), report.quantiles.end(), [](const auto& one) { return one.chance_explains(); })
                  ? 0
                  : 1;
  }
  EXPECT_GT(rounded, pairs / 4);
  EXPECT_GT(1 - binomial_cdf(alarms - 1, pairs, 1 - band_probability), 1e-6) << alarms;
}

TEST(DistributionReport, PValuesAreInTheirBandsAsOftenAsStated) {
  constexpr Index pairs = 3000;
  Index outside = 0;
  for (Index i = 0; i < pairs; ++i) {
    bool all = true;
    for (const PValueReport& one : report_of(25 + i % 7, 40, static_cast<std::uint64_t>(i), any_value, normal).p_values)
      all = all && one.share >= one.expected.low && one.share <= one.expected.high;
    outside += all ? 0 : 1;
  }
  EXPECT_GT(1 - binomial_cdf(outside - 1, pairs, 1 - band_probability), 1e-6) << outside;
}

// The band is that of exactly this rank: a bound one rank off would leave it.
TEST(DistributionReport, BandsAreThoseOfTheRanks) {
  const DistributionReport report = report_of(99, 50, 1, any_value, normal);
  const double together = 1 - (1 - band_probability) / static_cast<double>(DistributionReport::probabilities.size());
  const Index low[] = {5, 10, 25, 50, 75, 90, 95};
  for (std::size_t i = 0; i < report.quantiles.size(); ++i) {
    const Band expected = coverage_band(50, 99, low[i], together);
    EXPECT_EQ(report.quantiles[i].expected.low, expected.low);
    EXPECT_EQ(report.quantiles[i].expected.high, expected.high);
  }
}

// Every scale family, two sides, zeros and ties: binary search gives the same as a walk through all ranks.
TEST(ScaleCrps, EqualsTheWalkThroughAllRanks) {
  Random random(4);
  Index tested = 0;
  for (const auto& entry : transforms().entries()) {
    const auto phi = transforms().make(entry.example);
    if (!phi->is_scale()) continue;
    ++tested;
    for (const Index n : {1, 2, 30}) {
      std::vector<double> scores;
      std::vector<Side> sides;
      std::vector<double> g(static_cast<std::size_t>(phi->n_params()) + 1), below = g, above = g;
      phi->initial(g.data());
      for (Index i = 0; i < n; ++i) {
        scores.push_back(phi->conformity(random.uniform() < 0.2 ? 0 : std::abs(std::round(4 * random.normal()) / 4), g.data()));
        sides.push_back(random.uniform() < 0.4 ? Side::below : Side::above);
      }
      const ScoreDistribution distribution(scores, sides);
      const ScaleCrps quick(distribution, *phi);
      for (int repeat = 0; repeat < 20; ++repeat) {
        for (auto* side : {&below, &above})
          for (std::size_t i = 0; i < g.size(); ++i) (*side)[i] = g[i] + 0.5 * random.normal();
        const RowScore score{random.normal(), 1.7, *phi, below.data(), above.data()};
        const double y = repeat == 0 ? score.f() : score.f() + 3 * random.normal();
        const double slow = PredictiveDistribution(distribution, score, any_value).crps(y);
        EXPECT_NEAR(quick(score, y), slow, 1e-13 * (1 + std::abs(y) + std::abs(score.f())) * 100) << entry.name << " " << n;
      }
    }
  }
  EXPECT_GE(tested, 4);
}

TEST(DistributionReport, WithoutSidesOnlyPValues) {
  const auto fixed = transforms().make("fixed");
  const RowScore score{0, 1, *fixed, nullptr, nullptr};
  const std::vector<double> y = {0.5, 1.5};
  const DistributionReport report = evaluate_distribution(
      ScoreDistribution({1, 2, 3}), any_value, [&](Index) { return score; }, y, 1, 1);
  EXPECT_TRUE(report.quantiles.empty());
  EXPECT_TRUE(std::isnan(report.crps));
  EXPECT_EQ(report.p_values.size(), DistributionReport::p_value_limits.size());
  EXPECT_TRUE(evaluate_distribution(
                  ScoreDistribution(), any_value, [&](Index) { return score; }, y, 1, 1)
                  .p_values.empty());
}

}  // namespace
}  // namespace taut
