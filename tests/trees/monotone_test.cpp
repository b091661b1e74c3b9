// Monotone trees: the search against a brute-force one, the order of leaves, and forests that never turn back, exactly.
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/booster.hpp>
#include <taut/trees/monotone.hpp>
#include <taut/trees/quantile_boosting.hpp>
#include <taut/trees/symmetric_forest.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

constexpr auto up = Direction::increasing, down = Direction::decreasing, any = Direction::any, unused = Direction::unused;

struct Histogram {
  std::vector<BinRange> ranges;
  std::vector<Sums> sums;
  Sums total = Sums::Zero();
};

// Three columns of the same 200 rows; some cells are missing.
Histogram random_histogram(Random& random) {
  Histogram made;
  constexpr Index values = 6;
  for (Index column = 0; column < 3; ++column) made.ranges.push_back({column, column * (values + 1), values});
  made.sums.assign(3 * (values + 1), Sums::Zero());
  for (int row = 0; row < 200; ++row) {
    const Sums one(random.normal(), random.uniform(0.1, 1));
    made.total += one;
    for (const BinRange& range : made.ranges) made.sums[static_cast<std::size_t>(range.begin + random.below(values + 1))] += one;
  }
  return made;
}

TEST(OrderedSplit, WithoutDirectionsIsTheUsualOne) {
  Random random(1);
  const SplitRules rules{1, 5, 0};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Histogram made = random_histogram(random);
    const Split usual = best_split(made.sums.data(), made.ranges, made.total, rules);
    const Split ordered = best_ordered_split(made.sums.data(), made.ranges, made.total, rules, {any, any, any});
    EXPECT_EQ(usual.column, ordered.column);
    EXPECT_EQ(usual.threshold, ordered.threshold);
    EXPECT_EQ(usual.missing_left, ordered.missing_left);
  }
}

// Among all splits with leaves −G/(H + λ) in the right order, the search takes the largest sum of G²/(H + λ).
TEST(OrderedSplit, IsTheBestOfAllThatKeepTheOrder) {
  Random random(2);
  const SplitRules rules{1, 5, 0};
  const InputDirections directions = {up, down, unused};
  const auto leaf = [&](const Sums& sums) { return -sums[0] / (sums[1] + rules.lambda); };
  const auto gain = [&](const Sums& sums) { return sums[0] * sums[0] / (sums[1] + rules.lambda); };
  int splits = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Histogram made = random_histogram(random);
    double highest = gain(made.total);
    for (Index column = 0; column < 2; ++column)
      for (Index threshold = 0; threshold < 5; ++threshold)
        for (const bool missing_left : {false, true}) {
          const Sums* bins = made.sums.data() + made.ranges[static_cast<std::size_t>(column)].begin;
          Sums left = missing_left ? bins[6] : Sums::Zero();
          for (Index bin = 0; bin <= threshold; ++bin) left += bins[bin];
          const Sums right = made.total - left;
          const bool in_order = column == 0 ? leaf(left) <= leaf(right) : leaf(left) >= leaf(right);
          if (in_order && left[1] >= rules.min_weight && right[1] >= rules.min_weight)
            highest = std::max(highest, gain(left) + gain(right));
        }
    const Split found = best_ordered_split(made.sums.data(), made.ranges, made.total, rules, directions);
    EXPECT_NE(found.column, 2);
    if (found.column < 0) {
      EXPECT_NEAR(highest, gain(made.total), 1e-5);
      continue;
    }
    ++splits;
    EXPECT_NEAR(gain(found.left) + gain(made.total - found.left), highest, 1e-9);
  }
  EXPECT_GT(splits, 50);
}

// A complete tree with these splits, breadth first.
std::vector<TreeNode> complete_tree(const std::vector<std::pair<std::int32_t, float>>& splits, const std::vector<float>& leaves) {
  std::vector<TreeNode> tree;
  for (const auto& [input, threshold] : splits) {
    const auto child = static_cast<std::int32_t>(2 * tree.size() + 1);
    tree.push_back({child, child + 1, input, tree.size() % 2 == 0, threshold});
  }
  for (const float leaf : leaves) tree.push_back({-1, -1, -1, false, leaf});
  return tree;
}

