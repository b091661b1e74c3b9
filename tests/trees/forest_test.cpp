#include <taut/core/error.hpp>
#include <taut/trees/block_forest.hpp>
#include <taut/trees/forest.hpp>
#include <taut/trees/row_forest.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace taut {
namespace {

// A random tree whose nodes come in depth-first order.
std::int32_t grow(std::vector<TreeNode>& tree, Random& random, int depth, Index inputs) {
  const auto here = tree.size();
  tree.push_back({.value = static_cast<float>(random.normal())});
  if (depth > 0 && random.uniform() < 0.8) {
    tree[here].feature = static_cast<std::int32_t>(random.below(inputs));
    tree[here].missing_left = random.below(2) == 0;
    const auto right = grow(tree, random, depth - 1, inputs);
    const auto left = grow(tree, random, depth - 1, inputs);
    tree[here].left = left;
    tree[here].right = right;
  }
  return static_cast<std::int32_t>(here);
}

struct Grown {
  Forest forest;
  std::vector<std::vector<TreeNode>> trees;
};

Grown random_forest(Index inputs, Index outputs, Index rounds, int depth, std::uint64_t seed) {
  Random random(seed);
  Grown grown{Forest(inputs, outputs), {}};
  for (Index t = 0; t < rounds * outputs; ++t) {
    grow(grown.trees.emplace_back(), random, depth, inputs);
    grown.forest.add_tree(grown.trees.back());
  }
  return grown;
}

float walk(const std::vector<TreeNode>& tree, const float* row) {
  std::size_t at = 0;
  while (tree[at].left >= 0) {
    const float x = row[tree[at].feature];
    const bool left = std::isnan(x) ? tree[at].missing_left : x < tree[at].value;
    at = static_cast<std::size_t>(left ? tree[at].left : tree[at].right);
  }
  return tree[at].value;
}

TEST(Forest, IsTheSumOfItsTrees) {
  for (const Index outputs : {1, 2, 5})
    for (const int depth : {0, 1, 4, 12}) {
      const auto grown = random_forest(7, outputs, 13, depth, 5);
      MatrixF x = random_inputs(150, 7, 2, 0.1);
      x(3, 0) = std::numeric_limits<float>::infinity();
      x(4, 1) = -std::numeric_limits<float>::infinity();
      Matrix out(150, outputs);
      grown.forest.evaluate(x, out, 3);
      std::vector<double> row(static_cast<std::size_t>(outputs));
      for (Index i = 0; i < x.rows(); ++i) {
        grown.forest.evaluate_row({x.row(i).data(), 7}, row);
        for (Index k = 0; k < outputs; ++k) {
          float sum = 0;
          for (Index t = k; t < grown.forest.trees(); t += outputs)
            sum += walk(grown.trees[static_cast<std::size_t>(t)], x.row(i).data());
          EXPECT_EQ(out(i, k), static_cast<double>(sum));
          EXPECT_EQ(row[static_cast<std::size_t>(k)], static_cast<double>(sum));
        }
      }
    }
}

// Many rows are evaluated in blocks where codes fit into bytes: also with missing and infinite cells, cells on a threshold, and a
// block that is not full.
TEST(Forest, GivesManyRowsTheBitsOfEachAlone) {
  for (const int depth : {0, 1, 3, 5, 7, 12})
    for (const Index trees : {1, 11, 400}) {
      if (trees == 400 && depth > 5) continue;
      const auto grown = random_forest(7, 3, trees, depth, 5);
      MatrixF x = random_inputs(5000 + depth, 7, 2, 0.1);
      x(3, 0) = std::numeric_limits<float>::infinity();
      x(4, 1) = -std::numeric_limits<float>::infinity();
      Index row = 10;
      for (const auto& tree : grown.trees)
        if (tree[0].left >= 0 && row < 100) x(row++, tree[0].feature) = tree[0].value;
      Matrix out(x.rows(), 3);
      std::array<double, 3> alone;
      const auto blocks = BlockForest::of(grown.forest);
      const bool fits = blocks.has_value();
      EXPECT_TRUE(fits || depth > 3 || trees > 11);
      EXPECT_FALSE(fits && depth == 5 && trees == 400) << "too many thresholds";
      EXPECT_FALSE(fits && depth == 12 && trees == 11) << "too many leaves";
      grown.forest.evaluate(x, out, 2);
      for (Index i = 0; i < x.rows(); ++i) {
        grown.forest.evaluate_row({x.row(i).data(), 7}, alone);
        for (Index k = 0; k < 3; ++k)
          ASSERT_EQ(out(i, k), alone[static_cast<std::size_t>(k)]) << depth << " " << trees << " " << i;
      }
      for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
        if (!fits || set > instruction_set()) continue;
        Matrix own(out.rows(), out.cols());
        blocks->evaluate(x, own, 2, set);
        ASSERT_TRUE(own == out) << depth << " " << trees << " instruction set " << static_cast<int>(set);
      }
    }
}

