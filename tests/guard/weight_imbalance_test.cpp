// Learnt covariate shift weights, and the imbalance that remains.
#include <taut/guard/drift/population_ratio.hpp>

#include <taut/core/random.hpp>
#include <taut/data/table.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

Table normal_rows(Index rows, double mean, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.columns = {{"x"}};
  table.values.resize(rows, 1);
  for (Index i = 0; i < rows; ++i) table.values(i, 0) = mean + random.normal();
  return table;
}

WeightImbalance left_over(const Table& a, const Table& b, std::uint64_t seed) {
  const Matrix none(a.rows(), 0), none_of_others(b.rows(), 0);
  const Rows rows = all_rows(a.rows());
  const auto learnt = PopulationRatio::learn(a, rows, none, b, none_of_others, seed, 1);
  return weight_imbalance(a, rows, none, learnt.weights, b, none_of_others, seed + 1, 1);
}

WeightImbalance left_over(Index known, Index others, double mean, std::uint64_t seed) {
  return left_over(normal_rows(known, 0, 2 * seed), normal_rows(others, mean, 2 * seed + 1), seed);
}

TEST(WeightImbalance, WhatRemainsOfAGoodRatioIsWhatChanceMakes) {
  double remains = 0, by_chance = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto found = left_over(1000, 1000, 0.5, seed);
    remains += found.found / 20;
    by_chance += found.by_chance / 20;
  }
  EXPECT_LT(remains, 2 * by_chance);
  EXPECT_GT(remains, 0.3 * by_chance);
  EXPECT_LT(remains, 0.06);
}

// Calibration rows that hardly overlap with the others cannot represent them, whatever their weights.
TEST(WeightImbalance, WhatRemainsIsLargeWhereTheTwoHardlyOverlap) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto far = left_over(300, 300, 4, seed), near = left_over(300, 300, 0.3, seed);
    EXPECT_GT(far.found, 2 * near.found) << seed;
    EXPECT_LE(far.found, 1) << seed;
    EXPECT_GT(far.found, 0.1) << seed;
  }
}

// Trees of different folds give different margins even for equal rows. This difference counts as chance.
TEST(WeightImbalance, EqualRowsDifferByNoMoreThanChance) {
  Table table = normal_rows(200, 0, 1);
  table.values.setConstant(3);
  const auto found = left_over(table, table, 1);
  EXPECT_LT(found.found, 2 * found.by_chance);
}

}  // namespace
}  // namespace taut
