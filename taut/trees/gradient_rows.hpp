// The rows that one tree is grown from, with their gradients.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

#include <vector>

namespace taut {

// Gradients travel with their row: a node then reads them in order, wherever its rows stand.
struct GradientRow {
  std::uint32_t row;
  float gradient;
  float curvature;
};

class GradientRows {
 public:
  explicit GradientRows(Index rows);

  // Samples from `rows`, whose gradients stand in the same order: column `output` of them, times `scale`, rounded so that their
  // sums do not depend on the order of addition (see Grid in the source). A row is dropped with probability `drop`, and always
  // when both its numbers are 0.
  void sample(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index output, double scale,
              double drop, const Random& random, int threads);

  std::span<GradientRow> sampled() { return {sampled_.data(), count_}; }
  std::span<const std::uint32_t> dropped() const { return {dropped_.data(), dropped_.size() - count_}; }

 private:
  std::vector<GradientRow> sampled_;    // room for all rows, of which the first count_ are used
  std::vector<std::uint32_t> dropped_;  // room for all rows, of which the first size() - count_ are used
  std::size_t count_ = 0;
};

}  // namespace taut
