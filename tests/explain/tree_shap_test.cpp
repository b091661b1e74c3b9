// TreeShap against the definition of Shapley values, on random forests.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/explain/tree_shap.hpp>
#include <tests/explain/brute_force.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

// A random tree: inputs repeat along a path, branches end early, some leaves have hardly any rows.
std::vector<TreeNode> random_tree(Random& random, Index inputs, int depth) {
  std::vector<TreeNode> tree(1);
  std::vector<int> depths = {0};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (depths[i] == depth || (i > 0 && random.uniform() < 0.2)) {
      tree[i].value = static_cast<float>(random.normal());
      tree[i].cover = static_cast<float>(1 + random.below(random.uniform() < 0.2 ? 2 : 1000));
      continue;
    }
    tree[i].left = static_cast<std::int32_t>(tree.size());
    tree[i].right = tree[i].left + 1;
    tree[i].feature = static_cast<std::int32_t>(random.below(inputs));
    tree[i].missing_left = random.uniform() < 0.5;
    tree[i].value = static_cast<float>(random.normal());
    tree.resize(tree.size() + 2);
    depths.resize(tree.size(), depths[i] + 1);
  }
  return tree;
}

Forest random_forest(Random& random, Index inputs, Index outputs, int trees, int depth) {
  Forest forest(inputs, outputs);
  for (int k = 0; k < trees * static_cast<int>(outputs); ++k) forest.add_tree(random_tree(random, inputs, depth));
  return forest;
}

MatrixF random_rows(Random& random, Index rows, Index inputs) {
  MatrixF x(rows, inputs);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < inputs; ++j)
      x(i, j) = random.uniform() < 0.1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.normal());
  return x;
}

std::vector<double> by_definition(const Forest& forest, std::span<const float> x, std::span<const Index> player_of, Index players,
                                  Index output, const std::function<unsigned(unsigned)>& coalition_of = {}) {
  return testing::shapley_values(static_cast<int>(players), [&](unsigned known) {
    double sum = 0;
    for (Index tree = output; tree < forest.trees(); tree += forest.outputs())
      sum += testing::expected_output(forest.tree(tree), x, player_of, coalition_of ? coalition_of(known) : known);
    return sum;
  });
}

TEST(TreeShap, EqualsTheDefinitionOnRandomForests) {
  Random random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const Index inputs = 1 + random.below(10), outputs = 1 + random.below(2);
    const Forest forest = random_forest(random, inputs, outputs, 3, 1 + static_cast<int>(random.below(9)));
    // In every third trial inputs share players, as the parts of a date do.
    const Index players = trial % 3 == 0 ? (inputs + 1) / 2 : inputs;
    std::vector<Index> player_of;
    for (Index i = 0; i < inputs; ++i) player_of.push_back(i % players);
    const TreeShap shap(forest, player_of, players);
    const MatrixF x = random_rows(random, 11, inputs);
    for (Index output = 0; output < outputs; ++output) {
      Matrix shares = Matrix::Zero(x.rows(), players);
      shap.add(x, output, 1, shares, 2);
      for (Index row = 0; row < x.rows(); ++row) {
        const std::span<const float> cells(x.row(row).data(), static_cast<std::size_t>(inputs));
        const auto expected = by_definition(forest, cells, player_of, players, output);
        for (Index p = 0; p < players; ++p)
          EXPECT_NEAR(shares(row, p), expected[static_cast<std::size_t>(p)], 1e-13) << "trial " << trial;
      }
    }
  }
}

TEST(TreeShap, SharesAndBaseAddUpToTheOutput) {
  Random random(2);
  const Forest forest = random_forest(random, 30, 1, 50, 12);
  const Rows players = all_rows(30);
  const TreeShap shap(forest, players, 30);
  const MatrixF x = random_rows(random, 200, 30);
  Matrix shares = Matrix::Zero(x.rows(), 30), out(x.rows(), 1);
  shap.add(x, 0, 1, shares, 1);
  forest.evaluate(x, out, 1);  // in floats
  for (Index row = 0; row < x.rows(); ++row) EXPECT_NEAR(shap.base(0) + shares.row(row).sum(), out(row, 0), 2e-5);
}

