// Properties of the boosted predictor only; predictor_test.cpp has those of every predictor.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/boosting.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Sample {
  MatrixF x;
  std::vector<double> y;
};

// y = sin(2 a) + 1{b missing} − c/2 + noise, c a category code
Sample sample(Index rows, std::uint64_t seed, double noise) {
  Random random(seed);
  Sample s{MatrixF(rows, 3), {}};
  for (Index i = 0; i < rows; ++i) {
    const double a = random.uniform(-2, 2);
    const bool absent = random.uniform() < 0.3;
    const auto code = static_cast<double>(random.below(3));
    s.x.row(i) << static_cast<float>(a), absent ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.normal()),
        static_cast<float>(code);
    s.y.push_back(std::sin(2 * a) + (absent ? 1 : 0) - code / 2 + noise * random.normal());
  }
  return s;
}

std::vector<double> predicted(const Predictor& predictor, const MatrixF& x, int threads = 1) {
  std::vector<double> out(static_cast<std::size_t>(x.rows()));
  predictor.predict(x, out, threads);
  return out;
}

std::unique_ptr<Predictor> fitted(const Sample& s, const PredictorSettings& settings = {}, int threads = 1,
                                  const char* name = "boost") {
  auto predictor = predictors().make(name);
  predictor->fit(s.x, all_rows(s.x.rows()), s.y, settings, taut::ExecutionContext{.threads = threads});
  return predictor;
}

double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(BoostPredictor, LearnsCurvesCodesAndMissingCells) {
  const Sample train = sample(4000, 1, 0.2), test = sample(1000, 2, 0);
  for (const auto effort : {SearchEffort::quick, SearchEffort::normal, SearchEffort::thorough}) {
    PredictorSettings settings;
    settings.effort = effort;
    EXPECT_LT(mean_square(predicted(*fitted(train, settings), test.x), test.y), 0.006) << static_cast<int>(effort);
  }
}

Index trees_of(const Predictor& predictor) {
  Archive archive;
  predictor.save(archive);
  return std::ssize(archive.get<std::vector<std::int32_t>>("trees/sizes"));
}

// Squares of side 1/8 with independent values: usual trees are too shallow to tell 32 × 32 of them apart.
TEST(DeepPredictor, LearnsManySmallCells) {
  Random random(3);
  std::vector<double> cells(32 * 32);
  for (double& value : cells) value = random.normal();
  const auto of_rows = [&](Index rows) {
    Sample s{MatrixF(rows, 2), {}};
    for (Index i = 0; i < rows; ++i) {
      const double a = random.uniform(0, 4), b = random.uniform(0, 4);
      s.x.row(i) << static_cast<float>(a), static_cast<float>(b);
      s.y.push_back(cells[static_cast<std::size_t>(8 * a) * 32 + static_cast<std::size_t>(8 * b)]);
    }
    return s;
  };
  const Sample train = of_rows(6000), test = of_rows(1000);
  const double deep = mean_square(predicted(*fitted(train, {}, 1, "deep"), test.x), test.y);
  EXPECT_LT(deep, 0.75 * mean_square(predicted(*fitted(train), test.x), test.y));
}

TEST(DeepPredictor, JoinsStacksOfManyRowsAndFewColumns) {
  const auto deep = predictors().make("deep");
  EXPECT_TRUE(deep->joins_stack(1000, 50, SearchEffort::normal));
  EXPECT_FALSE(deep->joins_stack(999, 50, SearchEffort::normal));
  EXPECT_FALSE(deep->joins_stack(1000, 51, SearchEffort::normal));
  EXPECT_FALSE(deep->joins_stack(1000, 50, SearchEffort::quick));
}

