// Every kind of calibration against its definition.
#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace taut {
namespace {

struct Drawn {
  std::vector<SignedScore> scores;
  RowFacts facts;
};

Drawn draw(Index rows, Random& random) {
  Drawn result;
  result.facts.points.resize(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    result.scores.push_back({random.below(2) == 0 ? Side::below : Side::above, std::floor(20 * random.uniform())});  // with ties
    result.facts.groups.push_back(random.below(3));
    result.facts.weights.push_back(random.uniform());
    result.facts.points.row(i) << random.uniform(), random.uniform();
  }
  return result;
}

CalibrationSettings settings() { return {.groups = 3, .pool_others = true, .reaches = {0.2, 0.3}, .seed = 5}; }

// The quantiles of a distribution at every level: two-sided and, where the distribution has sides, of each side.
std::vector<double> quantiles_of(const ScoreDistribution& distribution, bool has_sides = true) {
  std::vector<double> result;
  for (int percent = 1; percent < 100; ++percent) {
    const double level = percent / 100.0;
    result.push_back(distribution.quantile(level));
    if (!has_sides) continue;
    const auto upper = distribution.upper(level), lower = distribution.lower(level);
    result.push_back(upper ? (upper->side == Side::above ? 1 : -1) * (1 + upper->score) : infinity);
    result.push_back(lower ? (lower->side == Side::above ? 1 : -1) * (1 + lower->score) : -infinity);
  }
  return result;
}

TEST(Calibrations, EachHasAKind) {
  for (const auto& entry : calibrations().entries()) EXPECT_EQ(to_string(calibration_kind(entry.name)), entry.name);
  EXPECT_THROW(calibration_kind("none such"), UsageError);
}

// Neither the order of calibration rows nor the other new rows of a batch change the distribution of a row.
TEST(Calibrations, DoNotDependOnTheOrderOfRows) {
  Random random(1);
  const Drawn rows = draw(200, random), fresh = draw(20, random);
  const Rows order = random.permutation(200);
  Drawn shuffled{{}, rows.facts.of(order)};
  for (const Index row : order) shuffled.scores.push_back(rows.scores[static_cast<std::size_t>(row)]);
  for (const auto& entry : calibrations().entries()) {
    const auto one = calibrations().make(entry.example), other = calibrations().make(entry.example);
    one->calibrate(CalibrationRows(rows.scores, rows.facts), settings());
    other->calibrate(CalibrationRows(shuffled.scores, shuffled.facts), settings());
    const bool has_sides = entry.name != "overlapping";
    for (Index row = 0; row < 20; ++row)
      EXPECT_EQ(quantiles_of(one->distribution(fresh.facts, row), has_sides),
                quantiles_of(other->distribution(fresh.facts.of(Rows{row}), 0), has_sides))
          << entry.name;
  }
}

TEST(Calibrations, TakeTheRowsThatTheyName) {
  Random random(2);
  const Drawn rows = draw(150, random);
  const auto distribution_of = [&](const auto& chosen) {
    std::vector<double> sizes;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < rows.scores.size(); ++i)
      if (chosen(i)) {
        sizes.push_back(rows.scores[i].score);
        sides.push_back(rows.scores[i].side);
      }
    return ScoreDistribution(sizes, sides);
  };
  const auto by_group = calibrations().make("by-group");
  by_group->calibrate(CalibrationRows(rows.scores, rows.facts), settings());
  for (Index group = 0; group < 3; ++group)
    EXPECT_EQ(quantiles_of(by_group->distribution({.groups = {group}}, 0)),
              quantiles_of(distribution_of([&](std::size_t i) { return rows.facts.groups[i] == group; })));
  const ScoreDistribution all = distribution_of([](std::size_t) { return true; });
  EXPECT_EQ(quantiles_of(by_group->distribution({.groups = {RowFacts::no_group}}, 0)), quantiles_of(all));

