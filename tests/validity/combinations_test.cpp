// Coverage follows its distribution for every combination of the listed parts, with real training, from the split on.
//
// The fast test takes every third combination, with as many coverages as for all of them; the test that ends in Slow takes all.
// There TAUT_VALIDATE=long (`make validate`) repeats every fit many times, so that each combination is also tested alone.
// TAUT_VALIDATE=brief, for builds with an injected fault, takes every fifth of the cheap ones.
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/population.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace taut {
namespace {

using testing::all_combinations;
using testing::Combination;
using testing::CoverageDraw;
using testing::CoverageSuite;
using testing::Population;

constexpr std::array<Index, 4> levels = {500, 800, 900, 950};  // in thousandths

struct Effort {
  Index fits = 1;            // of each combination, each on a new table
  Index recalibrations = 4;  // of each fit, on new rows
  std::size_t stride = 1;    // every combination, or every stride-th
  bool scales_only = false;  // classes without a closed inverse are slow
  bool one_by_one = false;   // test each combination alone too

  bool takes(const Combination& combination, std::size_t at) const {
    if (combination.refused || at % stride != 0) return false;
    return !scales_only ||
           (combination.options.transform != "auto" && transforms().make(combination.options.transform)->is_scale());
  }
};

struct Outcome {
  std::vector<CoverageDraw> after_fit, after_calibrate;
  Index adapted = 0;  // fits that kept the transformation
};

// One level for each calibration, so that coverages are independent.
CoverageDraw draw(const Population& population, const Regressor& model, Index level, Random& random) {
  const std::array one = {static_cast<double>(level) / 1000};
  const Table fresh = population.rows(1, random);
  const bool covered = model.predict_interval(fresh, one, ExecutionContext{.threads = 1}).at(0, 0).contains(fresh.values(0, 2));
  return {model.distribution().rows(), level, population.coverage(model, one).front(), covered};
}

Outcome repeat(const Combination& combination, const Effort& effort, std::uint64_t seed) {
  const Population population("cos", combination.positive);
  const Random root(seed);
  Outcome outcome;
  for (Index fit = 0; fit < effort.fits; ++fit) {
    Random random = root.fork(static_cast<std::uint64_t>(fit));
    const Table table = population.rows(100, random), other = population.rows(19, random);
    FitOptions options = combination.options;
    options.seed = fit;
    Regressor model =
        Regressor::fit(table, options, ExecutionContext{.threads = 1}, combination.mode.elsewhere ? &other : nullptr);
    outcome.adapted += model.transform_name() != "fixed" && model.members() > 0 ? 1 : 0;
    std::size_t turn = static_cast<std::size_t>(seed) + static_cast<std::size_t>(fit);
    outcome.after_fit.push_back(draw(population, model, levels[turn % levels.size()], random));
    for (Index again = 0; again < effort.recalibrations; ++again) {
      model.calibrate(population.rows(again % 2 == 0 ? 19 : 22, random), ExecutionContext{.threads = 1});
      outcome.after_calibrate.push_back(draw(population, model, levels[++turn % levels.size()], random));
    }
  }
  return outcome;
}

std::vector<std::string> headings_of(const Combination& combination, const Effort& effort) {
  const FitOptions& options = combination.options;
  std::vector<std::string> headings = {"transform " + options.transform,
                                       "localizer " + options.localizer,
                                       "objective " + (options.objective.empty() ? "by default" : options.objective),
                                       "split " + combination.mode.name,
                                       "sides " + options.sides,
                                       "predictor " + (combination.mode.ends    ? "lo and hi"
                                                       : combination.mode.given ? "p"
                                                                                : options.predictor)};
  if (effort.one_by_one) headings.push_back(combination.name);
  return headings;
}

void expect_distribution_of_coverage(const Effort& wanted) {
  // Splits take turns in the list: with such a stride only one of them would be tested.
  ASSERT_TRUE(wanted.stride == 1 || testing::split_modes().size() % wanted.stride != 0);
  const auto all = all_combinations();
  std::vector<Outcome> outcomes(all.size());
  parallel_blocks(static_cast<Index>(all.size()), 1, wanted.one_by_one ? 0 : 1, [&](Index begin, Index) {
    const auto at = static_cast<std::size_t>(begin);
    if (wanted.takes(all[at], at)) outcomes[at] = repeat(all[at], wanted, static_cast<std::uint64_t>(begin));
  });

  CoverageSuite suite;
  std::map<std::string, Index> adapted;
  Index tested = 0, draws = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (!wanted.takes(all[at], at)) continue;
    ++tested;
    auto headings = headings_of(all[at], wanted);
    headings.push_back("calibrated by fit, split " + all[at].mode.name);
    for (const auto& one : outcomes[at].after_fit) suite.add(headings, one);
    headings.back() = "calibrated anew";
    for (const auto& one : outcomes[at].after_calibrate) suite.add(headings, one);
    draws += std::ssize(outcomes[at].after_fit) + std::ssize(outcomes[at].after_calibrate);
    adapted[all[at].options.transform + " " + all[at].options.localizer] += outcomes[at].adapted;
  }
  const double minimum = suite.expect_distribution();
  std::printf("%td combinations, %td fits, %td calibrations; %zu tests, threshold %.2g, least p-value %.2g\n", tested,
              tested * wanted.fits, draws, suite.tests().size(), suite.threshold(), minimum);
  // Intervals of one width would follow the distribution too, so training must have had an effect with every part.
  for (const auto& [parts, count] : adapted)
    EXPECT_TRUE(count > 0 || parts.starts_with("fixed") || parts.ends_with("constant") || parts.ends_with("none"))
        << parts << " never beat one width";
}

TEST(Combinations, CoverageFollowsItsDistribution) {
  if (testing::is_validation("long")) GTEST_SKIP() << "the long form is the next test";
  expect_distribution_of_coverage(testing::is_validation("brief")
                                      ? Effort{.fits = 5, .recalibrations = 1, .stride = 5, .scales_only = true}
                                      : Effort{.recalibrations = 14, .stride = 3});
}

TEST(Combinations, CoverageOfEveryOneFollowsItsDistributionSlow) {
  if (testing::is_validation("brief")) GTEST_SKIP() << "the brief form is the test before";
  expect_distribution_of_coverage(testing::is_validation("long") ? Effort{.fits = 30, .recalibrations = 9, .one_by_one = true}
                                                                 : Effort{});
}

// The combinations that are left out above are refused, for two reasons only: the objective is not valid for the transformation,
// or two ends are predicted and scores are to be on another scale.
TEST(Combinations, WhatIsLeftOutIsRefused) {
  Index refused = 0;
  std::map<std::string, Index> accepted;
  for (const auto& combination : all_combinations()) {
    accepted["transform " + combination.options.transform] += combination.refused ? 0 : 1;
    accepted["objective " + combination.options.objective] += combination.refused ? 0 : 1;
    if (!combination.refused) continue;
    ++refused;
    Random random(1);
    EXPECT_THROW(Regressor::fit(Population("cos").rows(100, random), combination.options), UsageError) << combination.name;
  }
  for (const auto& [part, count] : accepted) EXPECT_GT(count, 0) << part;
  std::printf("%td combinations are refused\n", refused);
}

// The test has power: with as many coverages as the smallest heading has, a rank off by one is noticed at its threshold.
TEST(CoverageTest, TellsNeighbouringRanksApart) {
  for (const Index error : {-1, 0, 1}) {
    testing::CoverageTest test(error);
    Random random(5);
    for (Index i = 0; i < 1000; ++i) {
      const Index n = i % 2 == 0 ? 19 : 22;
      const Index level = levels[static_cast<std::size_t>(i) % levels.size()];
      const auto k = static_cast<double>(testing::rank_in_whole_numbers(n, level));
      const double coverage = beta_quantile(random.uniform(), k, static_cast<double>(n + 1) - k);
      test.add({n, level, coverage, random.uniform() < coverage});
    }
    EXPECT_EQ(test.p_value() > 1e-7, error == 0) << error;
  }
}

}  // namespace
}  // namespace taut
