#include <taut/calibrate/target_range.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace taut {

namespace {

constexpr double max_count = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
constexpr int max_exact_power = 22;               // 10^22 is the largest power of ten that is a double
constexpr std::array<double, max_exact_power + 1> powers_of_ten = [] {
  std::array<double, max_exact_power + 1> powers{};
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
  if (n >= 1 && n < max_count && std::abs(n * step - 1) < 1e-12) per_unit_ = n;
}

bool Lattice::resolves(double value) const { return std::abs(value / step_) < max_count; }

double Lattice::multiple(double count) const {
  if (per_unit_ > 0) return count / per_unit_;
  const double size = std::abs(count) * static_cast<double>(digits_);
  // Exact factors and one operation: rounded once.
  if (size < max_count && std::abs(exponent_) <= max_exact_power) {
    const double power = powers_of_ten[static_cast<std::size_t>(std::abs(exponent_))];
    return std::copysign(exponent_ < 0 ? size / power : size * power, count);
  }
  const std::string digits = product_digits(static_cast<std::uint64_t>(std::abs(count)), digits_);
  return std::copysign(parse_number(digits + "e" + std::to_string(exponent_)).value_or(std::abs(count) * step_), count);
}

// The quotient has a rounding error, so neighbouring counts are checked.
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

TargetRange::TargetRange(double minimum, double maximum, double step, Multiples multiples)
    : minimum_(minimum), maximum_(maximum), multiples_(multiples) {
  if (std::isnan(minimum) || std::isnan(maximum) || minimum > maximum)
    throw UsageError(format_text("--y-min must not exceed --y-max; got {} and {}", print_number(minimum), print_number(maximum)));
  if (!(step >= 0) || std::isinf(step)) throw UsageError("--y-step must be a positive number; got " + print_number(step));
  if (step == 0) return;
  lattice_.emplace(step);
  if (lowest_from(minimum) > maximum)
    throw UsageError(format_text("no multiple of --y-step {} lies between --y-min and --y-max", print_number(step)));
}

// The first multiple at or above a value; of its two forms, decimal and product, the lower one. A value beyond the resolution of
// doubles is returned unchanged, so that no possible value is lost.
double TargetRange::lowest_from(double value) const {
  if (!lattice_ || !lattice_->resolves(value)) return value;
  const double count = lattice_->first_from(value, takes_products());
  const double multiple = lattice_->multiple(count);
  return takes_products() ? std::min(multiple, lattice_->product(count)) : multiple;
}

double TargetRange::highest_up_to(double value) const { return 0 - lowest_from(-value); }

bool TargetRange::is_possible(double y) const {
  if (!(y >= minimum_ && y <= maximum_)) return false;
  if (!lattice_ || !lattice_->resolves(y)) return true;
  return y == lattice_->multiple(lattice_->nearest(y)) || (takes_products() && is_product_only(y));
}

bool TargetRange::is_product_only(double y) const {
  if (!lattice_ || !lattice_->resolves(y)) return false;
  const double count = lattice_->nearest(y);
  return y == lattice_->product(count) && y != lattice_->multiple(count);
}

std::string TargetRange::objection(double y) const {
  if (y < minimum_) return "is below --y-min " + print_number(minimum_);
  if (y > maximum_) return "is above --y-max " + print_number(maximum_);
  return format_text("is no multiple of --y-step {} (the nearest is {})", print_number(lattice_->step()),
                     print_number(lattice_->multiple(lattice_->nearest(y))));
}

TargetRange::Neighbours TargetRange::neighbours(double f) const {
  Neighbours found = {highest_up_to(std::min(f, maximum_)), lowest_from(std::max(f, minimum_))};
  if (!(found.below >= minimum_)) found.below = missing;
  if (!(found.above <= maximum_)) found.above = missing;
  return found;
}

double TargetRange::highest_possible(double v) const {
  const double found = highest_up_to(std::min(v, maximum_));
  return found >= minimum_ ? found : lowest_from(minimum_);
}

double TargetRange::lowest_possible(double v) const {
  const double found = lowest_from(std::max(v, minimum_));
  return found <= maximum_ ? found : highest_up_to(maximum_);
}

double TargetRange::nearest_possible(double v) const {
  const double below = highest_possible(v), above = lowest_possible(v);
  return std::abs(v - below) <= std::abs(above - v) ? below : above;
}

Interval TargetRange::cut(Interval interval, double first) const {
  if (interval.empty() || !restricts()) return interval;
  interval.lower = lowest_from(std::max(interval.lower, minimum_));
  interval.upper = highest_up_to(std::min(interval.upper, maximum_));
  if (interval.empty()) return {lowest_from(first), highest_up_to(first)};
  return {std::min(interval.lower, lowest_from(first)), std::max(interval.upper, highest_up_to(first))};
}

}  // namespace taut