// Few rows, an ordinary number of rows, and enough rows that the steps of normal effort are larger too.
TEST(BoostPredictor, QuickGrowsFewerTreesAtAnySize) {
  for (const Index rows : {100, 1000, 6000, 25'000}) {
    const Sample train = sample(rows, 7, 0.5);
    PredictorSettings settings;
    const Index normal = trees_of(*fitted(train, settings));
    settings.effort = SearchEffort::quick;
    EXPECT_LT(trees_of(*fitted(train, settings)), normal) << rows;
  }
}

TEST(BoostPredictor, StopsInTimeWhereThereIsNothingToLearn) {
  Sample noise = sample(500, 3, 0);
  Random random(4);
  for (double& y : noise.y) y = random.normal();
  const std::vector<double> zeros(noise.y.size(), 0.0);
  EXPECT_LT(mean_square(predicted(*fitted(noise), noise.x), zeros), 0.15);
}

TEST(BoostPredictor, SameBitsForAnyNumberOfThreads) {
  const Sample train = sample(40'000, 5, 0.5);
  PredictorSettings settings;
  settings.effort = SearchEffort::quick;
  EXPECT_EQ(predicted(*fitted(train, settings, 1), train.x, 1), predicted(*fitted(train, settings, 3), train.x, 2));
}

TEST(BoostPredictor, FitsFewRowsAndConstants) {
  for (const Index rows : {1, 2, 7, 39, 41}) {
    const Sample few = sample(rows, 6, 0.1);
    for (const double value : predicted(*fitted(few), few.x)) EXPECT_TRUE(std::isfinite(value));
  }
  Sample constant = sample(200, 7, 0);
  constant.y.assign(constant.y.size(), 3.5);
  for (const double value : predicted(*fitted(constant), constant.x)) EXPECT_EQ(value, 3.5);
}

TEST(ManyRows, AreTriedInParts) {
  EXPECT_EQ(row_counts_to_try(1000, 1000), (std::vector<Index>{1000}));
  EXPECT_EQ(row_counts_to_try(1001, 1000), (std::vector<Index>{250, 1001}));
  EXPECT_EQ(row_counts_to_try(3000, 1000), (std::vector<Index>{250, 1000, 3000}));
  EXPECT_EQ(row_counts_to_try(20'000, 1000), (std::vector<Index>{250, 1000, 4000, 20'000}));
  EXPECT_FALSE(more_rows_stop_helping(1, infinity));  // nothing was tried before
  EXPECT_FALSE(more_rows_stop_helping(0.99, 1));
  EXPECT_TRUE(more_rows_stop_helping(0.996, 1));
  EXPECT_TRUE(more_rows_stop_helping(0, 0));
  EXPECT_TRUE(more_rows_stop_helping(1.1, 1));
}

// A step plus noise, for which a part of the rows is enough, and a separate mean for each of 400 cells, which needs all rows.
TEST(ManyRows, AreAllUsedOnlyWhereTheyHelpSlow) {
  static constexpr Index rows = 60'000, many = 16'000;
  const auto rows_of_tree = [](bool has_cells) {
    Random random(10);
    MatrixF x(rows, 2);
    std::vector<double> y, cells(400);
    for (double& cell : cells) cell = random.normal();
    for (Index i = 0; i < rows; ++i) {
      const Index cell = random.below(400);
      x.row(i) << static_cast<float>(cell % 20), static_cast<float>(cell / 20);
      y.push_back((has_cells ? cells[static_cast<std::size_t>(cell)] : cell % 20 < 7 ? -1 : 1) + random.normal());
    }
    BoostingTrials trials = boosting_trials(rows, {}, 1);
    trials.plans.front().many_rows = many;
    trials.plans.front().booster.depth = has_cells ? 8 : 2;
    const auto [forest, sufficing] = boosted_forest(PseudoHuberLoss(), InputPool(x), all_rows(rows), y, 0, trials, 0, {});
    EXPECT_EQ(sufficing == 0, has_cells) << sufficing;
    double covered = 0;  // the cover of the leaves of the first tree is the number of rows that it was grown from
    for (const TreeNode& node : forest.tree(0)) covered += static_cast<double>(node.cover);
    return covered;
  };
  EXPECT_LT(rows_of_tree(false), many);
  EXPECT_GT(rows_of_tree(true), many);
}

TEST(BoostPredictor, CanBeStopped) {
  const Sample train = sample(400, 8, 0.1);
  taut::ExecutionContext context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(predictors().make("boost")->fit(train.x, all_rows(train.x.rows()), train.y, {}, context), Interrupted);
}

}  // namespace
}  // namespace taut
