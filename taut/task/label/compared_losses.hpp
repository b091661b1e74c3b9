// Whether logits are better than others on rows that neither were fitted to: both log losses, and the error of their difference.
#pragma once

#include <taut/core/types.hpp>

#include <span>

namespace taut {

struct ComparedLosses {
  double without = missing, with = missing, error = missing;

  // By more than the standard error of the difference. Losses that are not finite never win, and lose to finite ones.
  bool is_better() const;
};

// Of the same rows; `without` are multiplied by `beta` first.
ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, std::span<const Index> labels);

}  // namespace taut
