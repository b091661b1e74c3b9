// Scores in ascending order, each with a weight.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// Throws an Error unless there is one weight per score, each finite and not negative.
void check_weights(std::span<const double> weights, std::size_t scores);

// `Score` has an order: double, or SignedScore. Where no weights are given each is 1, and sums of weights are exact counts.
template <class Score>
class SortedScores {
 public:
  SortedScores() = default;
  explicit SortedScores(std::vector<Score> values, std::span<const double> weights = {}) : values_(std::move(values)) {
    if (weights.empty()) {
      std::sort(values_.begin(), values_.end());
      return;
    }
    check_weights(weights, values_.size());
    Rows order = all_rows(rows());
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return values_[static_cast<std::size_t>(a)] < values_[static_cast<std::size_t>(b)];
    });
    const double largest = *std::max_element(weights.begin(), weights.end());
    exponent_ = largest > 0 ? std::ilogb(largest) : 0;
    std::vector<Score> sorted;
    sums_ = {0};
    for (const Index row : order) {
      sorted.push_back(values_[static_cast<std::size_t>(row)]);
      sums_.push_back(sums_.back() + scaled(weights[static_cast<std::size_t>(row)]));
    }
    values_ = std::move(sorted);
  }

  // Values that are in ascending order already, each of weight 1.
  static SortedScores presorted(std::vector<Score> values) {
    SortedScores result;
    result.values_ = std::move(values);
    return result;
  }

  Index rows() const { return std::ssize(values_); }
  bool is_plain() const { return sums_.empty(); }
  const std::vector<Score>& values() const { return values_; }
  // The k-th smallest, k = 1 ... rows().
  const Score& at_rank(Index k) const { return values_[static_cast<std::size_t>(k - 1)]; }

  // Sums are those of weights divided by a power of two, the largest being from 1 to 2: so none overflows, and the bits are those
  // of the weights as they were given. `scaled` does the same to another weight; one that is beyond all of these by far stays
  // finite.
  double scaled(double weight) const { return std::min(std::ldexp(weight, -exponent_), 0x1p1000); }

  double weight() const { return weight_of_first(rows()); }
  double weight_of_first(Index count) const {
    return is_plain() ? static_cast<double>(count) : sums_[static_cast<std::size_t>(count)];
  }
  Index count_below(const Score& value) const {
    return std::lower_bound(values_.begin(), values_.end(), value) - values_.begin();
  }
  Index count_up_to(const Score& value) const {
    return std::upper_bound(values_.begin(), values_.end(), value) - values_.begin();
  }
  double weight_below(const Score& value) const { return weight_of_first(count_below(value)); }
  double weight_up_to(const Score& value) const { return weight_of_first(count_up_to(value)); }

  // How many of the smallest scores it takes for their weight to reach `wanted`, up to rounding; rows() + 1 where all together do
  // not.
  Index count_reaching(double wanted) const {
    const double rounding =
        std::numeric_limits<double>::epsilon() * static_cast<double>(rows() + 4) * (std::abs(wanted) + weight());
    const auto sum_reaches = [&](Index count) { return weight_of_first(count) >= wanted - rounding; };
    Index low = 0, high = rows() + 1;  // low ... high holds the answer
    while (low < high) {
      const Index middle = low + (high - low) / 2;  // at most rows()
      if (sum_reaches(middle))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

 private:
  std::vector<Score> values_;
  std::vector<double> sums_;  // of the first 0, 1, ... weights; empty where each weight is 1
  int exponent_ = 0;          // of that power of two
};

}  // namespace taut
