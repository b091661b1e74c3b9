// The knots of the transformation `curve`, used by its training.
#pragma once

#include <array>
#include <cstddef>

namespace taut {

// The probabilities above one half whose quantiles of y are knots. Below one half the knots are at 1 − p.
inline constexpr std::array<double, 4> curve_probabilities = {0.75, 0.9, 0.95, 0.975};
inline constexpr std::size_t n_curve_knots = curve_probabilities.size();  // on one side, without the centre

}  // namespace taut
