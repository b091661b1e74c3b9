// The rows that one tree learns from, with their gradients.
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

  // Of `rows`, whose gradients stand in the same order. Output `group` of them, times `scale`, rounded so that sums of them do
  // not depend on the order (see Grid in the source). Rows with zeros in both stay out, and so does each with probability
  // `left_out`.
  void draw(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index group, double scale,
            double left_out, const Random& random, int threads);

  std::span<GradientRow> learning() { return {learning_.data(), count_}; }
  std::span<const std::uint32_t> others() const { return {others_.data(), others_.size() - count_}; }

 private:
  std::vector<GradientRow> learning_;
  std::vector<std::uint32_t> others_;
  std::size_t count_ = 0;
};

}  // namespace taut
