#include <taut/time/control/forecasts.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Location::Means rows_of_mean = {5, 20, 80, 320};
constexpr double rate = 2;            // learning rate of the weights, for a loss in units of the interval's half width
constexpr double shared = 0.001;      // share of the weights that is redistributed with every row, so that none vanishes
constexpr double max_loss = 5;        // limits the effect of one outlier
constexpr double farthest_error = 3;  // errors are clipped here before they enter a mean, in units of the interval's half width

}  // namespace

double Location::shift() const {
  if (weights_[0] > 0.5) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < paces; ++i) sum += weights_[i + 1] * means_[i];
  return sum;
}

void Location::learn(const StreamError& row, const Means& given) {
  if (!(row.width > 0 && std::isfinite(row.width) && std::isfinite(row.error))) return;
  std::array<double, paces + 1> losses{};
  for (std::size_t i = 0; i < losses.size(); ++i)
    losses[i] = std::min(std::abs(row.error - (i == 0 ? 0 : given[i - 1])) / row.width, max_loss);
  const double minimum = *std::min_element(losses.begin(), losses.end());
  double sum = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) sum += weights_[i] *= std::exp(-rate * (losses[i] - minimum));
  for (std::size_t i = 0; i < losses.size(); ++i)
    weights_[i] = (1 - shared) * weights_[i] / sum + shared * (i == 0 ? prior_weight : (1 - prior_weight) / paces);
  const double maximum = farthest_error * row.width;
  for (std::size_t i = 0; i < paces; ++i) means_[i] += std::clamp(row.error - means_[i], -maximum, maximum) / rows_of_mean[i];
}

std::vector<double> Location::state() const {
  std::vector<double> numbers(means_.begin(), means_.end());
  numbers.insert(numbers.end(), weights_.begin(), weights_.end());
  return numbers;
}

void Location::restore(std::span<const double> state) {
  bool holds = state.size() == means_.size() + weights_.size();
  for (const double number : state) holds = holds && std::isfinite(number);
  for (std::size_t i = means_.size(); i < state.size(); ++i) holds = holds && state[i] > 0;
  if (!holds) throw Error("the model file's stream has an invalid shift: the file is damaged");
  std::copy_n(state.begin(), means_.size(), means_.begin());
  std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(means_.size()), weights_.size(), weights_.begin());
}

namespace {

constexpr std::array<double, 2> mean_decay = {1 - 1.0 / 5, 1 - 1.0 / 50};  // of the means of surprises, for each row
constexpr double sum_decay = 1 - 1.0 / 3000;                               // of the regression sums, for each row
// Prior: `prior_rows` pseudo-observations with no autocorrelation.
constexpr double prior_rows = 100;
// The variance of an exponentially weighted mean of uniform numbers with these decay factors.
constexpr std::array<double, 2> usual_variance = {(1.0 / 12) / (2 * 5 - 1), (1.0 / 12) / (2 * 50 - 1)};

}  // namespace

double Scorecast::forecast() const {
  const double a = products_[0] + prior_rows * usual_variance[0], d = products_[3] + prior_rows * usual_variance[1];
  const double b = products_[1], determinant = a * d - b * b;
  if (!(determinant > 0)) return 0;
  const double first = (d * with_score_[0] - b * with_score_[1]) / determinant;
  const double second = (a * with_score_[1] - b * with_score_[0]) / determinant;
  return first * surprise_[0] + second * surprise_[1];
}

void Scorecast::learn(double score, double p, const ScoreWindow& recent) {
  // Tiny residuals have very low scores, which carry no information about large ones.
  const double low = recent.threshold(0.9), high = recent.threshold(0.01);
  if (std::isfinite(low) && score < low) score = low;
  if (std::isfinite(high) && score > high) score = high;
  if (!std::isfinite(score)) return;
  rows_ += 1;
  mean_ += (score - mean_) / std::min(rows_, 1000.0);
  for (std::size_t i = 0; i < paces; ++i) {
    for (std::size_t j = 0; j < paces; ++j)
      products_[i * paces + j] = sum_decay * products_[i * paces + j] + surprise_[i] * surprise_[j];
    with_score_[i] = sum_decay * with_score_[i] + surprise_[i] * (score - mean_);
  }
  for (std::size_t i = 0; i < paces; ++i) surprise_[i] += (1 - mean_decay[i]) * (0.5 - p - surprise_[i]);
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
  if (!holds) throw Error("the model file's forecast of scores has an invalid state: the file is damaged");
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
