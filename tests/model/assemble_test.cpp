// Models from trees and score distributions that were computed elsewhere.
#include <taut/core/error.hpp>
#include <taut/task/number/assemble.hpp>

#include <gtest/gtest.h>
#include <tests/support/small_models.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using testing::rows_of;
using testing::small_table;

// x[feature] < at ? left : right, missing cells to the left.
std::vector<TreeNode> stump(std::int32_t feature, float at, float left, float right) {
  return {{.left = 1, .right = 2, .feature = feature, .missing_left = true, .value = at}, {.value = left}, {.value = right}};
}

FitOptions options_of_assembly() {
  FitOptions options;
  options.target = "y";
  options.drop = {"f", "sigma"};
  return options;
}

struct Assembled : ::testing::Test {
  Table table = small_table(300);
  Regressor begun = begin_assembly(table, options_of_assembly());
  OutsidePredictor f{.centre = 2, .unit = 0.5, .members = {{1, {stump(0, 0.3F, -1, 3)}}, {0, {stump(0, 0.6F, 0.5F, 1)}}}};
  OutsideScale s{.unit = 4,
                 .prediction_offset = 0.25,
                 .exponent = 0.5,
                 .members = {{.sides = {{0.5, {stump(0, 0.5F, -1, 1)}}}, .centre = 0.125}}};
};

TEST_F(Assembled, PredictsWhatItsTreesSay) {
  const Regressor model = assemble(begun, f, s, {"elsewhere", 1000, 10, 990});
  const MatrixF x = inputs_of_trees(begun, table, 1);
  const auto predicted = model.predict(table);
  const Matrix scales = model.log_scales(table);
  for (Index i = 0; i < table.rows(); ++i) {
    const double one = 1 + (x(i, 0) < 0.3F ? -1 : 3), other = x(i, 0) < 0.6F ? 0.5 : 1;
    EXPECT_EQ(predicted[static_cast<std::size_t>(i)], 2 + 0.5 * (one + other) / 2);
    EXPECT_DOUBLE_EQ(scales(i, 0), 0.5 * (0.5 + (x(i, 0) < 0.5F ? -1 : 1)) - 0.5 * 0.125 + std::log(4.0));
  }
  EXPECT_EQ(model.record().rows, 1000);
  EXPECT_EQ(model.record().predictor_rows, 990);
  EXPECT_EQ(Regressor::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
}

// The side with fewer trees is padded, and its trees are not mixed with those of the other side.
TEST_F(Assembled, SidesHaveTreesOfTheirOwn) {
  s.exponent = 1;
  s.members.front().sides = {{0, {stump(0, 0.5F, -1, 1)}}, {0.25, {stump(0, 0.5F, 2, 3), stump(0, 0.1F, 5, 7)}}};
  const Regressor model = assemble(begun, f, s, {"elsewhere", 1000, 0, 1000});
  const MatrixF x = inputs_of_trees(begun, table, 1);
  const Matrix scales = model.log_scales(table);
  const double common = std::log(4.0) - 0.125;
  for (Index i = 0; i < table.rows(); ++i) {
    EXPECT_DOUBLE_EQ(scales(i, 0), common + (x(i, 0) < 0.5F ? -1 : 1));
    EXPECT_DOUBLE_EQ(scales(i, 1), common + 0.25 + (x(i, 0) < 0.5F ? 2 : 3) + (x(i, 0) < 0.1F ? 5 : 7));
  }
}

// If one scale has one side and the other has two, the one side is used for both.
TEST_F(Assembled, TwoScalesAreAveraged) {
  s.exponent = 1;
  s.other = {{.sides = {{1, {}}, {3, {}}}, .centre = 2}};
  const Matrix scales = assemble(begun, f, s, {"elsewhere", 1000, 0, 1000}).log_scales(table);
  const MatrixF x = inputs_of_trees(begun, table, 1);
  ASSERT_EQ(scales.cols(), 2);
  for (Index i = 0; i < table.rows(); ++i) {
    const double one = 0.5 + (x(i, 0) < 0.5F ? -1 : 1) - 0.125;
    EXPECT_DOUBLE_EQ(scales(i, 0), std::log(4.0) + (one - 1) / 2);
    EXPECT_DOUBLE_EQ(scales(i, 1), std::log(4.0) + (one + 1) / 2);
  }
}

TEST_F(Assembled, WithoutScaleIntervalsHaveOneWidth) {
  Regressor model = assemble(begun, f, {}, {"elsewhere", 300, 0, 300});
  EXPECT_EQ(model.transform_name(), "fixed");
  model.calibrate(rows_of(table, 0, 100));
  const double level = 0.9;
  const auto predicted = model.predict_interval(rows_of(table, 100, 50), {&level, 1});
  for (Index i = 1; i < 50; ++i) EXPECT_NEAR(predicted.at(i, 0).width(), predicted.at(0, 0).width(), 1e-9);
}

TEST_F(Assembled, ScoresOfRowsAreThoseOfCalibration) {
  Regressor model = assemble(begun, f, s, {"elsewhere", 300, 0, 300});
  const auto scores = scores_of_rows(model, table, 1);
  model.calibrate(table);
  ASSERT_EQ(std::ssize(scores), model.distribution().rows());
  auto sorted = scores;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return (a <=> b) < 0; });
  for (Index k = 1; k <= model.distribution().rows(); ++k)
    EXPECT_EQ(model.distribution().signed_score(k), sorted[static_cast<std::size_t>(k - 1)]);
}

