#include <taut/calibrate/target_range.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace taut {

namespace {

constexpr double most_count = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
constexpr int most_exact_power = 22;               // 10^22 is the largest power of ten that is a double
constexpr std::array<double, most_exact_power + 1> powers_of_ten = [] {
  std::array<double, most_exact_power + 1> powers{};
  double power = 1;
  for (double& one : powers) {
    one = power;
    power *= 10;
  }
  return powers;
}();

// a · b as decimal digits: both below 2^63, so the product has at most 38 digits. Schoolbook, in base 10^9.
std::string product_digits(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t base = 1'000'000'000;
  const std::array<std::uint64_t, 3> x = {a % base, a / base % base, a / base / base};
  const std::array<std::uint64_t, 3> y = {b % base, b / base % base, b / base / base};
  std::array<std::uint64_t, 6> sum{};
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) {
      sum[i + j] += x[i] * y[j];
      sum[i + j + 1] += sum[i + j] / base;
      sum[i + j] %= base;
    }
  std::string digits;
  for (auto part = sum.rbegin(); part != sum.rend(); ++part) {
    const std::string nine = std::to_string(*part);
    digits += std::string(9 - nine.size(), '0') + nine;
  }
  return digits;
}

}  // namespace

Lattice::Lattice(double step) : step_(step) {
  // "1.25e-07" -> 125 · 10^-9
  std::string text = print_number(step);
  if (const auto e = text.find('e'); e != std::string::npos) {
    exponent_ = std::stoi(text.substr(e + 1));
    text.resize(e);
  }
  if (const auto point = text.find('.'); point != std::string::npos) {
    exponent_ -= static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  while (text.size() > 1 && text.back() == '0') {
    text.pop_back();
    ++exponent_;
  }
  digits_ = std::stoull(text);
  const double n = std::round(1 / step);
  if (n >= 1 && n < most_count && std::abs(n * step - 1) < 1e-12) per_unit_ = n;
}

bool Lattice::resolves(double value) const { return std::abs(value / step_) < most_count; }

double Lattice::multiple(double count) const {
  if (per_unit_ > 0) return count / per_unit_;
  const double size = std::abs(count) * static_cast<double>(digits_);
  // Exact factors and one operation: rounded once.
  if (size < most_count && std::abs(exponent_) <= most_exact_power) {
    const double power = powers_of_ten[static_cast<std::size_t>(std::abs(exponent_))];
    return std::copysign(exponent_ < 0 ? size / power : size * power, count);
  }
  const std::string digits = product_digits(static_cast<std::uint64_t>(std::abs(count)), digits_);
  return std::copysign(parse_number(digits + "e" + std::to_string(exponent_)).value_or(std::abs(count) * step_), count);
}

// The quotient is off by a rounding at most: the count is found among its neighbours.
double Lattice::first_from(double value, bool or_product) const {
  const auto reaches = [&](double k) { return (or_product ? std::max(multiple(k), product(k)) : multiple(k)) >= value; };
  double count = std::ceil(value / step_);
  while (reaches(count - 1)) --count;
  while (!reaches(count)) ++count;
  return count;
}

double Lattice::nearest(double value) const {
  const double middle = std::round(value / step_);
  double best = middle;
  for (const double count : {middle - 1, middle + 1})
    if (std::abs(multiple(count) - value) < std::abs(multiple(best) - value)) best = count;
  return best;
}

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
