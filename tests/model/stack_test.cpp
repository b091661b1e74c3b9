// The stack: weights are right where the answer is known, target scales are invertible, and the weighted mean is never far from
// its best member.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/predict/stack_weights.hpp>
#include <taut/predict/target_scale.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

struct KnownMix {
  Matrix predictions;
  std::vector<double> y;
};

// y is a mix of the first two columns plus noise; the third column is noise alone.
KnownMix known_mix(Index rows, double share) {
  Random random(1);
  KnownMix mix{Matrix(rows, 3), {}};
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < 3; ++k) mix.predictions(i, k) = random.normal();
    mix.y.push_back(share * mix.predictions(i, 0) + (1 - share) * mix.predictions(i, 1) + 0.1 * random.normal());
  }
  return mix;
}

TEST(StackWeights, FindTheMixThatTheDataWasMadeOf) {
  for (const double share : {0.25, 0.5, 0.8}) {
    const auto mix = known_mix(4000, share);
    const auto weights = stack_weights(mix.predictions, mix.y);
    EXPECT_NEAR(weights[0], share, 0.01);
    EXPECT_NEAR(weights[1], 1 - share, 0.01);
    EXPECT_EQ(weights[2], 0);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
  }
}

TEST(StackWeights, LeaveOutWhatCountsForLittle) {
  const auto mix = known_mix(4000, 0.99);
  const auto weights = stack_weights(mix.predictions, mix.y);
  EXPECT_EQ(weights[0], 1);
  EXPECT_EQ(weights[1], 0);
}

double error_of_stack(const Matrix& predictions, const std::vector<double>& y) {
  const auto weights = stack_weights(predictions, y);
  const Matrix mean = predictions * Eigen::Map<const Eigen::VectorXd>(weights.data(), std::ssize(weights));
  return mean_absolute_error(mean, 0, y);
}

// y is 1 above or below the first column, so the absolute error hardly depends on predictions in between. The second column
// differs slightly, and gets some weight by chance. The first is needed in any case.
TEST(StackWeights, AMemberWhoseEffectNoiseHidesIsKept) {
  constexpr Index rows = 3000;
  Random random(9);
  Matrix predictions(rows, 2);
  std::vector<double> y;
  for (Index i = 0; i < rows; ++i) {
    predictions(i, 0) = random.normal();
    predictions(i, 1) = predictions(i, 0) + 0.3 * random.uniform(-1, 1);
    y.push_back(predictions(i, 0) + (i % 2 == 0 ? 1 : -1) + 0.1 * random.normal());
  }
  EXPECT_TRUE(needed_in_stack(predictions, y, {.error = 0.0025, .change = 0.05, .clearly = 0})[0]);
}

// y is a mix of the first two columns. The third is the first plus noise, so it adds nothing.
TEST(StackWeights, ARedundantMemberIsNotNeeded) {
  auto mix = known_mix(4000, 0.6);
  Random random(3);
  for (Index i = 0; i < mix.predictions.rows(); ++i) mix.predictions(i, 2) = mix.predictions(i, 0) + 0.05 * random.normal();
  EXPECT_EQ(needed_in_stack(mix.predictions, mix.y, {.error = 0.0025, .change = 0.05, .clearly = 0}),
            (std::vector{true, true, false}));
  EXPECT_EQ(needed_in_stack(mix.predictions, mix.y, {.error = 1e9, .change = 1e9, .clearly = 0}),
            (std::vector{true, false, false}))
      << "one member is always kept, the best one";
  EXPECT_EQ(needed_in_stack(mix.predictions, mix.y, {.error = 0.0025, .change = 0.05, .clearly = 10}),
            (std::vector{true, true, true}))
      << "none is ten times as bad as the best";
}

// Of two equal members one is dropped, not both, in either order.
TEST(StackWeights, OneOfTwoEqualMembersIsNeeded) {
  auto mix = known_mix(1000, 0.6);
  mix.predictions.col(2) = mix.predictions.col(1);
  const auto needed = needed_in_stack(mix.predictions, mix.y, {.error = 0.0025, .change = 0.05, .clearly = 0});
  EXPECT_TRUE(needed[0]);
  EXPECT_NE(needed[1], needed[2]);
}