  // An infinite reach takes all rows, a reach of 0 only rows in the same place.
  for (const double reach : {infinity, 0.0}) {
    const auto local = calibrations().make("local");
    local->calibrate(CalibrationRows(rows.scores, rows.facts), {.reaches = {reach, reach}, .seed = 1});
    const RowFacts here = rows.facts.of(Rows{7});
    const ScoreDistribution expected = reach > 0 ? all : distribution_of([](std::size_t i) { return i == 7; });
    EXPECT_EQ(quantiles_of(local->distribution(here, 0)), quantiles_of(expected));
  }

  // Equal weights, and groups of one row each, give the plain calibration.
  RowFacts equal = rows.facts;
  std::fill(equal.weights.begin(), equal.weights.end(), 0.3);
  const auto weighted = calibrations().make("weighted");
  weighted->calibrate(CalibrationRows(rows.scores, equal), settings());
  EXPECT_EQ(quantiles_of(weighted->distribution({.weights = {0.3}}, 0)), quantiles_of(all));
  equal.groups = all_rows(150);
  const auto hierarchical = calibrations().make("hierarchical");
  hierarchical->calibrate(CalibrationRows(rows.scores, equal), {.groups = 150});
  EXPECT_EQ(quantiles_of(hierarchical->distribution({}, 0)), quantiles_of(all));
}

// A row of weight 3 gives the same answers as three rows of weight 1.
TEST(Calibrations, WholeWeightsAreRepeatedRows) {
  Random random(3);
  std::vector<double> scores, repeated, weights;
  std::vector<Side> sides, sides_repeated;
  for (Index i = 0; i < 60; ++i) {
    scores.push_back(random.normal());
    sides.push_back(random.below(2) == 0 ? Side::below : Side::above);
    weights.push_back(static_cast<double>(1 + random.below(3)));
    for (int k = 0; k < weights.back(); ++k) {
      repeated.push_back(scores.back());
      sides_repeated.push_back(sides.back());
    }
  }
  const ScoreDistribution once(scores, sides, weights, 1), all(repeated, sides_repeated);
  EXPECT_EQ(quantiles_of(once), quantiles_of(all));
  const auto transform = transforms().make("exp");
  const double g = 0;
  const RowScore score{5.0, 1, *transform, &g, &g};
  const TargetRange range;
  const PredictiveDistribution a(once, score, range), b(all, score, range);
  EXPECT_NEAR(a.mean(), b.mean(), 1e-12);
  for (const double y : {3.0, 5.0, 6.5}) EXPECT_NEAR(a.crps(y), b.crps(y), 1e-12);
  for (double u = 0.003; u < 1; u += 0.01) EXPECT_EQ(a.sample(u), b.sample(u));
}

TEST(Calibrations, EffectiveRows) {
  EXPECT_DOUBLE_EQ(effective_rows(std::vector<double>{2, 2, 2}), 3);
  EXPECT_DOUBLE_EQ(effective_rows(std::vector<double>{1, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(effective_rows(std::vector<double>{0, 0}), 0);
  EXPECT_NEAR(effective_rows(std::vector<double>{1e300, 1e300}), 2, 1e-12);
}

// 10,000 calibration rows, a tenth of them within reach. The bound is loose because the machine may be busy.
TEST(Calibrations, NeighboursAreFoundQuickly) {
  Random random(4);
  const Drawn rows = draw(10'000, random), fresh = draw(500, random);
  const auto local = calibrations().make("local");
  local->calibrate(CalibrationRows(rows.scores, rows.facts), {.reaches = {0.16, 0.16}, .seed = 1});
  double sum = 0, best = infinity;
  for (int again = 0; again < 5; ++again) {
    const auto start = std::chrono::steady_clock::now();
    for (Index row = 0; row < 500; ++row) sum += local->distribution(fresh.facts, row).quantile(0.5);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 500);
  }
  EXPECT_GT(sum, 0);
  std::printf("%.1f microseconds a row\n", 1e6 * best);
  EXPECT_LT(best, 500e-6);
}

}  // namespace
}  // namespace taut
