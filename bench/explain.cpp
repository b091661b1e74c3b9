// Shapley values of 500 trees of depth 5, twenty columns. Run by hand; bench/measures/explain.py makes the comparison with shap.
#include <taut/core/random.hpp>
#include <taut/explain/tree_shap.hpp>
#include <taut/trees/booster.hpp>

#include <benchmark/benchmark.h>

namespace taut {
namespace {

constexpr Index explained_columns = 20, explained_rows = 20'000, explained_trees = 500;

struct Explained {
  MatrixF x;
  Forest forest;
};

const Explained& explained() {
  static const Explained once = [] {
    Random random(1);
    Explained made{MatrixF::NullaryExpr(explained_rows, explained_columns, [&] { return static_cast<float>(random.normal()); }),
                   {}};
    BoosterSettings settings;
    settings.depth = 5;
    Booster booster(made.x, settings);
    const Matrix curvature = Matrix::Ones(explained_rows, 1);
    Matrix gradient(explained_rows, 1);
    for (Index round = 0; round < explained_trees; ++round) {
      for (Index i = 0; i < explained_rows; ++i)
        gradient(i, 0) =
            static_cast<double>(booster.margins()(i, 0) - (made.x(i, 0) * made.x(i, 1) + made.x(i, 2))) + random.normal();
      booster.boost(gradient, curvature);
    }
    made.forest = booster.forest();
    return made;
  }();
  return once;
}

void tree_shap(benchmark::State& state) {
  const TreeShap shap(explained().forest, all_rows(explained_columns), explained_columns);
  Matrix shares = Matrix::Zero(explained_rows, explained_columns);
  for (auto _ : state) shap.add(explained().x, 0, 1, shares, static_cast<int>(state.range(0)));
  state.SetItemsProcessed(state.iterations() * explained_rows);
}
BENCHMARK(tree_shap)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace taut