// Cells on thresholds, missing and infinite ones.
MatrixF awkward_inputs(const Grown& grown, Index rows, Index columns) {
  MatrixF x = random_inputs(rows, columns, 2, 0.1);
  for (Index row = 0; row < rows; ++row) {
    const auto& tree = grown.trees[static_cast<std::size_t>(row) % grown.trees.size()];
    const TreeNode& node = tree[static_cast<std::size_t>(row) % tree.size()];
    if (node.left >= 0) x(row, node.feature) = node.value;
    if (row % 7 == 0) x(row, row % columns) = (row % 2 == 0 ? 1.0F : -1.0F) * std::numeric_limits<float>::infinity();
  }
  return x;
}

// The sum of each output for one row, by definition.
std::vector<float> sums_of(const Grown& grown, const float* row) {
  std::vector<float> sums(static_cast<std::size_t>(grown.forest.outputs()));
  for (std::size_t t = 0; t < grown.trees.size(); ++t) sums[t % sums.size()] += walk(grown.trees[t], row);
  return sums;
}

template <class Ready>
void expect_the_bits_of_the_trees(const Ready& ready, const Grown& grown, const MatrixF& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<float> sums(static_cast<std::size_t>(grown.forest.outputs()));
    ready.add_row(x.row(i).data(), sums.data());
    ASSERT_EQ(sums, sums_of(grown, x.row(i).data())) << "row " << i << ", depth " << grown.forest.depth();
  }
}

// The first rows walk through the nodes, later ones use the prepared form.
TEST(Forest, GivesSingleRowsTheBitsOfItsTreesHoweverManyHaveAsked) {
  for (const int depth : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const Index outputs : {1, 3}) {
      const auto grown = random_forest(7, outputs, 25, depth, 3);
      const MatrixF x = awkward_inputs(grown, 400, 7);
      std::vector<double> row(static_cast<std::size_t>(outputs));
      for (Index i = 0; i < x.rows(); ++i) {
        grown.forest.evaluate_row({x.row(i).data(), 7}, row);
        const auto sums = sums_of(grown, x.row(i).data());
        ASSERT_EQ(row, std::vector<double>(sums.begin(), sums.end())) << depth << " " << i;
      }
    }
}

TEST(CompleteForest, GivesTheBitsOfTheTrees) {
  for (const int depth : {4, 5, 6, 7, 8})
    for (const Index outputs : {1, 2, 3})
      for (const Index rounds : {21, 64, 90}) {  // blocks of 64 trees, whole and not
        const auto grown = random_forest(7, outputs, rounds, depth, 3);
        const auto ready = CompleteForest::of(grown.forest);
        ASSERT_TRUE(ready) << depth;
        expect_the_bits_of_the_trees(*ready, grown, awkward_inputs(grown, 200, 7));
      }
}

TEST(CompleteForest, TakesManySplitsOfAColumn) {
  auto grown = random_forest(2, 1, 200, 8, 4);  // several thousands of each, more than codes of one byte can hold
  EXPECT_FALSE(RowForest::of(grown.forest));
  const auto ready = CompleteForest::of(grown.forest);
  ASSERT_TRUE(ready);
  expect_the_bits_of_the_trees(*ready, grown, awkward_inputs(grown, 200, 2));
}

