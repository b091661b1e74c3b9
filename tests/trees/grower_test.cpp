// A tree against the plain definition: among all splits of all nodes it takes the one with the largest gain.
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/grower.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace taut {
namespace {

struct Case {
  MatrixF x;
  Matrix gradient, curvature;
  BoosterSettings settings;
};

double gain(double g, double h, const BoosterSettings& settings) { return g * g / (h + settings.lambda); }

struct Best {
  double gain = 0;
  float value = 0;  // of the node if it is a leaf
};

// The best gain of any split of these rows, over all thresholds and both ways for missing cells.
Best search(const Case& c, const std::vector<std::vector<float>>& cuts, const Rows& rows) {
  double g = 0, h = 0;
  for (const Index row : rows) g += c.gradient(row, 0), h += c.curvature(row, 0);
  Best best{0, static_cast<float>(-c.settings.rate * g / (h + c.settings.lambda))};
  for (Index column = 0; column < c.x.cols(); ++column)
    for (const float cut : cuts[static_cast<std::size_t>(column)])
      for (const bool missing_left : {false, true}) {
        double left_g = 0, left_h = 0;
        for (const Index row : rows) {
          const float x = c.x(row, column);
          if (std::isnan(x) ? missing_left : x < cut) left_g += c.gradient(row, 0), left_h += c.curvature(row, 0);
        }
        if (left_h < c.settings.min_weight || h - left_h < c.settings.min_weight) continue;
        best.gain = std::max(
            best.gain, gain(left_g, left_h, c.settings) + gain(g - left_g, h - left_h, c.settings) - gain(g, h, c.settings));
      }
  return best;
}

// Follows the grown tree: every split has the best possible gain, and every leaf above the maximum depth had no split to make.
void check_node(const Case& c, const std::vector<std::vector<float>>& cuts, const std::vector<TreeNode>& nodes, std::size_t which,
                const Rows& rows, Index depth) {
  const Best best = search(c, cuts, rows);
  const TreeNode& node = nodes[which];
  if (node.left < 0) {
    EXPECT_NEAR(node.value, best.value, 1e-6 * std::abs(best.value) + 1e-9);
    if (depth < c.settings.depth) {
      EXPECT_LE(best.gain, std::max(c.settings.min_gain, 1e-6) * (1 + 1e-5));
    }
    return;
  }
  ASSERT_LT(depth, c.settings.depth);
  Rows left, right;
  for (const Index row : rows) {
    const float x = c.x(row, node.feature);
    (std::isnan(x) ? node.missing_left : x < node.value) ? left.push_back(row) : right.push_back(row);
  }
  const auto part = [&](const Rows& side) {
    double g = 0, h = 0;
    for (const Index row : side) g += c.gradient(row, 0), h += c.curvature(row, 0);
    return gain(g, h, c.settings);
  };
  EXPECT_NEAR(part(left) + part(right) - part(rows), best.gain, 1e-5 * std::abs(best.gain)) << "node " << which;
  EXPECT_GT(best.gain, c.settings.min_gain);
  check_node(c, cuts, nodes, static_cast<std::size_t>(node.left), left, depth + 1);
  check_node(c, cuts, nodes, static_cast<std::size_t>(node.right), right, depth + 1);
}

std::vector<std::uint32_t> row_numbers(std::uint32_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

TEST(Grower, EverySplitIsTheBestOfAll) {
  for (const double missing_share : {0.0, 0.3})
    for (const Index bins : {16, 300})
      for (const double min_gain : {0.0, 5.0}) {
        Case c{
            random_inputs(400, 4, 1, missing_share), {}, {}, {.depth = 4, .min_weight = 7, .min_gain = min_gain, .bins = bins}};
        c.settings.threads = 1;
        c.gradient = -random_targets(c.x, 1, 2);
        c.curvature = Matrix::Ones(400, 1) + 0.5 * Matrix::Random(400, 1);
        const auto cuts = thresholds(c.x, bins - 2, 1);
        const BinnedInputs binned(c.x, bins, 1);
        GradientRows gradient_rows(400);
        gradient_rows.sample(row_numbers(400), c.gradient, c.curvature, 0, 1, 0, Random(1), 1);
        ASSERT_EQ(gradient_rows.sampled().size(), 400U);
        Grower grower(binned, c.settings);
        grower.grow(gradient_rows.sampled(), all_rows(4), Random(1));
        EXPECT_GT(grower.nodes().size(), 5U);
        check_node(c, cuts, grower.nodes(), 0, all_rows(400), 0);
      }
}

// Whatever depth is allowed, rows take as many steps as the tree is deep, and reach their leaves.
TEST(Grower, RowsWalkTheTreesOwnDepth) {
  const MatrixF x = random_inputs(400, 4, 1, 0.3);
  const Matrix gradient = -random_targets(x, 1, 2), curvature = Matrix::Ones(400, 1);
  const BinnedInputs binned(x, 64, 1);
  GradientRows gradient_rows(400);
  for (const Index allowed : {0, 3, 30, 200'000}) {
    gradient_rows.sample(row_numbers(400), gradient, curvature, 0, 1, 0, Random(1), 1);
    Grower grower(binned, {.depth = allowed, .min_weight = 7, .threads = 1});
    grower.grow(gradient_rows.sampled(), all_rows(4), Random(1));
    Forest forest(4, 1);
    forest.add_tree(grower.nodes());
    EXPECT_EQ(grower.depth(), forest.depth());
    EXPECT_LE(grower.depth(), std::min<Index>(allowed, 57));  // 400 rows make 57 leaves of at least seven
    std::vector<float> margins(400);
    grower.add_to_rows(row_numbers(400), margins.data(), 1);
    Matrix expected(400, 1);
    forest.evaluate(Inputs(x), expected, 1);
    for (Index row = 0; row < 400; ++row) ASSERT_EQ(margins[static_cast<std::size_t>(row)], expected(row, 0));
  }
}

TEST(GradientRows, AreTheRowsWithGradientsInOrder) {
  constexpr Index rows = 50'000;
  Matrix gradient = Matrix::Ones(rows, 2), curvature = Matrix::Ones(rows, 2);
  for (Index row = 0; row < rows; row += 3) gradient(row, 1) = curvature(row, 1) = 0;
  for (const int threads : {1, 2}) {
    GradientRows gradient_rows(rows);
    gradient_rows.sample(row_numbers(rows), gradient, curvature, 1, 2, 0, Random(1), threads);
    ASSERT_EQ(std::ssize(gradient_rows.sampled()), rows - (rows + 2) / 3);
    ASSERT_EQ(std::ssize(gradient_rows.dropped()), (rows + 2) / 3);
    for (std::size_t i = 0; i < gradient_rows.dropped().size(); ++i) ASSERT_EQ(gradient_rows.dropped()[i], 3 * i);
    for (std::size_t i = 0; i < gradient_rows.sampled().size(); ++i) {
      ASSERT_EQ(gradient_rows.sampled()[i].row, i + i / 2 + 1);
      ASSERT_EQ(gradient_rows.sampled()[i].gradient, 2);
    }
    gradient_rows.sample(row_numbers(rows), gradient, curvature, 0, 1, 0.25, Random(1), threads);
    EXPECT_NEAR(static_cast<double>(gradient_rows.sampled().size()), 0.75 * rows, 500);  // five standard deviations
    EXPECT_EQ(std::ssize(gradient_rows.sampled()) + std::ssize(gradient_rows.dropped()), rows);
  }
}

}  // namespace
}  // namespace taut
