// Our evaluation of a forest against XGBoost's own prediction: 300 trees of depth 4, ten columns.
// Run it with OMP_WAIT_POLICY=passive on a shared machine: XGBoost is linked here, so taut cannot see to that.
#include <taut/core/random.hpp>
#include <taut/trees/extract.hpp>

#include <benchmark/benchmark.h>
#include <xgboost/c_api.h>

#include <string>

namespace taut {
namespace {

constexpr Index columns = 10;
constexpr Index batch = 100'000;

MatrixF normal_inputs(Index rows) {
  Random random(1);
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

std::string interface_of(const float* data, Index rows) {
  return R"({"data": [)" + std::to_string(reinterpret_cast<std::uintptr_t>(data)) + R"(, true], "shape": [)" +
         std::to_string(rows) + ", " + std::to_string(columns) + R"(], "typestr": "<f4", "version": 3})";
}

struct Grown {
  MatrixF x = normal_inputs(batch);
  BoosterHandle booster = nullptr;
  Forest forest{columns, 1};

  Grown() {
    std::vector<float> y;
    for (Index i = 0; i < batch; ++i) y.push_back(x(i, 0) * x(i, 1) + x(i, 2));
    DMatrixHandle train = nullptr;
    XGDMatrixCreateFromDense(interface_of(x.data(), batch).c_str(), R"({"missing": NaN})", &train);
    XGDMatrixSetFloatInfo(train, "label", y.data(), y.size());
    XGBoosterCreate(&train, 1, &booster);
    for (const auto& [name, value] : {std::pair{"tree_method", "hist"}, {"max_depth", "4"}, {"base_score", "0"}, {"eta", "0.05"}})
      XGBoosterSetParam(booster, name, value);
    for (int round = 0; round < 300; ++round) XGBoosterUpdateOneIter(booster, round, train);
    bst_ulong length = 0;
    const char* bytes = nullptr;
    XGBoosterSaveModelToBuffer(booster, R"({"format": "ubj"})", &length, &bytes);
    add_trees({bytes, length}, forest);
    XGDMatrixFree(train);
  }
  void threads(std::int64_t count) const { XGBoosterSetParam(booster, "nthread", std::to_string(count).c_str()); }
};

const Grown& grown() {
  static const Grown once;
  return once;
}

constexpr auto* margin = R"({"type": 1, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true,
                            "missing": NaN, "cache_id": 0})";

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

void xgboost_row(benchmark::State& state) {
  grown().threads(1);
  Index row = 0;
  for (auto _ : state) {
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* out = nullptr;
    XGBoosterPredictFromDense(grown().booster, interface_of(grown().x.row(row).data(), 1).c_str(), margin, nullptr, &shape,
                              &dimensions, &out);
    benchmark::DoNotOptimize(out);
    row = (row + 1) % batch;
  }
}

void forest_batch(benchmark::State& state) {
  Matrix out(batch, 1);
  for (auto _ : state) grown().forest.evaluate(grown().x, out, static_cast<int>(state.range(0)));
}

// The faster of XGBoost's two ways: straight from the array, without a DMatrix.
void xgboost_batch(benchmark::State& state) {
  grown().threads(state.range(0));
  const std::string data = interface_of(grown().x.data(), batch);
  for (auto _ : state) {
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* out = nullptr;
    XGBoosterPredictFromDense(grown().booster, data.c_str(), margin, nullptr, &shape, &dimensions, &out);
    benchmark::DoNotOptimize(out);
  }
}

BENCHMARK(forest_row);
BENCHMARK(xgboost_row);
BENCHMARK(forest_batch)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(xgboost_batch)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace taut
