// The labels of rows in training, with how much each row counts.
#pragma once

#include <taut/core/row_weights.hpp>

#include <span>
#include <vector>

namespace taut {

struct RowLabels {
  std::span<const Index> values;
  RowWeights weights{};  // in the order of `values`; empty: every row counts once

  RowLabels(std::span<const Index> labels, RowWeights of_rows = {})  // NOLINT(google-explicit-constructor): labels alone
      : values(labels), weights(of_rows) {}
  RowLabels(const std::vector<Index>& labels, RowWeights of_rows = {})  // NOLINT(google-explicit-constructor)
      : values(labels), weights(of_rows) {}

  std::size_t size() const { return values.size(); }
  Index operator[](std::size_t row) const { return values[row]; }
  double weight(Index row) const { return weight_of(weights, row); }
  double total() const { return total_weight(weights, std::ssize(values)); }
  Index counted() const { return counted_rows(weights, std::ssize(values)); }
};

}  // namespace taut
