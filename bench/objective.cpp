// The objective `size` with its gradient, O(N) for a scale, against the sum over pairs that it equals: √φ⁻¹(φ(a_n; g_n); g_m) for
// φ = a e^g, a = r². The sum is computed as written, with an exponential and a root for every pair, and with both moved out of
// the loop, which is possible for a scale and leaves one product for every pair.
#include <taut/core/random.hpp>
#include <taut/train/objective.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

namespace taut {
namespace {

struct Data {
  std::vector<double> residual;
  std::vector<Side> side;
  Matrix g;
};

Data random_data(Index rows) {
  Random random(1);
  Data data;
  for (Index i = 0; i < rows; ++i) data.residual.push_back(std::abs(random.normal()));
  data.side.assign(static_cast<std::size_t>(rows), Side{});
  data.g = Matrix::NullaryExpr(rows, 1, [&] { return random.normal(); });
  return data;
}

double by_formula(const Data& data, Matrix& gradient) {
  static const auto transform = transforms().make("exp");
  static const auto objective = objectives().make("size");
  Matrix curvature(gradient.rows(), 1);
  return objective->evaluate({data.residual, data.side, *transform, data.g, 1, true, 1}, &gradient, &curvature);
}

// width(n, m): the width of row m at the score of row n. Its derivatives are width / 2 by g_n and -width / 2 by g_m.
template <class Width>
double sum_over_pairs(Index rows, Matrix& gradient, Width&& width) {
  gradient.setZero();
  double sum = 0;
  for (Index m = 0; m < rows; ++m) {
    double own = 0;
    for (Index n = 0; n < rows; ++n) {
      if (n == m) continue;
      const double w = width(n, m);
      own += w;
      gradient(n, 0) += w / 2;
    }
    gradient(m, 0) -= own / 2;
    sum += own;
  }
  const double pairs = static_cast<double>(rows) * static_cast<double>(rows - 1);
  gradient /= pairs;
  return sum / pairs;
}

double by_pairs(const Data& data, Matrix& gradient) {
  const Eigen::ArrayXd g = data.g.col(0);
  const Eigen::ArrayXd b = Eigen::Map<const Eigen::ArrayXd>(data.residual.data(), g.size()).square() * g.exp();
  return sum_over_pairs(g.size(), gradient, [&](Index n, Index m) { return std::sqrt(b[n] * std::exp(-g[m])); });
}

double by_products(const Data& data, Matrix& gradient) {
  const Eigen::ArrayXd g = data.g.col(0);
  const Eigen::ArrayXd up = Eigen::Map<const Eigen::ArrayXd>(data.residual.data(), g.size()) * (g / 2).exp(),
                       down = (-g / 2).exp();
  return sum_over_pairs(g.size(), gradient, [&](Index n, Index m) { return up[n] * down[m]; });
}

template <auto evaluate>
void size_with_gradient(benchmark::State& state) {
  const Data data = random_data(state.range(0));
  Matrix gradient(data.g.rows(), 1);
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(data, gradient));
  const Data few = random_data(500);
  Matrix ours(500, 1), expected(500, 1);
  if (!(std::abs(evaluate(few, ours) - by_pairs(few, expected)) < 1e-9) || !((ours - expected).norm() < 1e-9 * expected.norm()))
    state.SkipWithError("the ways to the same sum differ");
}
BENCHMARK(size_with_gradient<by_formula>)->Name("formula")->Arg(4000)->Arg(20'000)->Unit(benchmark::kMillisecond);
BENCHMARK(size_with_gradient<by_pairs>)->Name("pairs")->Arg(4000)->Arg(20'000)->Unit(benchmark::kMillisecond);
BENCHMARK(size_with_gradient<by_products>)->Name("products")->Arg(4000)->Arg(20'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace taut