TEST(CompleteForest, IsNotMadeOfDeepUnevenOrTooManyTrees) {
  EXPECT_FALSE(CompleteForest::of(random_forest(7, 1, 25, 9, 3).forest)) << "deeper than 8";
  EXPECT_FALSE(CompleteForest::of(random_forest(7, 1, 25, 0, 3).forest)) << "lone leaves, each of which would become 32";
  EXPECT_FALSE(CompleteForest::of(random_forest(7, 1, 1500, 8, 3).forest)) << "more than 65,536 splits";
  Forest uneven(2, 1);
  std::vector<TreeNode> chain;  // on every level the right child is a leaf
  for (std::int32_t level = 0; level < 8; ++level) {
    chain.push_back({.left = 2 * level + 2, .right = 2 * level + 1, .feature = 0, .value = static_cast<float>(level)});
    chain.push_back({.value = 1});
  }
  chain.push_back({.value = 2});
  uneven.add_tree(chain);
  ASSERT_EQ(uneven.depth(), 8);
  EXPECT_FALSE(CompleteForest::of(uneven)) << "17 nodes would become 511";
}

TEST(RowForest, GivesTheBitsOfTheTrees) {
  for (const int depth : {0, 1, 4, 9})
    for (const Index outputs : {1, 3}) {
      const auto grown = random_forest(7, outputs, 25, depth, 3);
      const auto ready = RowForest::of(grown.forest);
      ASSERT_EQ(ready.has_value(), depth < 9) << "too many thresholds of a feature";
      if (ready) expect_the_bits_of_the_trees(*ready, grown, awkward_inputs(grown, 400, 7));
    }
}

TEST(Forest, IsMadeReadyForRowsAnewWhenItChanges) {
  auto grown = random_forest(4, 1, 40, 3, 8);
  ASSERT_TRUE(RowForest::of(grown.forest));
  const MatrixF x = awkward_inputs(grown, 300, 4);
  const auto sum_of = [&](std::size_t trees, Index row) {
    float sum = 0;
    for (std::size_t t = 0; t < trees; ++t) sum += walk(grown.trees[t], x.row(row).data());
    return static_cast<double>(sum);
  };
  const auto expect_sums = [&](const Forest& forest, std::size_t trees) {
    for (Index i = 0; i < x.rows(); ++i) {
      double sum = 0;
      forest.evaluate_row({x.row(i).data(), 4}, {&sum, 1});
      ASSERT_EQ(sum, sum_of(trees, i)) << trees << " " << i;
    }
  };
  Forest more = grown.forest;
  more.add_tree(grown.trees[0]);
  expect_sums(grown.forest, 40);
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = 0;
    more.evaluate_row({x.row(i).data(), 4}, {&sum, 1});
    const float last = walk(grown.trees[0], x.row(i).data());
    ASSERT_EQ(sum, static_cast<double>(static_cast<float>(sum_of(40, i)) + last)) << "a copy has its own";
  }
  Forest fewer = grown.forest;
  fewer.truncate(30);
  expect_sums(fewer, 30);
  fewer.add_tree(grown.trees[30]);
  expect_sums(fewer, 31);
  expect_sums(grown.forest, 40);
}

TEST(Forest, IsMadeReadyForRowsOnceWhicheverThreadsAsk) {
  const auto grown = random_forest(5, 1, 60, 4, 2);
  const MatrixF x = awkward_inputs(grown, 500, 5);
  Matrix expected(x.rows(), 1);
  grown.forest.evaluate(x, expected, 1);
  std::array<Matrix, 4> found;
  std::vector<std::thread> threads;
  for (Matrix& own : found)
    threads.emplace_back([&] {
      own.resize(x.rows(), 1);
      for (Index i = 0; i < x.rows(); ++i) grown.forest.evaluate_row({x.row(i).data(), 5}, {own.row(i).data(), 1});
    });
  for (std::thread& thread : threads) thread.join();
  for (const Matrix& own : found) EXPECT_EQ(own, expected);
}

