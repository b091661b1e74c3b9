#include <taut/train/validation.hpp>

#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <cmath>
#include <mutex>
#include <numeric>
#include <thread>

namespace taut {
namespace {

// The ⌈confidence · n⌉-th smallest value, for every confidence of two digits: products such as 0.55 · 100 are integers in
// decimals, but not in doubles.
TEST(SampleQuantile, IsTheExactOrderStatistic) {
  for (const int n : {1, 7, 20, 50, 100, 200, 400}) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.rbegin(), values.rend(), 1.0);
    for (int percent = 1; percent < 100; ++percent)
      EXPECT_EQ(sample_quantile(values, percent / 100.0), (percent * n + 99) / 100) << n << " " << percent;
  }
}

// Sums over two threads that play the role of processes.
class Exchange {
 public:
  void operator()(std::span<double> values) {
    {
      const std::lock_guard lock(mutex_);
      sums_.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) sums_[i] += values[i];
    }
    meet_.arrive_and_wait();
    std::copy(sums_.begin(), sums_.end(), values.begin());
    meet_.arrive_and_wait();
    {
      const std::lock_guard lock(mutex_);
      sums_.clear();
    }
    meet_.arrive_and_wait();
  }

 private:
  std::barrier<> meet_{2};
  std::mutex mutex_;
  std::vector<double> sums_;
};

TEST(MeanLogIntervalScore, IsThatOfTheRowsOfAllProcesses) {
  constexpr Index n = 4000, half = n / 2;
  const auto transform = transforms().make("exp");
  Random random(3);
  std::vector<double> residual;
  std::vector<Side> side;
  Matrix g(n, 2);
  for (Index i = 0; i < n; ++i) {
    residual.push_back(-std::log(1 - random.uniform(0, 1)));
    side.push_back(i % 3 == 0 ? Side::below : Side::above);
    for (Index k = 0; k < 2; ++k) g(i, k) = random.uniform(-1, 1);
  }
  Exchange exchange;
  std::array<double, 2> found{};
  const auto process = [&](Index which) {
    const Matrix own = g.middleRows(which * half, half);
    const auto begin = static_cast<std::size_t>(which * half);
    const ObjectiveRows rows{std::span(residual).subspan(begin, half), std::span(side).subspan(begin, half), *transform, own, 2};
    found[static_cast<std::size_t>(which)] = log_mean_interval_score(rows, std::ref(exchange));
  };
  std::thread other(process, 1);
  process(0);
  other.join();
  EXPECT_EQ(found[0], found[1]);
  // Bins raise q by up to half a per cent; the score changes by a fraction of that.
  EXPECT_NEAR(found[0], log_mean_interval_score({residual, side, *transform, g, 2}), 1e-3);
}

}  // namespace
}  // namespace taut
