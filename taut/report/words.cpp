#include <taut/report/words.hpp>

#include <taut/core/text.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace taut {

namespace {

std::string fixed_point(double value, int decimals) {
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

// As many decimals as the number has.
std::string fixed_point(double value) {
  std::array<char, 400> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr};
}

// 1.5e-07 -> 1.5e−7, 1e+12 -> 1e12.
std::string short_exponent(const std::string& text) {
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  const long long power = std::stoll(text.substr(e + 1));
  return text.substr(0, e) + "e" + (power < 0 ? "−" : "") + std::to_string(std::abs(power));
}

}  // namespace

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (value < 0) return "−" + number_text(-value, digits);
  if (std::isinf(value)) return "∞";
  if (value != 0 && (value >= 1e12 || value < 1e-4)) return short_exponent(print_rounded(value, digits));
  const double rounded = *parse_number(print_rounded(value, digits));
  const std::string whole = print_count(static_cast<long long>(rounded));
  if (rounded == std::floor(rounded)) return whole;
  const std::string text = fixed_point(rounded);
  return whole + text.substr(text.find('.'));
}

std::string text_with_unit(double value, const std::string& unit) {
  return number_text(value) + (unit.empty() || !std::isfinite(value) ? "" : " " + unit);
}

std::string share_text(double share) {
  // The same steps as in format.js, so that sentences and numbers of the page never differ by rounding. 99.96 % must not become
  // "100.0 %".
  double power = 10, rounded = std::round(100 * share * power) / power;
  int decimals = 1;
  for (; share < 1 && rounded == 100 && decimals < 9; ++decimals) {
    power *= 10;
    rounded = std::round(100 * share * power) / power;
  }
  return fixed_point(rounded, decimals) + " %";
}

std::string level_text(double level) { return print_rounded(100 * level, 10) + " %"; }

std::string two_shares(double low, const std::string& between, double high) {
  const std::string first = share_text(low);
  return first.substr(0, first.size() - 2) + " " + between + " " + share_text(high);
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t count = 0, end = 0, cut = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xC0) == 0x80) continue;
    if (++count == most) cut = end;
  }
  return count <= most ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

}  // namespace taut
