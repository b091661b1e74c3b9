// The exact k nearest rows of a set, by Euclidean distance, nearest first, equal distances in the order of the rows.
//
// The searches reject rows by single-precision distances with a proven error bound and rank the others by distances in double.
// The result therefore depends neither on the algorithm nor on the batch of a query.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <compare>
#include <functional>
#include <memory>

namespace taut {

struct Neighbour {
  double square;  // of the distance
  Index row;

  auto operator<=>(const Neighbour&) const = default;
};

class Nearest {
 public:
  using Visit = std::function<void(Index query, std::span<const Neighbour> neighbours)>;

  virtual ~Nearest() = default;

  // Calls visit() once for every row of `queries`, from several threads. Requires 1 <= k <= rows of the set.
  virtual void search(const Inputs& queries, Index k, int threads, const Visit& visit) const = 0;
};

// `data` must outlive the search structure.
std::unique_ptr<Nearest> nearest_by_tree(const MatrixF& data);      // faster for few columns
std::unique_ptr<Nearest> nearest_by_products(const MatrixF& data);  // faster for many columns
std::unique_ptr<Nearest> nearest(const MatrixF& data);              // the faster of the two

// (a - b) is exact in double for floats of similar size. The terms are added in the order of the columns.
inline double square_distance(const float* a, const float* b, Index columns) {
  double sum = 0;
  for (Index c = 0; c < columns; ++c) {
    const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += difference * difference;
  }
  return sum;
}

// The relative error of a sum of `columns` rounded squares or products in single precision is below this.
inline double float_error(Index columns) { return 1.2e-7 * static_cast<double>(columns + 8); }

// Below this, single precision loses digits.
inline constexpr double float_tiny = 1e-37;

// The k nearest rows found so far, in order.
class Shortlist {
 public:
  explicit Shortlist(Index k) : best_(static_cast<std::size_t>(k)) { clear(); }

  void clear() { std::fill(best_.begin(), best_.end(), Neighbour{infinity, std::numeric_limits<Index>::max()}); }
  double worst() const { return best_.back().square; }

  void offer(Neighbour candidate) {
    if (!(candidate < best_.back())) return;
    std::size_t at = best_.size() - 1;
    for (; at > 0 && candidate < best_[at - 1]; --at) best_[at] = best_[at - 1];
    best_[at] = candidate;
  }
  std::span<const Neighbour> neighbours() const { return best_; }

 private:
  std::vector<Neighbour> best_;
};

}  // namespace taut
