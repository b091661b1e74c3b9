// One prediction for one row, all levels, through the C++ API.
#include <taut/data/synthetic.hpp>
#include <taut/model/model.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace taut;

// f is given; the localizer has 200 trees of depth 4.
void predict_row(benchmark::State& state) {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.drop = {"sigma"};
  options.sides = "one";
  options.depth = 4;
  options.epochs = 200;
  options.patience = 200;
  options.rate = 0.001;  // so slow that all 200 rounds are kept
  const Table table = synthetic_table(*synthetic_sets().make("cos"), 4000, 1, true);
  const Model model = Model::fit(table, options);
  const Table rows = match(table, model.prediction_schema());
  const std::vector<double> levels = {0.68, 0.9, 0.95};
  std::vector<Interval> intervals(levels.size());
  Index row = 0;
  for (auto _ : state) {
    const std::span<const double> cells(rows.values.row(row).data(), static_cast<std::size_t>(rows.values.cols()));
    benchmark::DoNotOptimize(model.predict_row(cells, levels, intervals));
    row = (row + 1) % rows.rows();
  }
  state.counters["trees"] = static_cast<double>(model.record().best_epoch);
}
BENCHMARK(predict_row)->Unit(benchmark::kMicrosecond);

}  // namespace
