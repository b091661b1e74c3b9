#include <taut/stream/location.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Location::Means rows_of_mean = {5, 20, 80, 320};
constexpr double rate = 2;            // of learning which is best, for a loss in units of an interval's reach
constexpr double shared = 0.001;      // of the weights, with every row, so that none is ever lost
constexpr double most_loss = 5;       // one wild target decides nothing
constexpr double farthest_error = 3;  // in units of an interval's reach: what a mean takes of an error

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
    losses[i] = std::min(std::abs(row.error - (i == 0 ? 0 : given[i - 1])) / row.width, most_loss);
  const double least = *std::min_element(losses.begin(), losses.end());
  double sum = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) sum += weights_[i] *= std::exp(-rate * (losses[i] - least));
  for (std::size_t i = 0; i < losses.size(); ++i)
    weights_[i] = (1 - shared) * weights_[i] / sum + shared * (i == 0 ? doubt : (1 - doubt) / paces);
  const double most = farthest_error * row.width;
  for (std::size_t i = 0; i < paces; ++i) means_[i] += std::clamp(row.error - means_[i], -most, most) / rows_of_mean[i];
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
  if (!holds) throw Error("the model file's stream has moved in a way that it cannot have: the file is damaged");
  std::copy_n(state.begin(), means_.size(), means_.begin());
  std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(means_.size()), weights_.size(), weights_.begin());
}

}  // namespace taut
