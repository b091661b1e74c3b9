// A row of weight w is w equal rows, for everything that grows trees.
#include <taut/core/random.hpp>
#include <taut/trees/booster.hpp>
#include <taut/trees/quantile_boosting.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

// Rows with weights, and the same rows repeated.
struct WeightedRows {
  MatrixF x, repeated;
  std::vector<double> y, weights, repeated_y;
  Rows origin;  // of each repeated row
};

// Columns with many different cells, with few, and with missing ones.
WeightedRows weighted_rows(Index rows, const std::vector<double>& choices, std::uint64_t seed) {
  Random random(seed);
  WeightedRows result;
  result.x.resize(rows, 3);
  for (Index r = 0; r < rows; ++r) {
    result.x(r, 0) = static_cast<float>(random.normal());
    result.x(r, 1) = static_cast<float>(random.below(5));
    result.x(r, 2) = random.uniform() < 0.2 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.uniform());
    result.y.push_back(std::sin(2 * static_cast<double>(result.x(r, 0))) + 0.3 * static_cast<double>(result.x(r, 1)) +
                       0.2 * random.normal());
    result.weights.push_back(choices[static_cast<std::size_t>(random.below(std::ssize(choices)))]);
    for (double left = result.weights.back(); left > 0; --left) result.origin.push_back(r);
  }
  result.repeated.resize(std::ssize(result.origin), 3);
  for (Index i = 0; i < result.repeated.rows(); ++i) {
    result.repeated.row(i) = result.x.row(result.origin[static_cast<std::size_t>(i)]);
    result.repeated_y.push_back(result.y[static_cast<std::size_t>(result.origin[static_cast<std::size_t>(i)])]);
  }
  return result;
}

// Boosting of squared errors: the gradients of a row do not depend on its weight.
Forest boosted(const MatrixF& x, const std::vector<double>& y, RowWeights weights, BoosterSettings settings) {
  settings.weights = weights;
  const auto bins = std::make_shared<const BinnedInputs>(x, settings.bins, settings.threads, weights);
  Booster booster(bins, all_rows(x.rows()), {}, settings);
  Matrix gradient(x.rows(), 1), curvature = Matrix::Ones(x.rows(), 1);
  for (Index round = 0; round < 20; ++round) {
    for (Index i = 0; i < x.rows(); ++i)
      gradient(i, 0) = static_cast<double>(booster.margins()(i, 0)) - y[static_cast<std::size_t>(i)];
    booster.boost(gradient, curvature);
  }
  return booster.forest();
}

std::string bytes_of(const Forest& forest) {
  Archive archive;
  forest.save(archive);
  return archive.encode();
}

TEST(RowWeights, ThresholdsAreThoseOfRepeatedRows) {
  for (const double most : {3.0, 7.0}) {
    const WeightedRows rows = weighted_rows(900, {1, 2, most}, 3);
    for (const Index maximum : {5, 40, 200})
      EXPECT_EQ(thresholds(rows.x, maximum, 1, rows.weights), thresholds(rows.repeated, maximum, 1)) << maximum;
  }
}

// Powers of two keep the gradients of a float exact, so every bit of the trees is the same: splits, leaves and covers.
TEST(RowWeights, TreesAreThoseOfRepeatedRowsToTheBit) {
  const WeightedRows rows = weighted_rows(400, {1, 2, 4}, 1);
  for (const bool symmetric : {false, true}) {
    BoosterSettings settings{
        .depth = 5, .rate = 0.2, .min_weight = 7, .bins = 64, .symmetric = symmetric, .seed = 4, .threads = 1};
    EXPECT_EQ(bytes_of(boosted(rows.x, rows.y, rows.weights, settings)),
              bytes_of(boosted(rows.repeated, rows.repeated_y, {}, settings)));
    EXPECT_NE(bytes_of(boosted(rows.x, rows.y, rows.weights, settings)), bytes_of(boosted(rows.x, rows.y, {}, settings)));
  }
}

// With other whole weights the product may not fit a float, so the last bits differ.
TEST(RowWeights, TreesAreThoseOfRepeatedRowsWithinRounding) {
  const WeightedRows rows = weighted_rows(400, {1, 3, 5}, 2);
  const BoosterSettings settings{.depth = 3, .rate = 0.2, .min_weight = 7, .bins = 32, .threads = 1};
  Matrix own(rows.x.rows(), 1), other = own;
  boosted(rows.x, rows.y, rows.weights, settings).evaluate(rows.x, own, 1);
  boosted(rows.repeated, rows.repeated_y, {}, settings).evaluate(rows.x, other, 1);
  EXPECT_LT((own - other).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(RowWeights, SameBitsForAnyNumberOfThreads) {
  const WeightedRows rows = weighted_rows(30'000, {0.3, 1.7, 2.01, 11}, 5);
  for (const bool symmetric : {false, true}) {
    BoosterSettings settings{
        .depth = 4, .rate = 0.2, .row_share = 0.8, .bins = 64, .symmetric = symmetric, .noise = symmetric ? 0.3 : 0};
    settings.threads = 1;
    const std::string one = bytes_of(boosted(rows.x, rows.y, rows.weights, settings));
    settings.threads = 3;
    EXPECT_EQ(bytes_of(boosted(rows.x, rows.y, rows.weights, settings)), one);
  }
}

TEST(RowWeights, QuantilesAreThoseOfRepeatedRows) {
  const WeightedRows rows = weighted_rows(300, {1, 2, 4}, 6);
  QuantileBoosting settings{
      .probabilities = {0.1, 0.5, 0.9}, .depth = 2, .rate = 0.2, .min_rows = 20, .max_rounds = 15, .patience = 15};
  const Index held = 200;
  Rows train, repeated_train, validation, repeated_validation;
  for (Index r = 0; r < rows.x.rows(); ++r) (r < held ? train : validation).push_back(r);
  for (Index i = 0; i < rows.repeated.rows(); ++i)
    (rows.origin[static_cast<std::size_t>(i)] < held ? repeated_train : repeated_validation).push_back(i);
  const ExecutionContext context{.threads = 1};
  const auto plain = boost_quantiles(BinnedInputs(rows.repeated, 32, 1), repeated_train, repeated_validation, rows.repeated_y,
                                     settings, context);
  settings.weights = rows.weights;
  const auto weighted = boost_quantiles(BinnedInputs(rows.x, 32, 1, rows.weights), train, validation, rows.y, settings, context);
  EXPECT_EQ(weighted.initial, plain.initial);
  Matrix own(rows.x.rows(), 3), other = own;
  weighted.forest.evaluate(rows.x, own, 1);
  plain.forest.evaluate(rows.x, other, 1);
  EXPECT_LT((own - other).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(RowWeights, QuantilesOfRepeatedValues) {
  const std::vector<double> values = {4, 1, 3, 2}, weights = {1, 3, 2, 1};
  std::vector<double> repeated = {1, 1, 1, 2, 3, 3, 4};
  for (double p = 0; p <= 1; p += 0.01) {
    std::vector<double> copy = values;
    EXPECT_DOUBLE_EQ(interpolated_quantile(copy, weights, p), interpolated_quantile(repeated, p)) << p;
  }
  const RepeatedValues all(values, weights);
  for (std::size_t i = 0; i < repeated.size(); ++i)
    EXPECT_EQ(all.at(static_cast<double>(i)), std::vector<double>({1, 1, 1, 2, 3, 3, 4})[i]);
}

}  // namespace
}  // namespace taut