std::vector<float> ordered_leaves(std::vector<TreeNode> tree, std::vector<double> weights, const InputDirections& directions) {
  weights.insert(weights.begin(), tree.size() - weights.size(), 0.0);
  order_leaves(tree, weights, directions);
  std::vector<float> leaves;
  for (const TreeNode& node : tree)
    if (node.left < 0) leaves.push_back(node.value);
  return leaves;
}

TEST(OrderLeaves, PoolsComparedLeavesAndNoOthers) {
  using Leaves = std::vector<float>;
  EXPECT_EQ(ordered_leaves(complete_tree({{0, 1.0F}}, {3, 1}), {1, 3}, {up}), (Leaves{1.5F, 1.5F}));
  EXPECT_EQ(ordered_leaves(complete_tree({{0, 1.0F}}, {3, 1}), {1, 3}, {down}), (Leaves{3, 1}));
  // The first split is by input 0, which must rise, the others by input 1, which is free: leaves on other sides of input 1 are
  // not compared, although one is left and one right of the first split.
  const auto split_at = [](float left, float right) {
    auto tree = complete_tree({{0, 0.0F}, {1, left}, {1, right}}, {0, 0, 0, 0});
    for (TreeNode& node : tree) node.missing_left = false;
    return tree;
  };
  const auto leaves_of = [&](float left, float right, const Leaves& values) {
    auto tree = split_at(left, right);
    for (std::size_t leaf = 0; leaf < 4; ++leaf) tree[3 + leaf].value = values[leaf];
    return ordered_leaves(tree, {1, 1, 1, 1}, {up, any});
  };
  EXPECT_EQ(leaves_of(0, 0, {1, 9, 2, 10}), (Leaves{1, 9, 2, 10}));
  EXPECT_EQ(leaves_of(0, 0, {1, 12, 2, 10}), (Leaves{1, 11, 2, 11}));
  // Where the two sides split at different places, their ranges overlap: 9 is compared with 2.
  EXPECT_EQ(leaves_of(0, 1, {1, 9, 2, 10}), (Leaves{1, 5.5F, 5.5F, 10}));
}

// Random splits, some by an input that was split before.
TEST(OrderLeaves, MakesAnyTreeMonotone) {
  Random random(3);
  const InputDirections directions = {up, down, any};
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<std::pair<std::int32_t, float>> splits;
    std::vector<float> leaves;
    std::vector<double> weights(31, 0.0);
    for (int k = 0; k < 31; ++k)
      splits.emplace_back(static_cast<std::int32_t>(random.below(3)), static_cast<float>(random.normal()));
    for (int k = 0; k < 32; ++k) {
      leaves.push_back(static_cast<float>(random.normal()));
      weights.push_back(random.uniform() < 0.3 ? 0 : random.uniform(1, 50));
    }
    std::vector<TreeNode> tree = complete_tree(splits, leaves);
    order_leaves(tree, weights, directions);
    Forest forest(3, 1);
    forest.add_tree(tree);
    for (int pair = 0; pair < 300; ++pair) {
      std::array<float, 3> low{};
      for (float& cell : low) cell = static_cast<float>(random.normal());
      if (random.below(8) == 0) low[2] = std::numeric_limits<float>::quiet_NaN();
      std::array<float, 3> high = low;
      if (random.below(4) > 0) high[0] += static_cast<float>(std::abs(random.normal()));
      if (random.below(4) > 0) high[1] -= static_cast<float>(std::abs(random.normal()));
      double a = 0, b = 0;
      forest.evaluate_row(low, {&a, 1});
      forest.evaluate_row(high, {&b, 1});
      ASSERT_LE(a, b);
    }
  }
}

