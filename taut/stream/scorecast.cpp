#include <taut/stream/scorecast.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr std::array<double, 2> pace_of = {1 - 1.0 / 5, 1 - 1.0 / 50};  // of forgetting, for each row
constexpr double forgetting = 1 - 1.0 / 3000;                           // of what was learnt
// As if so many rows had shown that surprises say nothing.
constexpr double doubt_rows = 100;
// The variance of a mean of uniform numbers at these paces.
constexpr std::array<double, 2> usual_variance = {(1.0 / 12) / (2 * 5 - 1), (1.0 / 12) / (2 * 50 - 1)};

}  // namespace

double Scorecast::forecast() const {
  const double a = products_[0] + doubt_rows * usual_variance[0], d = products_[3] + doubt_rows * usual_variance[1];
  const double b = products_[1], determinant = a * d - b * b;
  if (!(determinant > 0)) return 0;
  const double first = (d * with_score_[0] - b * with_score_[1]) / determinant;
  const double second = (a * with_score_[1] - b * with_score_[0]) / determinant;
  return first * surprise_[0] + second * surprise_[1];
}

void Scorecast::learn(double score, double p, const ScoreWindow& recent) {
  // Tiny residuals have scores far down, which say nothing about large ones.
  const double low = recent.threshold(0.9), high = recent.threshold(0.01);
  if (std::isfinite(low) && score < low) score = low;
  if (std::isfinite(high) && score > high) score = high;
  if (!std::isfinite(score)) return;
  rows_ += 1;
  mean_ += (score - mean_) / std::min(rows_, 1000.0);
  for (std::size_t i = 0; i < paces; ++i) {
    for (std::size_t j = 0; j < paces; ++j)
      products_[i * paces + j] = forgetting * products_[i * paces + j] + surprise_[i] * surprise_[j];
    with_score_[i] = forgetting * with_score_[i] + surprise_[i] * (score - mean_);
  }
  for (std::size_t i = 0; i < paces; ++i) surprise_[i] += (1 - pace_of[i]) * (0.5 - p - surprise_[i]);
}

std::vector<double> Scorecast::state() const {
  std::vector<double> numbers(surprise_.begin(), surprise_.end());
  numbers.insert(numbers.end(), products_.begin(), products_.end());
  numbers.insert(numbers.end(), with_score_.begin(), with_score_.end());
  numbers.push_back(mean_);
  numbers.push_back(rows_);
  return numbers;
}

void Scorecast::restore(std::span<const double> state) {
  constexpr std::size_t size = paces + paces * paces + paces + 2;
  bool holds = state.size() == size;
  for (const double number : state) holds = holds && std::isfinite(number);
  if (!holds) throw Error("the model file's forecast of scores has a state that it cannot have: the file is damaged");
  auto next = state.begin();
  for (auto* numbers : {surprise_.data(), products_.data(), with_score_.data()}) {
    const auto count = static_cast<std::ptrdiff_t>(numbers == products_.data() ? paces * paces : paces);
    std::copy_n(next, count, numbers);
    next += count;
  }
  mean_ = *next++;
  rows_ = *next;
}

}  // namespace taut
