// One prediction for one row, all levels, and five questions about one row, through the C++ API.
#include <taut/data/synthetic.hpp>
#include <taut/task/number/regressor.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace taut;

// f is given; the localizer is one forest of 200 trees of depth 4. A default fit has five forests and a curve: see stack_row.cpp.
struct Fitted {
  Table table = synthetic_table(*synthetic_sets().make("cos"), 4000, 1, true);
  Regressor model = Regressor::fit(table, options());
  Table rows = match(table, model.prediction_schema());

  std::span<const double> cells(Index row) const {
    return {rows.values.row(row % rows.rows()).data(), static_cast<std::size_t>(rows.values.cols())};
  }

  static FitOptions options() {
    FitOptions options;
    options.target = "y";
    options.prediction = "f";
    options.drop = {"sigma"};
    options.transform = "exp";
    options.split = "0.6,0.2,0.2";
    options.sides = "one";
    options.depth = 4;
    options.epochs = 200;
    options.patience = 200;
    options.rate = 0.001;  // so small that early stopping keeps all 200 rounds
    return options;
  }
};

void predict_row(benchmark::State& state) {
  const Fitted fitted;
  const std::vector<double> levels = {0.68, 0.9, 0.95};
  std::vector<Interval> intervals(levels.size());
  Index row = 0;
  for (auto _ : state) benchmark::DoNotOptimize(fitted.model.predict_row(fitted.cells(row++), levels, intervals));
  state.counters["trees"] = static_cast<double>(fitted.model.record().best_epoch);
}
BENCHMARK(predict_row)->Unit(benchmark::kMicrosecond);

// The time of five questions once f(x) and g(x) are known: a bound, an interval with equal tails, a quantile, a probability and a
// p-value.
void five_questions(benchmark::State& state) {
  const Fitted fitted;
  std::vector<PredictedDistribution> distributions;
  for (Index row = 0; row < 1000; ++row) distributions.push_back(fitted.model.distribution_at(fitted.cells(row)));
  std::size_t row = 0;
  for (auto _ : state) {
    const PredictiveDistribution distribution = distributions[row++ % distributions.size()].distribution();
    benchmark::DoNotOptimize(distribution.upper(0.9));
    benchmark::DoNotOptimize(distribution.equal_tailed(0.9));
    benchmark::DoNotOptimize(distribution.quantile(0.25));
    benchmark::DoNotOptimize(distribution.below(0.5));
    benchmark::DoNotOptimize(distribution.p_value(0.5));
  }
}
BENCHMARK(five_questions)->Unit(benchmark::kMicrosecond);

}  // namespace