// Column 0 must rise although the target is its square, column 1 must fall, column 2 is free, column 3 must not be used.
struct MonotoneTrees : ::testing::TestWithParam<bool> {
  const MatrixF x = random_inputs(3000, 4, 5, 0.05);
  Booster trained() const {
    BoosterSettings settings;
    settings.symmetric = GetParam();
    settings.depth = 5;
    settings.rate = 0.2;
    settings.row_share = 0.8;
    settings.column_share = 0.8;
    settings.noise = GetParam() ? 0.3 : 0;
    settings.directions = {up, down, any, unused};
    Booster booster(x, settings);
    Matrix gradient(x.rows(), 1);
    const Matrix curvature = Matrix::Ones(x.rows(), 1);
    for (int round = 0; round < 60; ++round) {
      for (Index row = 0; row < x.rows(); ++row) {
        const auto cell = [&](Index column) { return std::isnan(x(row, column)) ? 0.5 : static_cast<double>(x(row, column)); };
        const double y = cell(0) * cell(0) + cell(0) - std::sin(3 * cell(1)) - cell(1) + cell(0) * cell(2) + cell(3);
        gradient(row, 0) = static_cast<double>(booster.margins()(row, 0)) - y;
      }
      booster.boost(gradient, curvature);
    }
    return booster;
  }
};

TEST_P(MonotoneTrees, NeverTurnBack) {
  const Booster booster = trained();
  const Forest& forest = booster.forest();
  for (Index tree = 0; tree < forest.trees(); ++tree)
    for (const TreeNode& node : forest.tree(tree)) EXPECT_NE(node.feature, 3);
  Random random(6);
  constexpr Index pairs = 20'000;
  MatrixF low = random_inputs(pairs, 4, 7, 0.1), high = low;
  for (Index row = 0; row < pairs; ++row) {
    for (const Index column : {0, 1}) {
      float &a = low(row, column), &b = high(row, column);
      a = static_cast<float>(2 * random.normal());
      b = row % 5 == 0 ? a : static_cast<float>(2 * random.normal());
      if ((column == 0) == (a > b)) std::swap(a, b);
    }
  }
  Matrix of_low(pairs, 1), of_high(pairs, 1);
  forest.evaluate(low, of_low, 1);
  forest.evaluate(high, of_high, 1);
  EXPECT_EQ((of_low.array() > of_high.array()).count(), 0);
  EXPECT_GT((of_low.array() < of_high.array()).count(), pairs / 2);
  for (Index row = 0; row < 500; ++row) {  // through the forms for single rows too
    double a = 0, b = 0;
    forest.evaluate_row({low.row(row).data(), 4}, {&a, 1});
    forest.evaluate_row({high.row(row).data(), 4}, {&b, 1});
    EXPECT_LE(a, b);
  }
}

INSTANTIATE_TEST_SUITE_P(BothKinds, MonotoneTrees, ::testing::Bool());

TEST(MonotoneTreesOfUnusedInputs, HaveNoSplit) {
  const MatrixF x = random_inputs(200, 2, 8);
  for (const bool symmetric : {false, true}) {
    BoosterSettings settings;
    settings.symmetric = symmetric;
    settings.directions = {unused, unused};
    Booster booster(x, settings);
    const Matrix gradient = x.leftCols(1).cast<double>();
    booster.boost(gradient, Matrix::Ones(200, 1));
    EXPECT_EQ(booster.forest().nodes(), 1);
  }
}

TEST(QuantileTrees, DoNotReadUnusedInputs) {
  MatrixF x = random_inputs(600, 3, 9);
  std::vector<double> y;
  for (Index row = 0; row < x.rows(); ++row) y.push_back(3 * static_cast<double>(x(row, 0)) + static_cast<double>(x(row, 1)));
  QuantileBoosting settings{.probabilities = {0.1, 0.5, 0.9}, .min_rows = 20, .max_rounds = 20};
  settings.directions = {unused, any, any};
  const BinnedInputs bins(x, 64, 1);
  const Rows rows = all_rows(600);
  const auto boosted = boost_quantiles(bins, RowsView(rows).first(500), RowsView(rows).last(100), y, settings, {});
  ASSERT_GT(boosted.forest.trees(), 0);
  Matrix before(600, 3), after(600, 3);
  boosted.forest.evaluate(x, before, 1);
  x.col(0).array() += 1;
  boosted.forest.evaluate(x, after, 1);
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace taut
