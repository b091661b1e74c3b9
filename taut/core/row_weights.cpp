#include <taut/core/row_weights.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double total_weight(RowWeights weights, Index rows) {
  if (weights.empty()) return static_cast<double>(rows);
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

Index counted_rows(RowWeights weights, Index rows) {
  constexpr double most = 1e18;  // larger sums have no Index
  return weights.empty() ? rows : std::max<Index>(1, std::llround(std::min(total_weight(weights, rows), most)));
}

std::vector<double> pick_weights(RowWeights weights, RowsView rows) {
  return weights.empty() ? std::vector<double>() : pick(weights, rows);
}

double weighted_mean(std::span<const double> values, RowWeights weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight_of(weights, static_cast<Index>(i)) * values[i];
  return sum / total_weight(weights, std::ssize(values));
}

RepeatedValues::RepeatedValues(std::span<const double> values, RowWeights weights) {
  Rows order = all_rows(std::ssize(values));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)]; });
  values_.reserve(values.size());
  ends_.reserve(values.size());
  double sum = 0;
  for (const Index i : order) {
    values_.push_back(values[static_cast<std::size_t>(i)]);
    ends_.push_back(sum += weight_of(weights, i));
  }
}

// The first value that ends behind the place.
std::size_t RepeatedValues::position_of(double place) const {
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), place);
  return found == ends_.end() ? ends_.size() - 1 : static_cast<std::size_t>(found - ends_.begin());
}

double RepeatedValues::at(double place) const { return values_[position_of(std::floor(place))]; }

double RepeatedValues::interpolated(double p) const {
  const double place = std::clamp(p * size() - 0.5, 0.0, std::max(0.0, size() - 1));
  const double low = std::floor(place), rest = place - low, value = at(low);
  return rest == 0 ? value : value + rest * (at(low + 1) - value);
}

double RepeatedValues::quantile(double confidence) const {
  constexpr double rounding = 1e-12;  // of sums of weights, and of the level
  const auto found = std::lower_bound(ends_.begin(), ends_.end(), (1 - rounding) * confidence * size());
  return values_[found == ends_.end() ? ends_.size() - 1 : static_cast<std::size_t>(found - ends_.begin())];
}

}  // namespace taut
