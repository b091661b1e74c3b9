// The cut-off for overlapping groups: 5,000 calibration rows and a class of 100 functions: 96 groups with a tenth of the rows
// each, three linear functions and the constant. Options are those of Google Benchmark: `bench_overlapping
// --benchmark_filter=...`.
#include <taut/calibrate/conditional_quantile.hpp>
#include <taut/core/random.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

namespace taut {
namespace {

constexpr Index calibration_rows = 5000, groups = 96, linear = 3, new_rows = 200;

struct OverlappingRows {
  Matrix functions = Matrix::Zero(calibration_rows + new_rows, groups + linear);
  std::vector<double> scores;

  OverlappingRows() {
    Random random(1);
    for (Index row = 0; row < functions.rows(); ++row) {
      for (Index column = 0; column < groups; ++column) functions(row, column) = random.uniform() < .1 ? 1 : 0;
      for (Index column = groups; column < functions.cols(); ++column) functions(row, column) = random.normal();
      const double spread = 1 + functions(row, 0) + functions(row, 1) + .2 * std::abs(functions(row, groups));
      if (row < calibration_rows) scores.push_back(std::abs(spread * random.normal()));
    }
  }
};

const OverlappingRows& overlapping_rows() {
  static const OverlappingRows rows;
  return rows;
}

std::shared_ptr<const RegressionRows> prepared() {
  return std::make_shared<const RegressionRows>(overlapping_rows().functions.topRows(calibration_rows),
                                                overlapping_rows().scores);
}

void prepare_rows(benchmark::State& state) {
  for ([[maybe_unused]] const auto& step : state) benchmark::DoNotOptimize(prepared());
}
BENCHMARK(prepare_rows)->Unit(benchmark::kMillisecond);

void prepare_level(benchmark::State& state) {
  const auto rows = prepared();
  for ([[maybe_unused]] const auto& step : state) benchmark::DoNotOptimize(ConditionalQuantile(rows, .9));
}
BENCHMARK(prepare_level)->Unit(benchmark::kMillisecond);

void cut_off(benchmark::State& state, bool smoothed) {
  const ConditionalQuantile quantile(prepared(), .9);
  Random random(2);
  Index row = 0;
  for ([[maybe_unused]] const auto& step : state) {
    const std::span<const double> functions(overlapping_rows().functions.row(calibration_rows + row % new_rows).data(),
                                            static_cast<std::size_t>(groups + linear));
    if (smoothed)
      benchmark::DoNotOptimize(quantile.smoothed_cut_off(functions, random.uniform()));
    else
      benchmark::DoNotOptimize(quantile.cut_off(functions));
    ++row;
  }
}
BENCHMARK_CAPTURE(cut_off, plain, false)->Unit(benchmark::kMillisecond)->Iterations(new_rows);
BENCHMARK_CAPTURE(cut_off, smoothed, true)->Unit(benchmark::kMillisecond)->Iterations(new_rows);

}  // namespace
}  // namespace taut
