// Trains a localizer: 200 rounds of depth 4 with its gradients, from raw floats to trees, on one thread or more. The rows come
// from a file of floats, ten inputs and a target for each row, so that bench/peers/localizer.py can train XGBoost on the same
// rows:
//   bench_localizer FILE THREADS
#include <bench/float_file.hpp>
#include <bench/stopwatch.hpp>
#include <taut/localize/localizer.hpp>

#include <cstdlib>

namespace taut {
namespace {

constexpr Index columns = 10;
constexpr int rounds = 200;

void boost(const MatrixF& x, const Matrix& y, int threads) {
  const Rows all = all_rows(x.rows());
  const auto localizer = localizers().make("boost");
  LocalizerSettings settings;
  settings.depth = 4;
  localizer->start(InputPool(x), all, {}, std::vector<double>{0}, settings, ExecutionContext{.threads = threads});
  const double share = 1.0 / static_cast<double>(x.rows());
  const Matrix curvature = Matrix::Constant(x.rows(), 1, share);
  Matrix gradient(x.rows(), 1);
  for (int round = 0; round < rounds; ++round) {
    gradient = (localizer->forward(all) - y) * share;
    localizer->update(all, gradient, curvature);
  }
  localizer->finish();
}

}  // namespace
}  // namespace taut

int main(int count, char** words) {
  using namespace taut;
  if (count != 3) return std::puts("usage: bench_localizer FILE THREADS"), 2;
  const MatrixF rows = read_floats(words[1], columns + 1);
  const MatrixF x = rows.leftCols(columns);
  const Matrix y = rows.rightCols(1).cast<double>();
  const Stopwatch watch;
  boost(x, y, std::atoi(words[2]));
  watch.print();
}
