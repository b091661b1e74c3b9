// Categories that most rows share with few others, and one row in five with none: the guarantee holds exactly, however models
// encode categories. Scores are continuous, so a fresh row is covered with probability k / (n + 1), neither less nor more.
// TAUT_VALIDATE=long makes forty times as many fits in the test that ends in Slow.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace taut {
namespace {

// Effect and noise of a level depend only on its number, so all tables of a test are samples from one distribution.
double effect_of(Index level) { return Random(77).fork(static_cast<std::uint64_t>(level)).normal(); }

Table draw_levels(Index rows, Random& random) {
  Table table{"levels", {{"level", ColumnKind::category}, {"when", ColumnKind::date}, {"y"}}, Matrix(rows, 3), {}};
  for (Index row = 0; row < rows; ++row) {
    const bool is_new = random.uniform() < 0.2;
    const Index level = is_new ? 1000 + random.below(1'000'000'000) : random.below(25);
    auto& names = table.columns[0].categories;
    const std::string name = std::to_string(level);
    const auto found = std::find(names.begin(), names.end(), name);
    const auto code = static_cast<double>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    const double noise = level % 3 == 0 ? 0.2 : 1.0;
    table.values.row(row) << code, 1e9 * random.uniform(), effect_of(level) + noise * random.normal();
  }
  return table;
}

constexpr std::array<Index, 2> levels = {500, 900};  // in thousandths

struct Count {
  Index rows = 0, covered = 0;
};

void expect_coverage(Index fits) {
  std::map<std::pair<Index, Index>, Count> counts;  // by calibration rows and level
  std::uint64_t stream = 0;
  for (const auto& localizer : localizers().entries())
    for (const auto& predictor : predictors().entries())
      for (Index fit = 0; fit < fits; ++fit) {
        Random random = Random(12).fork(++stream);
        FitOptions options = testing::tiny(localizer.name, "exp");
        options.predictor = predictor.example;
        options.seed = fit;
        Regressor model = Regressor::fit(draw_levels(120, random), options, ExecutionContext{.threads = 1});
        for (Index again = 0; again < 40; ++again) {
          if (again > 0) model.calibrate(draw_levels(again % 2 == 0 ? 9 : 30, random), ExecutionContext{.threads = 1});
          const Table fresh = draw_levels(1, random);
          for (const Index level : levels) {
            const std::array share = {static_cast<double>(level) / 1000};
            const Predicted predicted = model.predict_interval(fresh, share, ExecutionContext{.threads = 1});
            Count& count = counts[{model.distribution().rows(), level}];
            ++count.rows;
            count.covered += predicted.at(0, 0).contains(fresh.values(0, 2)) ? 1 : 0;
          }
        }
      }
  const double tail = 1e-6 / static_cast<double>(2 * counts.size());
  for (const auto& [key, count] : counts) {
    const auto [n, level] = key;
    const double promised = static_cast<double>(testing::rank_in_whole_numbers(n, level)) / static_cast<double>(n + 1);
    EXPECT_GT(binomial_cdf(count.covered, count.rows, promised), tail) << n << " rows: " << count.covered << " of " << count.rows;
    EXPECT_GT(1 - binomial_cdf(count.covered - 1, count.rows, promised), tail)
        << n << " rows: " << count.covered << " of " << count.rows;
  }
}

TEST(ManyCategories, AreCoveredExactlyAsOftenAsPromised) { expect_coverage(1); }

TEST(ManyCategories, AreCoveredExactlyAsOftenAsPromisedInManyFitsSlow) { expect_coverage(testing::repeats(2, 40)); }

}  // namespace
}  // namespace taut
