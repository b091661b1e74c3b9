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
  own.least_rows = 50;
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
      EXPECT_LT(error, 0.06) << p;  // the same everywhere
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
