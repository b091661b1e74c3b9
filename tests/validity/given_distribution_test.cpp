// Coverage of models on given predictive distributions: that of the k-th of n calibration scores is Beta(k, n + 1 − k), whatever
// the distributions are and whatever part is trained, and ties at their quantiles cost nothing.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/population.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::CoverageSuite;
using testing::Population;

constexpr std::array quantile_levels = {0.1, 0.3, 0.5, 0.8, 0.95};

// The rows of the population with quantiles of a bad model: much too narrow, biased, equal in some rows and crossed in others.
Table with_quantiles(Table table) {
  const Index first = table.values.cols(), p = 3;
  table.values.conservativeResize(Eigen::NoChange, first + std::ssize(quantile_levels));
  for (std::size_t k = 0; k < quantile_levels.size(); ++k) {
    const auto column = first + static_cast<Index>(k);
    table.columns.push_back({"q" + std::to_string(quantile_levels[k]).substr(0, 4)});
    const double l = std::log(quantile_levels[k] / (1 - quantile_levels[k]));
    for (Index row = 0; row < table.values.rows(); ++row) {
      const double x = table.values(row, 0);
      table.values(row, column) = table.values(row, p) + std::max(0.0, 0.2 * x + 0.05) * l;
    }
  }
  for (Index row = 0; row < table.values.rows(); ++row)
    if (table.values(row, 0) > 0.8) std::swap(table.values(row, first), table.values(row, first + 2));
  table.source = "rows";
  return table;
}

class GivenPopulation {
 public:
  explicit GivenPopulation(const std::string& set) : own_(set), noise_(synthetic_sets().make(set)) {}
  Table rows(Index count, Random& random) const { return with_quantiles(own_.rows(count, random)); }
  double coverage(const Regressor& model, double level) const {
    const Table all = with_quantiles(own_.everything());
    const std::array levels = {level};
    const Predicted predicted = model.predict_interval(all, levels, ExecutionContext{.threads = 1});
    double covered = 0;
    for (Index row = 0; row < all.rows(); ++row) {
      const Interval& interval = predicted.at(row, 0);
      const double x = all.values(row, 0), middle = all.values(row, 2);  // y is the middle of each x there
      if (!interval.empty()) covered += noise_->cdf(x, interval.upper - middle) - noise_->cdf(x, interval.lower - middle);
    }
    return covered / static_cast<double>(all.rows());
  }

 private:
  Population own_;
  std::unique_ptr<SyntheticSet> noise_;
};

TEST(GivenDistributions, CoverageFollowsItsDistribution) {
  const GivenPopulation population("cos");
  CoverageSuite suite;
  Random random(5);
  Index trained = 0, models = 0;
  for (const char* scale : {"probability", "as-is", "auto"})
    for (const char* transform : {"curve", "exp", "fixed"}) {
      FitOptions options;
      options.target = "y";
      options.quantile_columns = {"q*"};
      options.drop = {"p", "lo", "hi"};
      options.score_scale = scale;
      options.transform = transform;
      options.split = std::string(transform) == "fixed" ? "" : "0.6,0.2,0.2";
      Regressor model = Regressor::fit(population.rows(400, random), options, ExecutionContext{.threads = 1});
      ++models;
      trained += model.transform_name() != "fixed" ? 1 : 0;
      for (int repeat = 0; repeat < 60; ++repeat) {
        const Index n = repeat % 2 == 0 ? 19 : 40, per_mille = repeat % 3 == 0 ? 500 : 900;
        model.calibrate(population.rows(n, random), ExecutionContext{.threads = 1});
        const double level = static_cast<double>(per_mille) / 1000;
        const Table fresh = population.rows(1, random);
        const std::array one = {level};
        const bool covered =
            model.predict_interval(fresh, one, ExecutionContext{.threads = 1}).at(0, 0).contains(fresh.values(0, 2));
        suite.add({"all", scale, transform}, {n, per_mille, population.coverage(model, level), covered});
      }
    }
  EXPECT_GE(trained, models / 2) << "most of these models must have a trained part";
  suite.expect_distribution();
}

// Whole numbers, and quantiles that are whole numbers too: most scores are equal, and ends lie on values of y.
TEST(GivenDistributions, TiesAtQuantilesNeverCostCoverage) {
  Random random(6);
  const auto rows = [&](Index count) {
    Table table{
        .source = "rows", .columns = {{"x"}, {"y"}, {"q0.1"}, {"q0.5"}, {"q0.9"}}, .values = Matrix(count, 5), .lines = {}};
    for (Index row = 0; row < count; ++row) {
      const double x = static_cast<double>(random.below(3));
      table.values.row(row) << x, x + static_cast<double>(random.below(4)), x, x + 1, x + 3;
    }
    return table;
  };
  FitOptions options;
  options.target = "y";
  options.quantile_columns = {"q*"};
  options.transform = "fixed";
  Regressor model = Regressor::fit(rows(60), options);
  constexpr std::array level = {0.9};
  constexpr Index repeats = 1500;
  Index covered = 0;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    model.calibrate(rows(19), ExecutionContext{.threads = 1});
    const Table fresh = rows(1);
    covered += model.predict_interval(fresh, level, ExecutionContext{.threads = 1}).at(0, 0).contains(fresh.values(0, 1)) ? 1 : 0;
  }
  EXPECT_GT(binomial_cdf(covered, repeats, level[0]), 1e-4) << covered;
}

}  // namespace
}  // namespace taut
