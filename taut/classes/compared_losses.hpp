// Whether logits are better than others on rows that neither were fitted to: both log losses, and the error of their difference.
#pragma once

#include <taut/core/types.hpp>

#include <span>

namespace taut {

struct ComparedLosses {
  double without = missing, with = missing, error = missing;

  bool is_better() const { return without - with > error; }
};

// Of the same rows; `without` are multiplied by `beta` first.
ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, std::span<const Index> labels);

}  // namespace taut
