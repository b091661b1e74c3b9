// Transformations at many places at once, for objectives that look at pairs of rows. Optional: what a class does not offer is
// found place by place.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// φ depends on log a + g alone, and g is one number: ∂φ/∂g = ∂φ/∂log a.
class AlongLog {
 public:
  static constexpr Index most = 32;  // places at once: their arrays need no memory of their own
  using Array = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;

  virtual ~AlongLog() = default;
  // φ and its first and second derivative by log a at each z = log a + g.
  virtual void at(const Array& z, Array& value, Array& rise, Array& bend) const = 0;
};

// Many scores at one g: as inverse(), slope() and grad() one by one, up to rounding.
class ManyInverses {
 public:
  struct Result {
    std::vector<double> a, slope;  // a as inverse() gives it; no slope where a is negative, 0 or infinite
    Matrix grad;                   // a row for each a with a slope, unless it is not wanted
  };

  virtual ~ManyInverses() = default;
  virtual void inverses(std::span<const double> b, const double* g, bool with_grad, Result& result) const = 0;
};

}  // namespace taut