TEST(TreeShap, BranchesThatNoRowTookCountNothing) {
  Forest forest(2, 1);
  forest.add_tree(std::vector<TreeNode>{{1, 2, 0, false, 0.5F},
                                        {-1, -1, -1, false, 1, 0},
                                        {3, 4, 1, false, 0.5F},
                                        {-1, -1, -1, false, 2, 7},
                                        {-1, -1, -1, false, 5, 3}});
  const Rows players = {0, 1};
  const TreeShap shap(forest, players, 2);
  EXPECT_NEAR(shap.base(0), 0.7 * 2 + 0.3 * 5, 1e-12);
  MatrixF x(2, 2);
  x << 0, 0, 1, 1;
  Matrix shares = Matrix::Zero(2, 2);
  shap.add(x, 0, 1, shares, 1);
  EXPECT_NEAR(shap.base(0) + shares.row(0).sum(), 1, 1e-12);
  EXPECT_NEAR(shares(1, 0), 0, 1e-12);
  EXPECT_NEAR(shares(1, 1), 5 - shap.base(0), 1e-12);
}

// With one player fixed, the others play the remaining game. Differences between the player in and out are interactions.
TEST(TreeShap, WithAPlayerFixedTheOthersPlayTheRemainingGame) {
  Random random(3);
  for (int trial = 0; trial < 12; ++trial) {
    const Index inputs = 5;
    const Forest forest = random_forest(random, inputs, 1, 3, 6);
    const Rows player_of = all_rows(inputs);
    const MatrixF x = random_rows(random, 5, inputs);
    for (const bool is_in : {false, true}) {
      const Index settled = trial % inputs;
      Matrix shares = Matrix::Zero(x.rows(), inputs);
      TreeShap(forest, player_of, inputs, {settled, is_in}).add(x, 0, 1, shares, 1);
      for (Index row = 0; row < x.rows(); ++row) {
        const std::span<const float> cells(x.row(row).data(), static_cast<std::size_t>(inputs));
        const unsigned bit = 1U << settled;
        const auto expected = by_definition(forest, cells, player_of, inputs, 0,
                                            [&](unsigned known) { return is_in ? known | bit : known & ~bit; });
        for (Index p = 0; p < inputs; ++p) EXPECT_NEAR(shares(row, p), expected[static_cast<std::size_t>(p)], 1e-13);
      }
    }
  }
}

TEST(TreeShap, ThreadsAndBatchesChangeNoBit) {
  Random random(4);
  const Forest forest = random_forest(random, 6, 1, 20, 6);
  const TreeShap shap(forest, all_rows(6), 6);
  const MatrixF x = random_rows(random, 1500, 6);
  Matrix one = Matrix::Zero(x.rows(), 6), two = one, alone = Matrix::Zero(1, 6);
  shap.add(x, 0, 1, one, 1);
  shap.add(x, 0, 1, two, 2);
  EXPECT_EQ(one, two);
  shap.add(x.middleRows(777, 1), 0, 1, alone, 1);
  EXPECT_EQ(alone.row(0), one.row(777));
}

TEST(TreeShap, RefusesTreesWithoutCovers) {
  Forest forest(1, 1);
  forest.add_tree(std::vector<TreeNode>{{1, 2, 0, false, 0.5F}, {-1, -1, -1, false, 1}, {-1, -1, -1, false, 2}});
  EXPECT_THROW(TreeShap(forest, all_rows(1), 1), Error);
}

TEST(Quadrature, IntegratesPowersExactly) {
  for (int points = 1; points <= 20; ++points) {
    const Quadrature& rule = gauss_legendre(points);
    for (int power = 0; power < 2 * points; ++power) {
      double sum = 0;
      for (std::size_t q = 0; q < rule.nodes.size(); ++q) sum += rule.weights[q] * std::pow(rule.nodes[q], power);
      EXPECT_NEAR(sum, 1.0 / (power + 1), 1e-14);
    }
  }
}

}  // namespace
}  // namespace taut
