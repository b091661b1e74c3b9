// Whole multiples of a step, each as the double nearest to its decimal.
#pragma once

#include <cstdint>

namespace taut {

// k · step in doubles is not what people write: 3 · 0.3 is 0.8999999999999999. The step stands for the shortest decimal that
// reads as its double, digits · 10^exponent, and a multiple is the double nearest to k · digits · 10^exponent, exactly. A step
// within rounding of 1/n, such as 0.3333333333333333, stands for 1/n.
class Lattice {
 public:
  explicit Lattice(double step);

  double step() const { return step_; }

  // Whether a value is finite and lies within 2^53 steps of 0. Beyond that doubles are coarser than the multiples.
  bool resolves(double value) const;
  double multiple(double count) const;
  double product(double count) const { return count * step_; }

  // The count of the first multiple at or above a value that resolves; `or_product`: at or above in either of its two forms.
  double first_from(double value, bool or_product) const;
  // The count of the multiple nearest to a value that resolves.
  double nearest(double value) const;

 private:
  double step_;
  double per_unit_ = 0;  // n where the step is 1/n, else 0
  std::uint64_t digits_ = 0;
  int exponent_ = 0;
};

}  // namespace taut
