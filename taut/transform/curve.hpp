// The knots of the transformation `curve`, for those who train it.
#pragma once

#include <array>
#include <cstddef>

namespace taut {

// Probabilities above one half at which a quantile of y is a knot; below it 1 − p mirrors them.
inline constexpr std::array<double, 4> curve_probabilities = {0.75, 0.9, 0.95, 0.975};
inline constexpr std::size_t n_curve_knots = curve_probabilities.size();  // of one side, the centre not counted

}  // namespace taut
