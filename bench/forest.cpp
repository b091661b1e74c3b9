// Evaluation of a forest of 200 trees of depth 4, ten columns, one row or many at a time. Run by hand; no measure uses it.
#include <taut/core/random.hpp>
#include <taut/trees/booster.hpp>

#include <benchmark/benchmark.h>

namespace taut {
namespace {

constexpr Index columns = 10;
constexpr Index batch = 100'000;
constexpr Index trees = 200;

struct Grown {
  MatrixF x;
  Forest forest;
};

const Grown& grown() {
  static const Grown once = [] {
    Random random(1);
    Grown made{MatrixF::NullaryExpr(batch, columns, [&] { return static_cast<float>(random.normal()); }), {}};
    BoosterSettings settings;
    settings.depth = 4;
    Booster booster(made.x, settings);
    const Matrix curvature = Matrix::Ones(batch, 1);
    Matrix gradient(batch, 1);
    for (Index round = 0; round < trees; ++round) {
      for (Index i = 0; i < batch; ++i)
        gradient(i, 0) = static_cast<double>(booster.margins()(i, 0) - (made.x(i, 0) * made.x(i, 1) + made.x(i, 2)));
      booster.boost(gradient, curvature);
    }
    made.forest = booster.forest();
    return made;
  }();
  return once;
}

void forest_row(benchmark::State& state) {
  double out = 0;
  Index row = 0;
  grown();
  for (auto _ : state) {
    grown().forest.evaluate_row({grown().x.row(row).data(), columns}, {&out, 1});
    benchmark::DoNotOptimize(out);
    row = (row + 1) % batch;
  }
}
BENCHMARK(forest_row)->Unit(benchmark::kMicrosecond);

void forest_batch(benchmark::State& state) {
  Matrix out(batch, 1);
  grown();
  for (auto _ : state) grown().forest.evaluate(grown().x, out, static_cast<int>(state.range(0)));
}
BENCHMARK(forest_batch)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace taut
