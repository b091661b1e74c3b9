// Makes shares add up to a value to the last bits.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// Trees are added in floats, shares in doubles: what is lacking goes to the shares in proportion to their size. Returns what was
// lacking, relative to the terms of the sum.
inline double settle(double value, double base, Eigen::Ref<Eigen::RowVectorXd> shares) {
  const double size = shares.cwiseAbs().sum(), lacking = value - base - shares.sum();
  if (lacking == 0 || !(size > 0)) return 0;
  shares.array() += lacking / size * shares.array().abs();
  return std::abs(lacking) / std::max(size, std::abs(value));
}

}  // namespace taut
