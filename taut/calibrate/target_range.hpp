// Declared properties of the target: its range and its step.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace taut {

// Whole multiples of a step, each as the double nearest to its decimal.

// k · step in doubles is not the decimal that people write: 3 · 0.3 is 0.8999999999999999. The step is therefore interpreted as
// the shortest decimal that reads as its double, digits · 10^exponent, and a multiple is the double nearest to k · digits ·
// 10^exponent, exactly. A step within rounding of 1/n, such as 0.3333333333333333, is interpreted as 1/n.
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

// The possible values of the target: the whole multiples of the step from minimum() to maximum(). Restricting an interval to the
// possible values and rounding its ends inward loses none of them and so costs no coverage.
class TargetRange {
 public:
  // Multiples are decimals: three steps of 0.3 are 0.9. `Multiples::products_too`: targets may also be written as the product of
  // doubles, 3 · 0.3 = 0.8999999999999999; interval ends then include both forms.
  enum class Multiples { decimals, products_too };

  TargetRange() = default;
  // A step of 0 means any value. An invalid range or step is a UsageError.
  TargetRange(double minimum, double maximum, double step, Multiples multiples = Multiples::decimals);

  double minimum() const { return minimum_; }
  double maximum() const { return maximum_; }
  bool restricts() const { return lattice_ || minimum_ > -infinity || maximum_ < infinity; }
  bool takes_products() const { return multiples_ == Multiples::products_too; }

  bool is_possible(double y) const;
  // A multiple of the step as a product of doubles that is not the double of the decimal.
  bool is_product_only(double y) const;
  // Why y is not possible: "is above --y-max 5", "is no multiple of --y-step 0.1 (the nearest is 0.3)".
  std::string objection(double y) const;

  // The possible values nearest to f, at or below it and at or above it; NaN if there is none.
  struct Neighbours {
    double below, above;
  };
  Neighbours neighbours(double f) const;

  // The largest possible value at or below v, or the smallest of all if there is none; the smallest at or above v, or the
  // largest of all; and the nearest to v.
  double highest_possible(double v) const;
  double lowest_possible(double v) const;
  double nearest_possible(double v) const;

  // The possible values inside, as an interval. `first` is the possible value with the lowest score. Every set that is not empty
  // includes it, so that the sets of all levels are nested and contain a possible value. An empty set stays empty.
  Interval cut(Interval interval, double first) const;

 private:
  double lowest_from(double value) const;
  double highest_up_to(double value) const;

  double minimum_ = -infinity, maximum_ = infinity;
  std::optional<Lattice> lattice_;
  Multiples multiples_ = Multiples::decimals;
};

}  // namespace taut
