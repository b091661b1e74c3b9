// Bounds, tails and quantiles follow their exact distributions, and smoothed p-values are uniform, through the whole model.
#include <taut/localize/localizer.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/population.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace taut {
namespace {

using testing::CoverageDraw;
using testing::CoverageSuite;
using testing::Population;

// One end of an answer: y is on its side of the end with a probability of at least `per_mille` thousandths.
struct Promise {
  std::string heading;
  std::string question;
  Index column;
  bool is_upper;
  Index per_mille;
};

std::vector<Promise> promises() {
  std::vector<Promise> all;
  for (const Index level : {500, 800, 900, 950}) {
    const std::string c = print_number(static_cast<double>(level) / 1000);
    all.push_back({"upper bound", "upper:" + c, 0, true, level});
    all.push_back({"lower bound", "lower:" + c, 0, false, level});
    if (level > 500) {
      all.push_back({"quantile above one half", "quantile:" + c, 0, true, level});
      all.push_back(
          {"quantile below one half", "quantile:" + print_number(1 - static_cast<double>(level) / 1000), 0, false, level});
      all.push_back({"lower tail", "equal:" + c, 0, false, 500 + level / 2});
      all.push_back({"upper tail", "equal:" + c, 1, true, 500 + level / 2});
    }
  }
  return all;
}

CoverageDraw draw(const Population& population, const Regressor& model, const Promise& promise, Random& random) {
  std::vector<std::unique_ptr<Question>> asked;
  asked.push_back(questions().make(promise.question));
  const auto ends = [&](const Table& table) -> Eigen::VectorXd {
    return model.ask(table, asked, {}, ExecutionContext{.threads = 1}).values.col(promise.column);
  };
  const double at_most = population.share_at_most(ends(population.everything()));
  const Table fresh = population.rows(1, random);
  const double end = ends(fresh)[0], y = fresh.values(0, 2);
  return {model.distribution().rows(), promise.per_mille, promise.is_upper ? at_most : 1 - at_most,
          promise.is_upper ? y <= end : y >= end};
}

// One question for each calibration, so that coverages are independent.
TEST(Questions, BoundsTailsAndQuantilesFollowTheirDistribution) {
  constexpr Index calibrations = 160;  // of each model
  const Population population("cos");
  const auto all = promises();
  CoverageSuite suite;
  std::size_t turn = 0;
  for (const auto& transform : transforms().entries())
    for (const auto& localizer : localizers().names())
      for (const char* sides : {"one", "two"}) {
        FitOptions options = testing::tiny(localizer, transform.example);
        options.objective = transform.name == "erc" ? "size" : "";
        options.sides = sides;
        options.prediction = "p";
        Random random(17 + turn);
        Regressor model = Regressor::fit(population.rows(100, random), options, ExecutionContext{.threads = 1});
        for (Index again = 0; again < calibrations; ++again) {
          model.calibrate(population.rows(again % 2 == 0 ? 19 : 22, random), ExecutionContext{.threads = 1});
          const Promise& promise = all[turn++ % all.size()];
          suite.add({promise.heading, "transform " + transform.name, "localizer " + localizer, std::string("sides ") + sides},
                    draw(population, model, promise, random));
        }
        ++turn;  // so that each question gets both numbers of rows
      }
  const double minimum = suite.expect_distribution();
  std::printf("%zu tests, threshold %.2g, least p-value %.2g\n", suite.tests().size(), suite.threshold(), minimum);
}

// Counts, most of them 0 and predicted exactly: ties and residuals of 0 everywhere.
Table counts(Index rows, Random& random) {
  Table table;
  for (const char* name : {"x", "p", "y"}) table.columns.push_back({name});
  table.values.resize(rows, 3);
  for (Index row = 0; row < rows; ++row) {
    const double x = static_cast<double>(random.below(2)), p = static_cast<double>(random.below(3));
    const double y = random.uniform() < 0.6 ? p : std::floor(4 * random.uniform() * (1 + x));
    table.values.row(row) << x, p, y;
  }
  return table;
}

// n + 1 rows, each in turn the new one for a distribution of the others. Its smoothed p-value is uniform on an interval. Over all
// n + 1 rows these intervals cover [0, 1] evenly, so the probabilities of a p-value of at most a sum to (n + 1) a, whatever the
// numbers are.
TEST(Questions, SmoothedPValuesAreUniformWithTiesZerosAndSteps) {
  using Alternative = PredictiveDistribution::Alternative;
  constexpr Index count = 30;
  for (const double step : {0.0, 1.0})
    for (const char* sides : {"one", "two"}) {
      Random random(3);
      FitOptions options = testing::tiny("boost", "exp");
      options.prediction = "p";
      options.sides = sides;
      options.y_step = step;
      if (step > 0) options.y_min = 0;
      Regressor model = Regressor::fit(counts(200, random), options, ExecutionContext{.threads = 1});
      const Table table = counts(count, random);
      const Table inputs = match(table, model.prediction_schema());
      for (const Alternative alternative : {Alternative::two_sided, Alternative::less, Alternative::greater}) {
        std::vector<std::pair<double, double>> ends;
        for (Index left_out = 0; left_out < count; ++left_out) {
          Table others = table;
          others.values.resize(count - 1, 3);
          others.values << table.values.topRows(left_out), table.values.bottomRows(count - 1 - left_out);
          model.calibrate(others, ExecutionContext{.threads = 1});
          const PredictedDistribution distribution =
              model.distribution_at({inputs.values.row(left_out).data(), static_cast<std::size_t>(inputs.values.cols())});
          const double y = table.values(left_out, 2);
          ends.emplace_back(distribution.distribution().smoothed_p_value(y, 0, alternative),
                            distribution.distribution().p_value(y, alternative));
        }
        for (const double a : {0.01, 0.05, 0.1, 0.3, 0.5, 0.77, 0.99}) {
          double sum = 0;
          for (const auto& [low, high] : ends) sum += std::clamp((a - low) / (high - low), 0.0, 1.0);
          EXPECT_NEAR(sum, a * count, 1e-10) << "step " << step << ", sides " << sides << ", a " << a;
        }
      }
    }
}

}  // namespace
}  // namespace taut
