// a(f, y): how far y lies from f and on which side; and the residual that a score means.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

#include <cmath>

namespace taut {

// On which side of f the target lies. With two sides each end of an interval has a scale of its own.
enum class Side : std::uint8_t { below = 0, above = 1 };

inline Side side_of(double f, double y) { return y < f ? Side::below : Side::above; }

// The paper's three scores, r², |r| and log r², are increasing functions of one another: whichever a user names, the same
// rows are inside. A score is therefore a way to state a residual r = |y − f|, and a way back.
class Score {
 public:
  virtual ~Score() = default;
  virtual double of_residual(double r) const = 0;  // a
  virtual double residual_of(double a) const = 0;  // sup{r : of_residual(r) <= a}
};

const Registry<Score>& scores();

// Residuals of many rows, in units of `unit`, each with its side: what transformations are trained and calibrated on.
struct Residuals {
  std::vector<double> size;  // |y − f| / unit
  std::vector<Side> side;

  Index rows() const { return static_cast<Index>(size.size()); }
};

Residuals residuals(std::span<const double> f, std::span<const double> y, double unit = 1);

// The residuals of some rows only.
Residuals pick(const Residuals& all, RowsView rows);

}  // namespace taut
