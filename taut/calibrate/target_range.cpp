#include <taut/calibrate/target_range.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

TargetRange::TargetRange(double least, double most, double step, Multiples multiples)
    : least_(least), most_(most), multiples_(multiples) {
  if (std::isnan(least) || std::isnan(most) || least > most)
    throw UsageError("--y-min must not exceed --y-max; got " + print_number(least) + " and " + print_number(most));
  if (!(step >= 0) || std::isinf(step)) throw UsageError("--y-step must be a positive number; got " + print_number(step));
  if (step == 0) return;
  lattice_.emplace(step);
  if (lowest_from(least) > most)
    throw UsageError("no multiple of --y-step " + print_number(step) + " lies between --y-min and --y-max");
}

// The first multiple at or above a value, in its lower form. A value beyond what doubles resolve stays as it is: that loses no
// value.
double TargetRange::lowest_from(double value) const {
  if (!lattice_ || !lattice_->resolves(value)) return value;
  const double count = lattice_->first_from(value, takes_products());
  const double multiple = lattice_->multiple(count);
  return takes_products() ? std::min(multiple, lattice_->product(count)) : multiple;
}

double TargetRange::highest_up_to(double value) const { return 0 - lowest_from(-value); }

bool TargetRange::is_possible(double y) const {
  if (!(y >= least_ && y <= most_)) return false;
  if (!lattice_ || !lattice_->resolves(y)) return true;
  return y == lattice_->multiple(lattice_->nearest(y)) || (takes_products() && is_product_only(y));
}

bool TargetRange::is_product_only(double y) const {
  if (!lattice_ || !lattice_->resolves(y)) return false;
  const double count = lattice_->nearest(y);
  return y == lattice_->product(count) && y != lattice_->multiple(count);
}

std::string TargetRange::objection(double y) const {
  if (y < least_) return "is below --y-min " + print_number(least_);
  if (y > most_) return "is above --y-max " + print_number(most_);
  return "is no multiple of --y-step " + print_number(lattice_->step()) + " (the nearest is " +
         print_number(lattice_->multiple(lattice_->nearest(y))) + ")";
}

TargetRange::Neighbours TargetRange::neighbours(double f) const {
  Neighbours found = {highest_up_to(std::min(f, most_)), lowest_from(std::max(f, least_))};
  if (!(found.below >= least_)) found.below = missing;
  if (!(found.above <= most_)) found.above = missing;
  return found;
}

double TargetRange::highest_possible(double v) const {
  const double found = highest_up_to(std::min(v, most_));
  return found >= least_ ? found : lowest_from(least_);
}

double TargetRange::lowest_possible(double v) const {
  const double found = lowest_from(std::max(v, least_));
  return found <= most_ ? found : highest_up_to(most_);
}

double TargetRange::nearest_possible(double v) const {
  const double below = highest_possible(v), above = lowest_possible(v);
  return std::abs(v - below) <= std::abs(above - v) ? below : above;
}

Interval TargetRange::cut(Interval interval, double first) const {
  if (interval.empty() || !restricts()) return interval;
  interval.lower = lowest_from(std::max(interval.lower, least_));
  interval.upper = highest_up_to(std::min(interval.upper, most_));
  if (interval.empty()) return {lowest_from(first), highest_up_to(first)};
  return {std::min(interval.lower, lowest_from(first)), std::max(interval.upper, highest_up_to(first))};
}

}  // namespace taut
