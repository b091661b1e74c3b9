// f that is trained several times: its out-of-fold predictions know nothing of their targets and belong to their rows, members of
// all repeats read categories alike, and a training that is given up changes nothing.
#include <taut/core/random.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/fit/point_predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Sample {
  Table table;
  std::vector<double> y;
};

// A number x and a category of `count` values; y is `slope` times x, an effect of each category, and noise.
Sample sample(Index rows, Index count, double slope, double effect, std::uint64_t seed) {
  Column category{.name = "kind", .kind = ColumnKind::category};
  for (Index code = 0; code < count; ++code) category.categories.push_back("k" + std::to_string(code));
  Sample made{{"t.csv", {{"x"}, category}, Matrix(rows, 2), {}}, {}};
  Random random(seed);
  for (Index row = 0; row < rows; ++row) {
    const Index code = random.below(count);
    made.table.values.row(row) << random.uniform(-1, 1), static_cast<double>(code);
    made.y.push_back(slope * made.table.values(row, 0) + effect * static_cast<double>(code * 7 % count) + random.normal());
  }
  return made;
}

FitOptions options_with(const std::string& predictor, Index repeats) {
  FitOptions options;
  options.target = "y";
  options.predictor = predictor;
  options.effort = "quick";
  options.repeats = repeats;
  return options;
}

double error_of(const RowPredictions& f, const std::vector<double>& y, const Rows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum += std::abs(f[i].f - y[static_cast<std::size_t>(rows[i])]) / static_cast<double>(rows.size());
  return sum;
}

// Σ f y / √(Σ f²) has mean 0 and variance 1 if f is independent of y.
TEST(Repeats, OutOfFoldPredictionsKnowNothingOfTheirTargets) {
  for (const Index count : {10, 400}) {
    const Sample noise = sample(1500, count, 0, 0, static_cast<std::uint64_t>(count));
    const FitOptions options = options_with("boost", 4);
    const RowPlan plan = plan_rows(1500, options, true, true, "t.csv");
    const auto fitted = PointPredictor::fit(noise.table, noise.y, plan, options, {});
    EXPECT_EQ(fitted.repeats, 4);
    double product = 0, squares = 0, mean = 0;
    for (const double y : noise.y) mean += y / 1500;
    for (std::size_t i = 0; i < plan.transform.size(); ++i) {
      const double f = fitted.out_of_sample[i].f - mean;
      product += f * noise.y[static_cast<std::size_t>(plan.transform[i])];
      squares += f * f;
    }
    EXPECT_LT(product / std::sqrt(squares), 5) << count << " categories";
  }
}

// If a prediction were assigned to another row, or a category had another code in another repeat, errors would be those of a
// constant: 5 and more.
TEST(Repeats, PredictionsBelongToTheirRowsAndCategoriesToTheirCodes) {
  const Sample train = sample(1200, 12, 20, 3, 1), fresh = sample(300, 12, 20, 3, 2);
  for (const std::string predictor : {"boost", "linear", "stack"})
    for (const Index repeats : {1, 3}) {
      const FitOptions options = options_with(predictor, repeats);
      const RowPlan plan = plan_rows(1200, options, true, true, "t.csv");
      const auto fitted = PointPredictor::fit(train.table, train.y, plan, options, {});
      EXPECT_LT(error_of(fitted.out_of_sample, train.y, plan.transform), 1.6) << predictor;
      const Rows rows = all_rows(300);
      const RowPredictions predicted = fitted.predictor.predict(fresh.table, rows, 1);
      EXPECT_LT(error_of(predicted, fresh.y, rows), 1.6) << predictor;
      for (const auto& part : fitted.predictor.parts()) EXPECT_EQ(part.predictor.n_members(), 5 * repeats);
    }
}

TEST(Repeats, ATrainingThatIsGivenUpChangesNothing) {
  const Sample train = sample(400, 5, 5, 1, 3);
  const FitOptions options = options_with("boost", 1);
  const RowPlan plan = plan_rows(400, options, true, true, "t.csv");
  const auto once = PointPredictor::fit(train.table, train.y, plan, options, {});
  Index asked = 0;
  const WantsRepeat wants{[&](const Repeats& repeats, const std::function<RowPredictions()>& out_of_sample) {
                            ++asked;
                            EXPECT_EQ(repeats.done(), 1);
                            EXPECT_EQ(out_of_sample().f(), once.out_of_sample.f());
                            return true;
                          },
                          [] { return true; }};
  const auto stopped = PointPredictor::fit(train.table, train.y, plan, options, {}, {}, nullptr, wants);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(stopped.repeats, 1);
  EXPECT_EQ(stopped.out_of_sample.f(), once.out_of_sample.f());
  const Rows rows = all_rows(400);
  EXPECT_EQ(stopped.predictor.predict(train.table, rows, 1).f(), once.predictor.predict(train.table, rows, 1).f());
}

// A stop that the caller asks for is not swallowed.
TEST(Repeats, AStopEndsTheFit) {
  const Sample train = sample(400, 5, 5, 1, 3);
  const RowPlan plan = plan_rows(400, options_with("boost", 3), true, true, "t.csv");
  bool is_stopped = false;
  ExecutionContext context;
  context.cancelled = [&] { return is_stopped; };
  const WantsRepeat wants{[&](const Repeats&, const std::function<RowPredictions()>&) { return is_stopped = true; },
                          [] { return false; }};
  EXPECT_THROW(PointPredictor::fit(train.table, train.y, plan, options_with("boost", 3), context, {}, nullptr, wants),
               Interrupted);
}

}  // namespace
}  // namespace taut
