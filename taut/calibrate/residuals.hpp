// How far y lies from f, and on which side: all that a conformity score is made of.
#pragma once

#include <taut/core/types.hpp>

#include <cmath>

namespace taut {

// On which side of f the target lies. With two sides each end of an interval has a scale of its own.
enum class Side : std::uint8_t { below = 0, above = 1 };

inline Side side_of(double f, double y) { return y < f ? Side::below : Side::above; }

// Residuals of many rows, in units of `unit`, each with its side: what transformations are trained and calibrated on.
struct Residuals {
  std::vector<double> size;  // |y − f| / unit
  std::vector<Side> side;
  std::vector<double> half_width{};  // that was predicted for each row, in the same unit; empty where f is all that was

  Index rows() const { return static_cast<Index>(size.size()); }
};

Residuals residuals(std::span<const double> f, std::span<const double> y, double unit = 1);

// The residuals of some rows only.
Residuals pick(const Residuals& all, RowsView rows);

}  // namespace taut