// Of 299 scores every third is kept and represents three: levels that are multiples of 1/100 have the same quantiles.
TEST_F(Assembled, CountedDistributionServesItsLevelsAsAllRowsDo) {
  Regressor all = assemble(begun, f, s, {"elsewhere", 300, 0, 300});
  const Table used = rows_of(table, 0, 299);
  const std::string before = all.to_bytes();
  all.calibrate(used);
  Regressor few = Regressor::from_bytes(before);
  few.calibrate(rows_of(table, 0, 99));
  std::vector<double> sizes;
  std::vector<SignedScore> by_t;
  for (Index k = 3; k <= 299; k += 3) {
    sizes.push_back(all.distribution().scores()[static_cast<std::size_t>(k - 1)]);
    by_t.push_back(all.distribution().signed_score(k));
  }
  const Regressor counted = Regressor::from_bytes(with_counted_distribution(few, sizes, by_t).to_bytes());
  EXPECT_EQ(counted.distribution().rows(), 99);
  for (int percent = 1; percent < 100; ++percent) {
    const double level = percent / 100.0;
    EXPECT_EQ(counted.distribution().quantile(level), all.distribution().quantile(level)) << percent;
    EXPECT_EQ(counted.distribution().upper(level), all.distribution().upper(level)) << percent;
    EXPECT_EQ(counted.distribution().lower(level), all.distribution().lower(level)) << percent;
  }
  EXPECT_EQ(Regressor::from_bytes(counted.to_bytes()).to_bytes(), counted.to_bytes());
}

TEST_F(Assembled, RefusesWhatDoesNotFit) {
  const OutsideRecord record{"elsewhere", 300, 0, 300};
  EXPECT_THROW(assemble(begun, {}, s, record), Error);
  OutsidePredictor beyond = f;
  beyond.members.front().trees = {stump(99, 0, 1, 2)};
  EXPECT_THROW(assemble(begun, beyond, s, record), Error);
  OutsideScale uneven = s;
  uneven.members.push_back({.sides = {{}, {}}, .centre = 0});
  EXPECT_THROW(assemble(begun, f, uneven, record), Error);
  Regressor model = assemble(begun, f, s, record);
  model.calibrate(table);
  EXPECT_THROW(with_counted_distribution(model, {1, 2}, {{Side::above, 1}}), Error);
  EXPECT_THROW(with_counted_distribution(model, {2, 1}, {{Side::above, 1}, {Side::above, 2}}), Error);
}

}  // namespace
}  // namespace taut
