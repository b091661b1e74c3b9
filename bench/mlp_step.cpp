// One training step of the paper's network (five hidden layers of 100): forward, backward, Adam, on one thread.
// bench/peers/network.py times the same step in PyTorch.
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>

#include <benchmark/benchmark.h>

namespace taut {
namespace {

constexpr Index inputs = 10;

MatrixF random_inputs(Index rows) {
  Random random(1);
  return MatrixF::NullaryExpr(rows, inputs, [&] { return static_cast<float>(random.normal()); });
}

void mlp_step(benchmark::State& state) {
  const Index rows = state.range(0);
  const MatrixF x = random_inputs(4096);
  const auto localizer = localizers().make("mlp");
  LocalizerSettings settings;
  settings.batch = rows;
  const double initial[] = {0.0};
  localizer->start(x, all_rows(x.rows()), all_rows(16), initial, settings, ExecutionContext{.threads = 1});
  Random random(2);
  const Rows order = random.permutation(x.rows());
  const Matrix target = Matrix::NullaryExpr(rows, 1, [&] { return random.normal(); });  // noise, so that gradients stay large
  Matrix gradient(rows, 1);
  const Matrix curvature = Matrix::Ones(rows, 1);
  Index begin = 0;
  for (auto _ : state) {
    const RowsView batch = RowsView(order).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(rows));
    gradient = (localizer->forward(batch) - target) / static_cast<double>(rows);
    localizer->update(batch, gradient, curvature);
    begin = (begin + rows) % (x.rows() - rows + 1);
  }
}
BENCHMARK(mlp_step)->Arg(16)->Arg(256)->Unit(benchmark::kMicrosecond);

void mlp_evaluate(benchmark::State& state) {
  const MatrixF x = random_inputs(state.range(0));
  const auto localizer = localizers().make("mlp");
  const double initial[] = {0.0};
  localizer->start(x, all_rows(x.rows()), all_rows(1), initial, {}, ExecutionContext{.threads = 1});
  Matrix g(x.rows(), 1);
  for (auto _ : state) localizer->evaluate(x, g, 1);
  state.SetItemsProcessed(state.iterations() * x.rows());
}
BENCHMARK(mlp_evaluate)->Arg(1)->Arg(100000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace taut