// The cost of dropped members is counted together: each of twenty costs little, all of them much.
TEST(StackWeights, WhatIsLeftOutCostsNoMoreThanItsShare) {
  constexpr Index rows = 2000, members = 20;
  Random random(4);
  Matrix predictions(rows, members);
  std::vector<double> y;
  for (Index i = 0; i < rows; ++i) {
    y.push_back(random.normal());
    for (Index k = 0; k < members; ++k) predictions(i, k) = y.back() + random.normal();
  }
  for (const double share : {0.05, 0.1, 0.5}) {
    const auto needed = needed_in_stack(predictions, y, {.error = share, .change = 1e9, .clearly = 0});
    std::vector<Index> kept;
    for (Index k = 0; k < members; ++k)
      if (needed[static_cast<std::size_t>(k)]) kept.push_back(k);
    const Matrix some = predictions(Eigen::all, kept);
    EXPECT_LE(error_of_stack(some, y), (1 + share) * error_of_stack(predictions, y));
    EXPECT_LT(std::ssize(kept), members);
    EXPECT_GT(std::ssize(kept), 4);
  }
}

// No other point of a fine grid on the simplex has a smaller loss.
TEST(StackWeights, NoOtherWeightsAreBetter) {
  Random random(2);
  Matrix predictions(300, 3);
  std::vector<double> y;
  for (Index i = 0; i < 300; ++i) {
    y.push_back(random.normal());
    for (Index k = 0; k < 3; ++k) predictions(i, k) = y.back() + (1 + 0.3 * static_cast<double>(k)) * random.normal();
  }
  double unit = infinity;
  for (Index k = 0; k < 3; ++k) unit = std::min(unit, mean_absolute_error(predictions, k, y));
  const auto loss = [&](double a, double b, double c) {
    double sum = 0;
    for (Index i = 0; i < 300; ++i) {
      const double e =
          (a * predictions(i, 0) + b * predictions(i, 1) + c * predictions(i, 2) - y[static_cast<std::size_t>(i)]) / unit;
      sum += std::sqrt(1 + e * e) - 1;
    }
    return sum;
  };
  const auto found = stack_weights(predictions, y);
  const double minimum = loss(found[0], found[1], found[2]);
  for (int a = 0; a <= 50; ++a)
    for (int b = 0; a + b <= 50; ++b) EXPECT_GE(loss(a / 50.0, b / 50.0, (50 - a - b) / 50.0), minimum - 1e-6);
}

// Equal, exact or extreme members must not break it.
TEST(StackWeights, AreSoundForOddMembers) {
  for (const double value : {0.0, 1e-300, 1.0, 1e200}) {
    Matrix predictions(5, 3);
    std::vector<double> y;
    for (Index i = 0; i < 5; ++i) {
      y.push_back(value * static_cast<double>(i));
      predictions.row(i) << y.back(), y.back(), y.back() + value;
    }
    const auto weights = stack_weights(predictions, y);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12) << value;
    for (const double weight : weights) EXPECT_GE(weight, 0) << value;
  }
}

TEST(TargetScale, GoesThereAndBack) {
  const std::vector<double> y = {0.5, 2, 300};
  for (const auto& name : TargetScale::names()) {
    const TargetScale scale(name, y);
    for (const double value : y) EXPECT_NEAR(scale.backward(scale.forward(value)), value, 1e-12 * value) << name;
  }
  const std::vector<double> both = {-4, 9};
  const TargetScale root("root", both);
  EXPECT_DOUBLE_EQ(root.backward(root.forward(-4)), -4);
}

