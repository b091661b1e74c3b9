// Categories that occur once: three rows in ten belong to a customer that no other row has. Calibration rows and new rows alike
// have customers that training has not seen, so the coverage has its exact distribution.
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

constexpr Index regulars = 5, places = 4;
constexpr double one_off_share = 0.3;

double place(Index i) { return static_cast<double>(i) - 1.5; }
double effect(Index customer) { return customer < regulars ? static_cast<double>(customer) - 2 : 0; }
// Customers that occur once are hard to predict.
double deviation(Index customer) { return customer < regulars ? 0.5 : 3; }

// Columns x, customer, y. As if read from a file, the table has the customers of all its rows as categories.
Table customers(Index rows, Random& random) {
  Table table{"customers", {{"x"}, {"customer", ColumnKind::category, {}, true}, {"y"}}, Matrix(rows, 3), {}};
  auto& names = table.columns[1].categories;
  for (Index i = 0; i < regulars; ++i) names.push_back("regular " + std::to_string(i));
  for (Index row = 0; row < rows; ++row) {
    Index customer = random.below(regulars);
    if (random.uniform() < one_off_share) {
      customer = std::ssize(names);
      names.push_back("guest " + std::to_string(row));
    }
    const double x = place(random.below(places));
    table.values.row(row) << x, static_cast<double>(customer), x + effect(customer) + deviation(customer) * random.normal();
  }
  return table;
}

// Every kind of new row once: the regular customers, and one that training has not seen.
Table all_kinds() {
  Table table{
      "new rows", {{"x"}, {"customer", ColumnKind::category, {"somebody new"}, true}}, Matrix(places * (regulars + 1), 2), {}};
  auto& names = table.columns[1].categories;
  for (Index i = 0; i < regulars; ++i) names.insert(names.end() - 1, "regular " + std::to_string(i));
  for (Index row = 0; row < table.rows(); ++row) table.values.row(row) << place(row % places), static_cast<double>(row / places);
  return table;
}

double coverage(const Regressor& model, double level) {
  const Table rows = all_kinds();
  const Predicted predicted = model.predict_interval(rows, std::array{level}, ExecutionContext{.threads = 1});
  double result = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    const Index customer = row / places;
    const double mean = rows.values(row, 0) + effect(customer), sd = deviation(customer);
    const Interval& interval = predicted.at(row, 0);
    const double share = (customer < regulars ? (1 - one_off_share) / regulars : one_off_share) / places;
    result += share * (testing::normal_cdf((interval.upper - mean) / sd) - testing::normal_cdf((interval.lower - mean) / sd));
  }
  return result;
}

void expect_distribution_of_coverage(Index fits) {
  constexpr Index per_mille = 900;
  Random random(3);
  testing::CoverageSuite suite;
  for (const auto& predictor : predictors().entries())
    for (const char* localizer : {"none", "mlp", "boost"}) {
      FitOptions options = testing::tiny(localizer, "exp");
      options.predictor = predictor.example;
      double mean = 0;
      for (Index fit = 0; fit < fits; ++fit) {
        options.seed = fit;
        const Regressor model = Regressor::fit(customers(100, random), options, ExecutionContext{.threads = 1});
        const double covered = coverage(model, static_cast<double>(per_mille) / 1000);
        mean += covered / static_cast<double>(fits);
        suite.add({predictor.name, localizer, "all"},
                  {model.distribution().rows(), per_mille, covered, random.uniform() < covered});
      }
      std::printf("%s, %s: coverage %.4f\n", predictor.name.c_str(), localizer, mean);
    }
  suite.expect_distribution();
}

TEST(OneOffCustomers, CoverageFollowsItsDistribution) { expect_distribution_of_coverage(15); }

TEST(OneOffCustomers, CoverageFollowsItsDistributionInManyFitsSlow) { expect_distribution_of_coverage(150); }

}  // namespace
}  // namespace taut
