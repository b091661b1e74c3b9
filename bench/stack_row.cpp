// One prediction for one row by a complete default model. bench/measures/stack_row.py writes the model and the rows to the folder
// $TAUT_BENCH_FOLDER: m.taut and rows.csv.
#include <taut/data/csv/reader.hpp>
#include <taut/task/number/regressor.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>

namespace {

using namespace taut;

constexpr std::array levels{0.68, 0.9, 0.95};

void stack_row(benchmark::State& state) {
  const char* folder = std::getenv("TAUT_BENCH_FOLDER");
  if (folder == nullptr) return state.SkipWithError("$TAUT_BENCH_FOLDER must hold m.taut and rows.csv");
  const Regressor model = Regressor::load(std::string(folder) + "/m.taut");
  const Table rows = read_table_as(model.prediction_schema(), std::string(folder) + "/rows.csv");
  const auto columns = static_cast<std::size_t>(rows.values.cols());
  std::array<Interval, levels.size()> intervals;
  Index row = 0;
  const auto next = [&] {
    benchmark::DoNotOptimize(model.predict_row({rows.values.row(row++ % rows.rows()).data(), columns}, levels, intervals));
  };
  constexpr int until_ready = 1000;  // the structures for single rows are built after a few calls
  for (int warm = 0; warm < until_ready; ++warm) next();
  for (auto _ : state) next();
}
BENCHMARK(stack_row)->Unit(benchmark::kMicrosecond);

}  // namespace
