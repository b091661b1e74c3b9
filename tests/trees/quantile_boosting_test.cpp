#include <taut/core/error.hpp>
#include <taut/trees/quantile_boosting.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr Index rows = 6000;

// Uniform noise around x_0, ten times as wide above as below where x_1 > 0 and the other way round elsewhere: every quantile is
// known.
struct Skewed {
  MatrixF x = random_inputs(rows, 3, 1);
  std::vector<double> y;

  Skewed() {
    Random random(2);
    for (Index i = 0; i < rows; ++i) y.push_back(quantile(i, random.uniform()));
  }
  double quantile(Index i, double p) const {
    const bool up = x(i, 1) > 0;
    const double below = up ? 0.2 : 2, above = up ? 2 : 0.2;
    return p < 0.5 ? -2 * (0.5 - p) * below : 2 * (p - 0.5) * above;
  }
};

QuantileBoosting settings() {
  QuantileBoosting own;
  own.probabilities = {0.1, 0.5, 0.9};
  own.min_rows = 50;
  own.seed = 3;
  return own;
}

Rows from(Index first, Index end) {
  Rows all = all_rows(end - first);
  for (Index& row : all) row += first;
  return all;
}

BoostedQuantiles boosted(const Skewed& data, int threads, const QuantileBoosting& own = settings()) {
  const BinnedInputs bins(data.x, 64, threads);
  return boost_quantiles(bins, from(0, 5000), from(5000, rows), data.y, own, ExecutionContext{.threads = threads});
}

TEST(QuantileBoosting, FindsQuantilesThatDependOnTheInputs) {
  const Skewed data;
  const auto found = boosted(data, 1);
  ASSERT_GT(found.forest.trees(), 10);
  for (Index k = 0; k < 3; ++k) {
    const double p = settings().probabilities[static_cast<std::size_t>(k)];
    double error = 0, constant = 0;
    for (Index i = 5000; i < rows; ++i) {
      error += std::abs(found.held_out(i - 5000, k) - data.quantile(i, p)) / 1000;
      constant += std::abs(found.initial[static_cast<std::size_t>(k)] - data.quantile(i, p)) / 1000;
    }
    if (p == 0.5)
      EXPECT_LT(error, 0.1) << p;  // the same everywhere
    else
      EXPECT_LT(error, 0.15 * constant) << p;
  }
}

TEST(QuantileBoosting, HeldOutRowsAreWhatTheKeptTreesSay) {
  const Skewed data;
  const auto found = boosted(data, 1);
  Matrix again(rows, 3);
  found.forest.evaluate(data.x, again, 2);
  for (Index i = 5000; i < rows; ++i)
    for (Index k = 0; k < 3; ++k)
      EXPECT_NEAR(found.initial[static_cast<std::size_t>(k)] + again(i, k), found.held_out(i - 5000, k), 1e-5);
}

TEST(QuantileBoosting, SameBitsForAnyNumberOfThreadsAndFromAFile) {
  const Skewed data;
  QuantileBoosting own = settings();
  for (const Index of_tree : {0, 2000}) {
    own.rows_of_tree = of_tree;
    const auto one = boosted(data, 1, own), many = boosted(data, 4, own);
    EXPECT_EQ(one.held_out, many.held_out);
    Archive a, b;
    one.forest.save(a);
    many.forest.save(b);
    EXPECT_EQ(a.encode(), b.encode());
    const auto back = VectorForest::load(a, 3, 3);
    Matrix was(rows, 3), is(rows, 3);
    one.forest.evaluate(data.x, was, 1);
    back.evaluate(data.x, is, 3);
    EXPECT_EQ(was, is);
  }
}

// The trees of a mirrored target are the mirrored trees.
TEST(QuantileBoosting, MirrorsWithItsTarget) {
  Skewed data;
  const auto was = boosted(data, 1);
  for (double& y : data.y) y = -y;
  const auto is = boosted(data, 1);
  for (Index i = 0; i < was.held_out.rows(); ++i)
    for (Index k = 0; k < 3; ++k) ASSERT_NEAR(was.held_out(i, k), -is.held_out(i, 2 - k), 1e-5);
}

TEST(VectorForest, MissingCellsGoWhereTheirNodeSays) {
  VectorForest forest(2, 2, 2);
  MatrixF leaves(3, 2);
  leaves << 1, 10, 2, 20, 3, 30;
  // x_1 < 0 (missing left): leaf 0; else x_0 < 5 (missing right): leaf 1, else leaf 2.
  const std::vector<TreeNode> tree = {
      {1, 2, 1, true, 0}, {-1, -1, -1, false, 0}, {3, 4, 0, false, 5}, {-1, -1, -1, false, 1}, {-1, -1, -1, false, 2}};
  forest.add_tree(tree, leaves);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  MatrixF x(5, 2);
  x << 0, -1, 0, nan, 0, 1, 7, 1, nan, 1;
  Matrix out(5, 2);
  forest.evaluate(x, out, 1);
  EXPECT_EQ(out.col(0), (Eigen::VectorXd(5) << 1, 1, 2, 3, 3).finished());
  EXPECT_EQ(out.col(1), 10 * out.col(0));
  forest.truncate(0);
  forest.evaluate(x, out, 1);
  EXPECT_EQ(out.norm(), 0);
}

