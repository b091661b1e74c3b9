// Trains one forest: 200 rounds of squared error, from raw floats to trees. The rows come from a file of floats, inputs and
// target of each row, so that bench/peers/boosting.py can train other libraries on the same rows:
//   bench_boosting FILE COLUMNS DEPTH THREADS
#include <bench/float_file.hpp>
#include <bench/stopwatch.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/booster.hpp>

#include <cmath>
#include <cstdlib>
#include <string>

namespace taut {
namespace {

constexpr int rounds = 200;

// The root mean square of the residuals. It shows that all sides have learnt equally well.
double boost(const MatrixF& x, const Matrix& y, Index depth, int threads) {
  BoosterSettings settings;
  settings.depth = depth;
  settings.rate = 0.1;
  settings.threads = threads;
  Booster booster(x, settings);
  const Matrix curvature = Matrix::Ones(x.rows(), 1);
  Matrix gradient(x.rows(), 1);
  const auto find_errors = [&] {
    parallel_blocks(x.rows(), 1 << 14, threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) gradient(i, 0) = static_cast<double>(booster.margins()(i, 0)) - y(i, 0);
    });
  };
  for (int round = 0; round < rounds; ++round) {
    find_errors();
    booster.boost(gradient, curvature);
  }
  find_errors();
  return std::sqrt(gradient.squaredNorm() / static_cast<double>(x.rows()));
}

}  // namespace
}  // namespace taut

int main(int count, char** words) {
  using namespace taut;
  if (count != 5) return std::puts("usage: bench_boosting FILE COLUMNS DEPTH THREADS"), 2;
  const Index columns = std::atoi(words[2]);
  const MatrixF rows = read_floats(words[1], columns + 1);
  const MatrixF x = rows.leftCols(columns);
  const Matrix y = rows.rightCols(1).cast<double>();
  const Stopwatch watch;
  const double error = boost(x, y, std::atoi(words[3]), std::atoi(words[4]));
  watch.print(", \"error\": " + std::to_string(error));
}
