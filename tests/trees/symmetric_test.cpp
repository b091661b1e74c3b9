// Symmetric trees against the plain definition: among all splits they take the one whose sum of gains over all nodes of a level
// is largest.
#include <taut/core/error.hpp>
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/symmetric_forest.hpp>
#include <taut/trees/symmetric_grower.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

std::vector<std::uint32_t> first_rows(Index count) {
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

bool goes_left(float x, float cut, bool missing_left) { return std::isnan(x) ? missing_left : x < cut; }

struct Sides {
  Rows left, right;
};

Sides part(const MatrixF& x, const Rows& rows, Index column, float cut, bool missing_left) {
  Sides sides;
  for (const Index row : rows) (goes_left(x(row, column), cut, missing_left) ? sides.left : sides.right).push_back(row);
  return sides;
}

struct Oracle {
  const MatrixF& x;
  const Matrix &gradient, &curvature;
  BoosterSettings settings;

  std::pair<double, double> sums(const Rows& rows) const {
    double g = 0, h = 0;
    for (const Index row : rows) g += gradient(row, 0), h += curvature(row, 0);
    return {g, h};
  }
  double gain(const Rows& rows) const {
    const auto [g, h] = sums(rows);
    return rows.empty() ? 0 : g * g / (h + settings.lambda);
  }
  // The gain of a split, summed over the leaves.
  double total(const std::vector<Rows>& leaves, Index column, float cut, bool missing_left) const {
    double result = 0;
    for (const Rows& leaf : leaves) {
      const Sides sides = part(x, leaf, column, cut, missing_left);
      const bool counts = sums(sides.left).second >= settings.min_weight && sums(sides.right).second >= settings.min_weight;
      result += counts ? gain(sides.left) + gain(sides.right) : gain(leaf);
    }
    return result;
  }
};

void check_levels(const Oracle& oracle, const std::vector<std::vector<float>>& cuts, const std::vector<TreeNode>& nodes,
                  Index depth) {
  std::vector<Rows> leaves = {all_rows(oracle.x.rows())};
  std::size_t first = 0;
  for (Index level = 0; level < depth; ++level, first = 2 * first + 1) {
    double best = 0;
    for (Index column = 0; column < oracle.x.cols(); ++column)
      for (const float cut : cuts[static_cast<std::size_t>(column)])
        for (const bool missing_left : {false, true}) best = std::max(best, oracle.total(leaves, column, cut, missing_left));
    const TreeNode& node = nodes[first];
    EXPECT_NEAR(oracle.total(leaves, node.feature, node.value, node.missing_left), best, 1e-5 * best) << "level " << level;
    std::vector<Rows> next;
    for (const Rows& leaf : leaves) {
      Sides sides = part(oracle.x, leaf, node.feature, node.value, node.missing_left);
      next.push_back(std::move(sides.left));
      next.push_back(std::move(sides.right));
    }
    leaves = std::move(next);
  }
  ASSERT_EQ(nodes.size(), first + leaves.size());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const auto [g, h] = oracle.sums(leaves[leaf]);
    const double expected = leaves[leaf].empty() ? 0 : -oracle.settings.rate * g / (h + oracle.settings.lambda);
    EXPECT_NEAR(nodes[first + leaf].value, expected, 1e-6 * std::abs(expected) + 1e-9);
  }
}

TEST(SymmetricGrower, EveryLevelHasTheBestSplitOfAll) {
  for (const double missing_share : {0.0, 0.3})
    for (const Index bins : {16, 300})
      for (const double min_weight : {0.0, 7.0}) {
        const MatrixF x = random_inputs(300, 4, 1, missing_share);
        const Matrix gradient = -random_targets(x, 1, 2), curvature = Matrix::Ones(300, 1) + 0.5 * Matrix::Random(300, 1);
        const BoosterSettings settings{.depth = 4, .min_weight = min_weight, .bins = bins, .threads = 1};
        const BinnedInputs binned(x, bins, 1);
        GradientRows gradient_rows(300);
        gradient_rows.sample(first_rows(300), gradient, curvature, 0, 1, 0, Random(1), 1);
        SymmetricGrower grower(binned, settings);
        grower.grow(gradient_rows.sampled(), all_rows(4), Random(1));
        ASSERT_EQ(grower.depth(), 4);
        check_levels({x, gradient, curvature, settings}, thresholds(x, bins - 2, 1), grower.nodes(), 4);
      }
}

// Most of the 64 leaves have no rows, and nothing is divided by zero, even with λ = 0.
TEST(SymmetricGrower, LeavesWithoutRowsAddNothing) {
  for (const Index rows : {1, 2, 5, 9})
    for (const double lambda : {0.0, 1.0}) {
      const MatrixF x = random_inputs(rows, 3, 1, 0.2);
      const Matrix gradient = -random_targets(x, 1, 2), curvature = Matrix::Ones(rows, 1);
      const BinnedInputs binned(x, 64, 1);
      GradientRows gradient_rows(rows);
      gradient_rows.sample(first_rows(rows), gradient, curvature, 0, 1, 0, Random(1), 1);
      SymmetricGrower grower(binned, {.depth = 6, .lambda = lambda, .min_weight = 0, .noise = 1, .threads = 1});
      grower.grow(gradient_rows.sampled(), all_rows(3), Random(1));
      Index with_value = 0;
      for (const TreeNode& node : grower.nodes()) {
        EXPECT_TRUE(std::isfinite(node.value));
        with_value += node.left < 0 && node.value != 0 ? 1 : 0;
      }
      EXPECT_LE(with_value, rows);
      EXPECT_EQ(grower.nodes().size(), (std::size_t{2} << grower.depth()) - 1);
    }
}

