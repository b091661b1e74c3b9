// A score that falls with the number of rows, score ≈ a + b n^(−c), from a few noisy points: where it goes, and how sure that is.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// What was measured with so many rows.
struct CurvePoint {
  double rows = 0;
  double value = 0;
  double error = 0;  // standard error, compared with the other points
};

struct Extrapolated {
  double rows = 0;
  double value = 0;  // the median
  double low = 0, high = 0;
};

// Curves a + b n^(−c) with a, b >= 0, drawn in proportion to how well they fit the points; before the points are seen c lies in
// [0.05, 1.5], every ratio of two exponents alike: flat curves are as common as steep ones. Beyond the points a curve may bend:
// real ones are no power laws, trees grow deeper when rows allow it, so the slope of each drawn curve is turned a little, at
// random.
class PowerLaws {
 public:
  // At least two points with positive values. `common_error`: relative, of all points together, because they were measured on
  // the same rows.
  PowerLaws(std::span<const CurvePoint> points, double common_error, std::uint64_t seed);

  // The band holds with this probability. `own_error`: relative, of the measurement that it is for; 0: of the curve itself.
  Extrapolated at(double rows, double probability, double own_error = 0) const;
  // What infinitely many rows would leave.
  Extrapolated floor(double probability) const;

 private:
  struct Curve {
    double a, b, c;
    double turn;              // standard normal draws: of the slope beyond the points,
    double noise, own_noise;  // and for the errors
  };
  template <class ValueOf>
  Extrapolated band(double rows, double probability, ValueOf value_of) const;

  double common_error_;
  double unit_;  // of rows
  std::vector<Curve> curves_;
};

}  // namespace taut
