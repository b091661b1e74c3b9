// Intervals of many rows in one call, from a borrowed array of doubles. bench/python_overhead.py compares it with Python on the
// same model and rows, which it writes to the folder $TAUT_BENCH_FOLDER: m.taut, and rows.bin with ten doubles for each row.
#include <taut/core/file.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace {

using namespace taut;

constexpr Index columns = 10;
constexpr std::array levels{0.9};

TableView view_of(const std::vector<double>& cells) {
  TableView view("the arrays", static_cast<Index>(cells.size()) / columns);
  for (Index column = 0; column < columns; ++column)
    view.add({"x" + std::to_string(column)}, CellsView(cells.data() + column, columns));
  return view;
}

std::vector<double> random_cells(Index rows) {
  Random random(1);
  std::vector<double> cells(static_cast<std::size_t>(rows * columns));
  for (double& cell : cells) cell = random.normal();
  return cells;
}

Regressor own_model() {
  const auto cells = random_cells(2000);
  TableView train = view_of(cells);
  Random random(2);
  std::vector<double> y;
  for (Index row = 0; row < train.rows(); ++row) y.push_back(train(row, 0) + train(row, 1) * random.normal());
  train.add({"y"}, std::move(y));
  FitOptions options;
  options.target = "y";
  return Regressor::fit(train, options);
}

void predict_interval(benchmark::State& state) {
  const char* folder = std::getenv("TAUT_BENCH_FOLDER");
  const Regressor model = folder != nullptr ? Regressor::load(std::string(folder) + "/m.taut") : own_model();
  std::vector<double> cells = random_cells(100'000);
  if (folder != nullptr) {
    const std::string bytes = read_whole_file(std::string(folder) + "/rows.bin");
    cells.resize(bytes.size() / sizeof(double));
    std::memcpy(cells.data(), bytes.data(), cells.size() * sizeof(double));
  }
  const TableView rows = view_of(cells);
  const ExecutionContext context{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(model.predict_interval(rows, levels, context));
  state.SetItemsProcessed(state.iterations() * rows.rows());
}

// The argument is the number of threads, 0 for all.
BENCHMARK(predict_interval)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