TEST(TargetScale, StaysNearWhatTrainingTargetsReach) {
  const TargetScale scale("log", std::vector<double>{1, std::exp(2.0)});
  EXPECT_DOUBLE_EQ(scale.backward(1000), std::exp(3.0));
  EXPECT_DOUBLE_EQ(scale.backward(-1000), std::exp(-1.0));
}

TEST(TargetScale, ALogarithmNeedsTargetsAboveZero) {
  EXPECT_THROW(TargetScale("log", std::vector<double>{0, 1}), Error);
  const std::vector<double> skewed = {1, 1, 1.1, 1.2, 1.3, 9, 20}, with_zero = {0, 0, 0.1, 0.2, 0.3, 9, 20},
                            even = {1, 2, 3, 4, 5};
  EXPECT_EQ(TargetScale::worth_trying(skewed), (std::vector<std::string>{"as-is", "root", "log"}));
  EXPECT_EQ(TargetScale::worth_trying(with_zero), (std::vector<std::string>{"as-is", "root"}));
  EXPECT_EQ(TargetScale::worth_trying(even), (std::vector<std::string>{"as-is"}));
}

struct StackedRows {
  Matrix x{200, 3};
  std::vector<double> y;
};

StackedRows linear_rows(bool exponential) {
  Random random(3);
  StackedRows rows;
  for (Index i = 0; i < rows.x.rows(); ++i) {
    for (Index k = 0; k < 3; ++k) rows.x(i, k) = random.normal();
    const double sum = rows.x(i, 0) + rows.x(i, 1) + 0.2 * random.normal();
    rows.y.push_back(exponential ? std::exp(2 * sum) : sum);
  }
  return rows;
}

Regressor fit_stack(const StackedRows& rows, int threads = 0, const std::string& transform = FitOptions().transform) {
  FitOptions options;
  options.predictor = "stack";
  options.transform = transform;
  return Regressor::fit({.x = rows.x, .y = rows.y}, options, {.threads = threads});
}

const StackMemberRecord& best_of(const StackRecord& stack) {
  return *std::max_element(stack.begin(), stack.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
}

const Regressor& stack_of_linear_rows() {
  static const Regressor model = fit_stack(linear_rows(false));
  return model;
}

TEST(Stack, ChoosesWhatSuitsTheTable) {
  const Regressor& model = stack_of_linear_rows();
  const StackRecord& stack = model.record().stack;
  ASSERT_GT(stack.size(), 2U);
  double boost = 0, weights = 0;
  for (const auto& member : stack) {
    if (member.predictor == "boost") boost = member.error;
    weights += member.weight;
  }
  EXPECT_NEAR(weights, 1, 1e-12);
  EXPECT_LT(best_of(stack).error, 0.7 * boost);  // a linear member fits the linear rows better
}

TEST(Stack, LearnsMultiplicativeTargetsOnTheirLogarithm) {
  EXPECT_EQ(best_of(fit_stack(linear_rows(true)).record().stack).scale, "log");
  EXPECT_EQ(best_of(stack_of_linear_rows().record().stack).scale, "as-is");
}

TEST(Stack, HasTheSameBitsForAnyNumberOfThreadsAndFromItsFileSlow) {
  const auto rows = linear_rows(true);
  const Regressor model = fit_stack(rows, 1);
  const std::string one = model.to_bytes();
  EXPECT_EQ(one, fit_stack(rows, 3).to_bytes());
  const Regressor read = Regressor::from_bytes(one);
  const Table table = Regressor::table_of({.x = rows.x});
  EXPECT_EQ(read.predict(table), model.predict(table));
  std::vector<Interval> none;
  const std::vector<double> cells = {rows.x(0, 0), rows.x(0, 1), rows.x(0, 2)};
  EXPECT_EQ(read.predict_row(cells, {}, none), read.predict(table).front());
}

// Trees look at every column in every node. On a wide table only predictors that do well in a trial are trained further.
TEST(Stack, WideTablesTryPredictorsFirstSlow) {
  Random random(5);
  StackedRows rows;
  rows.x.resize(200, 1000);  // 160 rows train
  for (Index i = 0; i < rows.x.rows(); ++i) {
    for (Index k = 0; k < rows.x.cols(); ++k) rows.x(i, k) = random.normal();
    rows.y.push_back(3 * rows.x(i, 0) - 2 * rows.x(i, 1) + 0.2 * random.normal());
  }
  const auto dropped = [](const StackRecord& stack) {
    std::vector<std::string> names;
    for (const auto& member : stack)
      if (member.dropped) names.push_back(member.predictor);
    return names;
  };
  const StackRecord wide = fit_stack(rows, 0, "fixed").record().stack;
  const auto names = dropped(wide);
  EXPECT_NE(std::find(names.begin(), names.end(), "boost"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "symmetric"), names.end());
  EXPECT_EQ(best_of(wide).predictor, "elastic");
  EXPECT_TRUE(dropped(stack_of_linear_rows().record().stack).empty());
}

StackedRows noisy_line(Index count, double noise, std::uint64_t seed) {
  Random random(seed);
  StackedRows rows;
  rows.x.resize(count, 2);
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k < 2; ++k) rows.x(i, k) = random.normal();
    rows.y.push_back(2 * rows.x(i, 0) - rows.x(i, 1) + noise * random.normal());
  }
  return rows;
}

