// Scores on the log scale when calibration rows and new rows have targets up to 0, which no training row had.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

Table rows_with_zeros(Index count, double share, Random& random) {
  Table table{.source = "rows", .columns = {{"x"}, {"p"}, {"y"}}, .values = Matrix(count, 3), .lines = {}};
  for (Index row = 0; row < count; ++row) {
    const double x = random.uniform(-1, 1), u = random.uniform();
    table.values.row(row) << x, std::exp(x), u < share ? -u : std::exp(x + random.normal());
  }
  return table;
}

TEST(ScoreScales, CoverTargetsUpToZeroThatTrainingNeverSaw) {
  for (const char* localizer : {"none", "boost"}) {
    Random random(17);
    FitOptions options;
    options.target = "y";
    options.prediction = "p";
    options.localizer = localizer;
    options.score_scale = "log";
    options.split = "0.6,0.2,0.2";
    if (std::string(localizer) == "none") options.split.clear();
    Regressor model = Regressor::fit(rows_with_zeros(100, 0, random), options);
    constexpr std::array<double, 1> level = {0.9};
    constexpr Index repeats = 1500;
    Index covered = 0, covered_zeros = 0, zeros = 0;
    for (Index repeat = 0; repeat < repeats; ++repeat) {
      model.calibrate(rows_with_zeros(29, 0.2, random), ExecutionContext{.threads = 1});
      const Table fresh = rows_with_zeros(1, 0.2, random);
      const double y = fresh.values(0, 2);
      const bool is_covered = model.predict_interval(fresh, level, ExecutionContext{.threads = 1}).at(0, 0).contains(y);
      covered += is_covered ? 1 : 0;
      zeros += y <= 0 ? 1 : 0;
      covered_zeros += is_covered && y <= 0 ? 1 : 0;
    }
    EXPECT_GT(binomial_cdf(covered, repeats, level[0]), 1e-4) << covered;
    EXPECT_GT(covered_zeros, zeros / 2);
  }
}

}  // namespace
}  // namespace taut
