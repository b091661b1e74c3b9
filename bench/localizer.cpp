// 200 rounds of depth 4 on a million rows x 10: our localizer with its gradients, against XGBoost's own training with squared
// error on the same rows. Both from raw floats to trees; each in its best documented form, quantile matrix and histograms.
// The counter rss_ratio is the growth of the process over the raw floats. Measure memory with --benchmark_filter, one at a
// time; run with OMP_WAIT_POLICY=passive, since XGBoost is linked here.
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/localize/localizer.hpp>

#include <benchmark/benchmark.h>
#include <xgboost/c_api.h>

#include <fstream>
#include <numeric>
#include <string>

namespace taut {
namespace {

constexpr Index rows = 1'000'000;
constexpr Index columns = 10;
constexpr int rounds = 200;

struct Data {
  MatrixF x;
  std::vector<float> y;
};

const Data& data() {
  static const Data once = [] {
    Random random(1);
    Data made;
    made.x = MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
    for (Index i = 0; i < rows; ++i) made.y.push_back(made.x(i, 0) * made.x(i, 1) + static_cast<float>(random.normal()));
    return made;
  }();
  return once;
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

double over_raw(double bytes) { return bytes / static_cast<double>(rows * columns * Index{sizeof(float)}); }

void localizer_rounds(benchmark::State& state) {
  const auto& [x, y] = data();
  const double before = resident_bytes();
  for (auto _ : state) {
    Rows all(rows);
    std::iota(all.begin(), all.end(), Index{0});
    auto localizer = localizers().make("boost");
    localizer->start(x, MatrixF(0, columns), std::vector<double>{0}, {}, taut::Run{.threads = static_cast<int>(state.range(0))});
    Matrix gradient(rows, 1);
    const Matrix curvature = Matrix::Constant(rows, 1, 1.0 / rows);
    for (int round = 0; round < rounds; ++round) {
      const Matrix& g = localizer->forward(all);
      for (Index i = 0; i < rows; ++i) gradient(i, 0) = (g(i, 0) - static_cast<double>(y[static_cast<std::size_t>(i)])) / rows;
      localizer->update(all, gradient, curvature);
    }
    state.counters["rss_ratio"] = over_raw(resident_bytes() - before);
    localizer->finish();
  }
}

struct Source {
  DMatrixHandle proxy = nullptr;
  bool given = false;
};
void reset(void* source) { static_cast<Source*>(source)->given = false; }
int next(void* handle) {
  auto& source = *static_cast<Source*>(handle);
  if (source.given) return 0;
  const std::string text = R"({"data": [)" + std::to_string(reinterpret_cast<std::uintptr_t>(data().x.data())) +
                           R"(, true], "shape": [)" + std::to_string(rows) + ", " + std::to_string(columns) +
                           R"(], "typestr": "<f4", "version": 3})";
  XGProxyDMatrixSetDataDense(source.proxy, text.c_str());
  XGDMatrixSetDenseInfo(source.proxy, "label", data().y.data(), data().y.size(), 1);
  source.given = true;
  return 1;
}

void xgboost_rounds(benchmark::State& state) {
  data();
  const double before = resident_bytes();
  const std::string threads = std::to_string(state.range(0));
  for (auto _ : state) {
    Source source;
    XGProxyDMatrixCreate(&source.proxy);
    DMatrixHandle train = nullptr;
    XGQuantileDMatrixCreateFromCallback(&source, source.proxy, nullptr, reset, next,
                                        (R"({"missing": NaN, "nthread": )" + threads + "}").c_str(), &train);
    BoosterHandle booster = nullptr;
    XGBoosterCreate(&train, 1, &booster);
    for (const auto& [name, value] :
         {std::pair{"tree_method", "hist"}, {"max_depth", "4"}, {"eta", "0.05"}, {"nthread", threads.c_str()}})
      XGBoosterSetParam(booster, name, value);
    for (int round = 0; round < rounds; ++round) XGBoosterUpdateOneIter(booster, round, train);
    state.counters["rss_ratio"] = over_raw(resident_bytes() - before);
    XGBoosterFree(booster);
    XGDMatrixFree(train);
    XGDMatrixFree(source.proxy);
  }
}

BENCHMARK(localizer_rounds)->Arg(1)->Arg(2)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(xgboost_rounds)->Arg(1)->Arg(2)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace taut