StackMemberRecord boost_of(const Regressor& model) {
  const auto& stack = model.record().stack;
  return *std::find_if(stack.begin(), stack.end(), [](const auto& member) { return member.predictor == "boost"; });
}

// Trees are always trained on the first fold. Here a line is so much better that they are not trained on the other four.
TEST(Stack, WhatDoesNotCountInTheFirstFoldIsNotTrainedOnOthersSlow) {
  const Regressor model = fit_stack(noisy_line(7000, 0.1, 6), 2, "fixed");
  EXPECT_TRUE(boost_of(model).dropped);
  EXPECT_EQ(boost_of(model).weight, 0);
  EXPECT_GT(boost_of(model).error, best_of(model.record().stack).error);
}

// The number of folds that are begun before this is known depends on the number of threads. The result must not.
TEST(Stack, WhatDoesNotCountInTheFirstFoldDoesNotCountWithAnyNumberOfThreadsSlow) {
  const StackedRows rows = noisy_line(7000, 0.1, 6);
  const Regressor model = fit_stack(rows, 1, "fixed");
  for (const int threads : {2, 16}) EXPECT_EQ(fit_stack(rows, threads, "fixed").to_bytes(), model.to_bytes()) << threads;
  FitOptions thorough;
  thorough.transform = "fixed";
  thorough.effort = "thorough";
  EXPECT_FALSE(boost_of(Regressor::fit({.x = rows.x, .y = rows.y}, thorough, {.threads = 0})).dropped);
}

// With fewer rows small weights are not reliable, but an error that is larger by half is.
TEST(Stack, WhatIsClearlyWorseInTheFirstFoldOfFewRowsIsNotTrainedOnOthersSlow) {
  const StackedRows rows = noisy_line(2000, 0.02, 8);
  const Regressor model = fit_stack(rows, 2, "fixed");
  const auto& stack = model.record().stack;
  for (const auto& member : stack) {
    EXPECT_FALSE(member.dropped && member.error < 1.2 * best_of(stack).error) << member.predictor;
    EXPECT_FALSE(!member.dropped && member.error > 1.5 * best_of(stack).error) << member.predictor;
  }
  EXPECT_TRUE(std::any_of(stack.begin(), stack.end(), [](const auto& member) { return member.dropped; }));
}

TEST(Stack, TwentyRowsGiveFiniteIntervals) {
  auto rows = linear_rows(false);
  rows.x.conservativeResize(20, 3);
  rows.y.resize(20);
  const Regressor model = fit_stack(rows);
  const Table table = Regressor::table_of({.x = rows.x});
  for (const Interval& interval : model.predict_interval(table, std::vector{0.9}).intervals) EXPECT_TRUE(interval.finite());
}

}  // namespace
}  // namespace taut