TEST(Forest, ManyInputsAndGroupsOnOneRow) {
  const auto grown = random_forest(300, 200, 2, 3, 9);
  const MatrixF x = random_inputs(1, 300, 1);
  Matrix out(1, 200);
  grown.forest.evaluate(x, out, 1);
  std::vector<double> row(200);
  grown.forest.evaluate_row({x.data(), 300}, row);
  for (Index k = 0; k < 200; ++k) EXPECT_EQ(out(0, k), row[static_cast<std::size_t>(k)]);
}

TEST(Forest, TruncatedIsTheForestOfTheFirstRounds) {
  auto grown = random_forest(4, 2, 9, 4, 1);
  Forest first(4, 2);
  for (std::size_t t = 0; t < 6; ++t) first.add_tree(grown.trees[t]);
  grown.forest.truncate(3);
  Archive a, b;
  grown.forest.save(a);
  first.save(b);
  EXPECT_EQ(a.encode(), b.encode());
  grown.forest.truncate(0);
  Matrix out = Matrix::Ones(5, 2);
  grown.forest.evaluate(random_inputs(5, 4, 1), out, 1);
  EXPECT_EQ(out, Matrix::Zero(5, 2));
}

TEST(Forest, SurvivesItsArchive) {
  const auto grown = random_forest(6, 3, 8, 5, 4);
  Archive archive;
  grown.forest.save(archive);
  const Forest loaded = Forest::load(Archive::decode(archive.encode()), 6, 3);
  EXPECT_EQ(loaded.depth(), grown.forest.depth());
  const MatrixF x = random_inputs(100, 6, 2, 0.1);
  Matrix a(100, 3), b(100, 3);
  grown.forest.evaluate(x, a, 1);
  loaded.evaluate(x, b, 2);
  EXPECT_EQ(a, b);
}

TEST(Forest, RefusesDamagedArchives) {
  using Ints = std::vector<std::int32_t>;
  using Bytes = std::vector<std::uint8_t>;
  using Floats = std::vector<float>;
  const auto load = [](Ints sizes, Ints features, Bytes missing_left, Floats values, Index inputs = 2, Index outputs = 1) {
    Archive archive;
    archive.put("sizes", std::move(sizes));
    archive.put("features", std::move(features));
    archive.put("missing_left", std::move(missing_left));
    archive.put("values", std::move(values));
    return Forest::load(archive, inputs, outputs);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_NO_THROW(load({3}, {1, -1, -1}, {0, 0, 0}, {0, 1, 2}));
  EXPECT_THROW(load({3}, {2, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "no such input";
  EXPECT_THROW(load({3}, {-2, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "negative input";
  EXPECT_THROW(load({3}, {-1, 0, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "its own child";
  EXPECT_THROW(load({3}, {-1, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "orphans";
  EXPECT_THROW(load({2}, {0, -1}, {0, 0}, {0, 1}), Error) << "one child only";
  EXPECT_THROW(load({1}, {0}, {0}, {0}), Error) << "no children";
  EXPECT_THROW(load({3}, {0, -1, -1}, {0, 0, 0}, {nan, 1, 2}), Error);
  EXPECT_THROW(load({3}, {0, -1, -1}, {0, 0, 0}, {0, inf, 2}), Error);
  EXPECT_THROW(load({5}, {0, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "longer than its arrays";
  EXPECT_THROW(load({0, 3}, {0, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "empty tree";
  EXPECT_THROW(load({-3}, {0, -1, -1}, {0, 0, 0}, {0, 1, 2}), Error) << "negative size";
  EXPECT_THROW(load({1}, {-1, -1}, {0, 0}, {0, 1}), Error) << "left over";
  EXPECT_THROW(load({3}, {0, -1, -1}, {0, 0}, {0, 1, 2}), Error) << "ragged arrays";
  EXPECT_THROW(load({1}, {-1}, {0}, {0}, 2, 2), Error) << "an output without a tree";
  EXPECT_THROW(load({1}, {-1}, {0}, {0}, 2, 0), Error) << "no outputs";
  EXPECT_THROW(Forest::load(Archive(), 2, 1), Error);
}

}  // namespace
}  // namespace taut
