// How far predictions of smooth members may be outside the range of the training targets.
#include <taut/predict/prediction_limits.hpp>

#include <taut/model/parts.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::vector<double> targets_from_0_to_9() { return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; }

// The margin chosen from the two halves of a table. `held_out`, the out-of-fold predictions, are limited by it.
double margin_of(std::vector<double>& held_out, const std::vector<double>& y, bool in_order = false) {
  return choose_margin(held_out, y, equal_parts(std::ssize(y), 2), in_order);
}

TEST(PredictionLimits, AreTheRangeOfTheTargetsAndAMargin) {
  const auto y = targets_from_0_to_9();
  const PredictionLimits exact(y, 0), wider(y, 0.1), none(y, infinity), without;
  EXPECT_EQ(exact.held(12), 9);
  EXPECT_EQ(exact.held(-1), 0);
  EXPECT_EQ(exact.held(3.5), 3.5);
  EXPECT_DOUBLE_EQ(wider.held(12), 9.9);
  EXPECT_FALSE(none.exist());
  EXPECT_FALSE(without.exist());
  EXPECT_EQ(none.held(-1e300), -1e300);
}

TEST(PredictionLimits, OfHugeTargetsAreFiniteOrNone) {
  const std::vector<double> y = {-1.7e308, 1.7e308};
  EXPECT_EQ(PredictionLimits(y, 0).held(1.75e308), 1.7e308);
  EXPECT_FALSE(PredictionLimits(y, 0.1).exist());
}

// Halves {9, 2, 5, 4, 7} and {6, 1, 8, 3, 0}: predictions for one half are limited to the range of the other.
TEST(PredictionLimits, ATightMarginIsKeptWhereOutOfFoldRowsDoNotNeedMore) {
  const std::vector<double> y = {9, 2, 5, 4, 7, 6, 1, 8, 3, 0};
  std::vector<double> usual = {7, 2, 5, 4, 7, 6, 2, 8, 3, 2}, before = usual;
  EXPECT_EQ(margin_of(usual, y), 0.1);
  EXPECT_EQ(usual, before) << "ordinary rows keep their bits";

  std::vector<double> exploding = before;
  exploding[4] = 1000;
  EXPECT_EQ(margin_of(exploding, y), 0);
  EXPECT_EQ(exploding[4], 8) << "the largest target of the other half";

  // Exact predictions of 9 and 0 need a little more than the other half has: [0, 8] and [2, 9].
  std::vector<double> exact = y;
  EXPECT_EQ(margin_of(exact, y), 0.3);
  EXPECT_EQ(exact, y);
}

TEST(PredictionLimits, OverflowsNeverWin) {
  const std::vector<double> y = {9, 2, 5, 4, 7, 6, 1, 8, 3, 0};
  std::vector<double> wild = y;
  wild[3] = std::numeric_limits<double>::max();
  EXPECT_LT(margin_of(wild, y), infinity);
  EXPECT_LT(wild[3], 20);
}

// If there is a trend, blocks show only one step of it, and later predictions may go further.
TEST(PredictionLimits, ATrendInOrderIsNotLimited) {
  const auto y = targets_from_0_to_9();
  std::vector<double> trend = y;
  EXPECT_EQ(margin_of(trend, y, /*in_order=*/true), infinity);
  EXPECT_EQ(trend, y);
  const std::vector<double> no_trend = {9, 2, 5, 4, 7, 6, 1, 8, 3, 0};
  std::vector<double> flat(no_trend.size(), 4.5);
  EXPECT_EQ(margin_of(flat, no_trend, /*in_order=*/true), 0.1);
}

// Body weights of animals by their brain weights: orders of magnitude on both axes, and a few dinosaurs with huge bodies and
// small brains.
Table animals(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.columns = {{"brain"}, {"y"}};
  table.values.resize(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    const double brain = std::exp(3 + 2.4 * random.normal());
    const bool is_dinosaur = i % 20 == 7;
    table.values(i, 0) = is_dinosaur ? 60 + 90 * random.uniform() : brain;
    table.values(i, 1) =
        is_dinosaur ? 9000 * std::exp(1.2 * random.uniform() * 2) : 0.04 * std::pow(brain, 1.3) * std::exp(0.7 * random.normal());
  }
  return table;
}

TEST(PredictionLimits, NoMemberOfAStackLeavesWhatItsTargetsJustify) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Table table = animals(65, seed);
    FitOptions options;
    options.target = "y";
    options.transform = "fixed";
    options.seed = static_cast<Index>(seed);
    const Regressor model = Regressor::fit(table, options);
    Table far = table;
    for (Index i = 0; i < far.values.rows(); ++i) far.values(i, 0) *= i % 2 == 0 ? 1e4 : 1e-4;
    const double maximum = table.values.col(1).maxCoeff(), minimum = table.values.col(1).minCoeff();
    for (const double f : model.predict(far)) {
      EXPECT_LE(f, maximum + (maximum - minimum)) << seed;
      EXPECT_GE(f, minimum - (maximum - minimum)) << seed;
    }
    const Regressor read = Regressor::from_bytes(model.to_bytes());
    EXPECT_EQ(read.predict(far), model.predict(far));
    for (Index row = 0; row < 10; ++row)
      EXPECT_EQ(read.predict_row(std::vector<double>{far.values(row, 0)}, {}, {}),
                model.predict(far)[static_cast<std::size_t>(row)]);
  }
}

}  // namespace
}  // namespace taut