// Against a walk from node to node: one output and several, the usual depth and others, branches that end early, missing cells,
// more trees than are evaluated at once.
TEST(VectorForest, GivesTheBitsOfTheTrees) {
  const MatrixF x = random_inputs(60, 5, 11, 0.2);
  for (const Index outputs : {1, 11, 16, 17, 40})
    for (const Index depth : {1, 3, 5}) {
      Random random(static_cast<std::uint64_t>(100 * outputs + depth));
      VectorForest forest(5, outputs, depth);
      MatrixF sums = MatrixF::Zero(x.rows(), outputs);
      for (int which = 0; which < 70; ++which) {
        std::vector<TreeNode> tree(1);
        std::vector<Index> depth_of{0};
        Index n_leaves = 0;
        for (std::size_t i = 0; i < tree.size(); ++i) {
          if (depth_of[i] == depth || random.uniform() < 0.2) {
            tree[i] = {-1, -1, -1, false, static_cast<float>(n_leaves++)};
            continue;
          }
          const auto left = static_cast<std::int32_t>(tree.size());
          tree[i] = {left, left + 1, static_cast<std::int32_t>(random.below(5)), random.uniform() < 0.5,
                     static_cast<float>(random.normal())};
          tree.resize(tree.size() + 2);
          depth_of.insert(depth_of.end(), 2, depth_of[i] + 1);
        }
        MatrixF leaves(n_leaves, outputs);
        for (float& value : leaves.reshaped()) value = static_cast<float>(random.normal());
        forest.add_tree(tree, leaves);
        for (Index row = 0; row < x.rows(); ++row) {
          std::size_t at = 0;
          while (tree[at].left >= 0) {
            const float cell = x(row, tree[at].feature);
            const bool goes_left = std::isnan(cell) ? tree[at].missing_left : cell < tree[at].value;
            at = static_cast<std::size_t>(goes_left ? tree[at].left : tree[at].right);
          }
          sums.row(row) += leaves.row(static_cast<Index>(tree[at].value));
        }
      }
      Matrix out(x.rows(), outputs);
      forest.evaluate(x, out, 2);
      EXPECT_EQ(out, Matrix(sums.cast<double>())) << outputs << " outputs, depth " << depth;
    }
}

// Trees that are trained on top of a start equal those for the target minus the start.
TEST(QuantileBoosting, GoesOnFromAStart) {
  Skewed data;
  const auto plain = boosted(data, 1);
  QuantileStart start{plain.initial, MatrixF(rows, 3)};
  std::vector<double> moved = data.y;
  for (Index i = 0; i < rows; ++i) {
    start.added.row(i).setConstant(static_cast<float>(i % 8));  // exact in floats and in doubles
    moved[static_cast<std::size_t>(i)] += static_cast<double>(i % 8);
  }
  const BinnedInputs bins(data.x, 64, 1);
  const auto found =
      boost_quantiles(bins, from(0, 5000), from(5000, rows), moved, settings(), ExecutionContext{.threads = 1}, &start);
  EXPECT_EQ(found.initial, plain.initial);
  ASSERT_GT(found.forest.trees(), 10);
  for (Index i = 0; i < found.held_out.rows(); ++i)
    for (Index k = 0; k < 3; ++k)
      ASSERT_NEAR(found.held_out(i, k), plain.held_out(i, k) + static_cast<double>((5000 + i) % 8), 1e-3);
}

TEST(VectorForest, RefusesDamage) {
  const auto found = boosted(Skewed(), 1);
  const auto refuses = [&](auto damage) {
    Archive archive;
    found.forest.save(archive);
    damage(archive);
    EXPECT_THROW(VectorForest::load(archive, 3, 3), Error);
  };
  const auto floats = [](const Archive& archive, const char* name) { return archive.get<std::vector<float>>(name); };
  refuses([](Archive& a) { a.put("depth", std::int64_t{0}); });
  refuses([](Archive& a) { a.put("depth", std::int64_t{60}); });
  refuses([](Archive& a) { a.put("depth", std::int64_t{2}); });
  refuses([](Archive& a) {
    auto features = a.get<std::vector<std::int32_t>>("features");
    features.front() = 3;
    a.put("features", features);
  });
  refuses([&](Archive& a) {
    auto leaves = floats(a, "leaves");
    leaves.pop_back();
    a.put("leaves", leaves);
  });
  refuses([&](Archive& a) {
    auto leaves = floats(a, "leaves");
    leaves[5] = std::numeric_limits<float>::infinity();
    a.put("leaves", leaves);
  });
  refuses([&](Archive& a) {
    auto values = floats(a, "values");
    values[0] = std::numeric_limits<float>::quiet_NaN();
    a.put("values", values);
  });
}

}  // namespace
}  // namespace taut
