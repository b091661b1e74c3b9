// The continuous ranked probability score ∫ (F(v) − 1{y <= v})² dv of laws with equal steps: mean |v − y| − ½ mean |v − v'|.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/calibrate/row_score.hpp>

namespace taut {

// Of steps at `ascending`; NaN where there are none.
double crps_of_sorted(std::span<const double> ascending, double y);
// The same with steps of these heights, which need not sum to 1.
double crps_of_weighted(std::span<const double> ascending, std::span<const double> weights, double y);

// The same for the laws of many rows, where φ is a scale in disguise and the target may have any value: the steps of a row are
// then f − s_below · a and f + s_above · b with the same a and b for all rows. Sums that depend on these alone are taken once, so
// a row costs a binary search instead of a walk through all calibration rows.
class ScaleCrps {
 public:
  // The transformation is a scale (Transform::is_scale).
  ScaleCrps(const Law& law, const Transform& transform);
  double operator()(const RowScore& score, double y) const;

 private:
  // Of one side of f.
  struct Steps {
    explicit Steps(std::vector<double> from_f);
    double rows() const { return static_cast<double>(reach.size()); }
    double sum() const { return sums.back(); }
    double distance(double away) const;  // Σ |reach − away|

    std::vector<double> reach;  // ascending, in scales
    std::vector<double> sums;   // of the first 0, 1, ...
    double pairs = 0;           // Σ_ij |reach_i − reach_j|
  };
  static std::vector<double> reaches(const Law& law, const Transform& transform, Side side);

  Steps below_, above_;
};

}  // namespace taut