// Without a possible split there is one leaf.
TEST(SymmetricGrower, ConstantColumnsGiveALoneLeaf) {
  const MatrixF x = MatrixF::Constant(50, 2, 3.0F);
  const Matrix gradient = Matrix::Constant(50, 1, -1), curvature = Matrix::Ones(50, 1);
  Booster booster(Inputs(x), {.rate = 1, .lambda = 0, .symmetric = true, .threads = 1});
  booster.boost(gradient, curvature);
  EXPECT_EQ(booster.forest().nodes(), 1);
  EXPECT_FLOAT_EQ(booster.margins()(7, 0), 1);
}

struct Boosted {
  Forest forest;
  MatrixF margins;
};

Boosted boosted(const MatrixF& x, Index rounds, BoosterSettings settings) {
  const Matrix y = random_targets(x, 1, 4);
  settings.symmetric = true;
  Booster booster(Inputs(x), settings);
  for (Index round = 0; round < rounds; ++round) booster.boost(booster.margins().cast<double>() - y, Matrix::Ones(x.rows(), 1));
  return {booster.forest(), booster.margins()};
}

TEST(SymmetricTrees, SameBitsForAnyNumberOfThreads) {
  const MatrixF x = random_inputs(50'000, 5, 1, 0.1);
  const BoosterSettings one{.rate = 0.2, .row_share = 0.8, .noise = 0.5, .threads = 1};
  BoosterSettings three = one;
  three.threads = 3;
  EXPECT_EQ(boosted(x, 5, one).margins, boosted(x, 5, three).margins);
}

TEST(SymmetricTrees, NoiseMakesOtherTreesForAnotherSeedAlone) {
  const MatrixF x = random_inputs(500, 5, 1);
  const auto margins = [&](double noise, std::uint64_t seed) {
    return boosted(x, 3, {.noise = noise, .seed = seed, .threads = 1}).margins;
  };
  EXPECT_EQ(margins(0, 1), margins(0, 2));
  EXPECT_NE(margins(2, 1), margins(2, 2));
  EXPECT_EQ(margins(2, 1), margins(2, 1));
}

std::vector<double> evaluated(const SymmetricForest& forest, const MatrixF& x, Index block) {
  std::vector<double> out(static_cast<std::size_t>(x.rows()));
  for (Index begin = 0; begin < x.rows(); begin += block) {
    const Index count = std::min(block, x.rows() - begin);
    forest.evaluate(x.middleRows(begin, count),
                    std::span(out).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), 2);
  }
  return out;
}

// One row, blocks, missing cells, and trees that are less deep than the others.
TEST(SymmetricForest, GivesTheBitsOfTheForest) {
  for (const double missing_share : {0.0, 0.3})
    for (const double min_gain : {0.0, 60.0}) {
      const MatrixF x = random_inputs(700, 4, 1, missing_share);
      const Boosted trees = boosted(x, 80, {.min_gain = min_gain, .threads = 1});
      const SymmetricForest compact(trees.forest);
      Matrix expected(x.rows(), 1);
      trees.forest.evaluate(Inputs(x), expected, 1);
      for (const Index block : {1, 3, 50, 700}) {
        const auto got = evaluated(compact, x, block);
        for (Index row = 0; row < x.rows(); ++row) ASSERT_EQ(got[static_cast<std::size_t>(row)], expected(row, 0)) << block;
      }
      Archive archive;
      compact.save(archive);
      EXPECT_EQ(evaluated(SymmetricForest::load(Archive::decode(archive.encode()), 4), x, 700), evaluated(compact, x, 700));
    }
}

TEST(SymmetricForest, RefusesOtherTrees) {
  Forest forest(2, 1);
  forest.add_tree(std::vector<TreeNode>{
      {1, 2, 0, false, 0}, {-1, -1, -1, false, 1}, {3, 4, 1, false, 0}, {-1, -1, -1, false, 2}, {-1, -1, -1, false, 3}});
  EXPECT_THROW(SymmetricForest{forest}, Error);
}

TEST(SymmetricForest, RefusesADamagedFile) {
  const auto load = [](std::int64_t depth, const std::vector<std::int32_t>& features, const std::vector<float>& thresholds,
                       const std::vector<std::uint8_t>& missing_left, const std::vector<float>& values) {
    Archive archive;
    archive.put("depth", depth);
    archive.put("features", features);
    archive.put("thresholds", thresholds);
    archive.put("missing_left", missing_left);
    archive.put("values", values);
    return SymmetricForest::load(archive, 2);
  };
  EXPECT_EQ(load(1, {1}, {0.5F}, {0}, {1, 2}).trees(), 1);
  EXPECT_EQ(load(0, {}, {}, {}, {}).trees(), 0);
  EXPECT_THROW(load(-1, {1}, {0.5F}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(60, {1}, {0.5F}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {1}, {0.5F}, {0}, {1, 2, 3}), Error);
  EXPECT_THROW(load(1, {1, 1}, {0.5F}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {1}, {0.5F}, {0, 0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {2}, {0.5F}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {-1}, {0.5F}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {1}, {std::nanf("")}, {0}, {1, 2}), Error);
  EXPECT_THROW(load(1, {1}, {0.5F}, {0}, {1, std::numeric_limits<float>::infinity()}), Error);
}

}  // namespace
}  // namespace taut
