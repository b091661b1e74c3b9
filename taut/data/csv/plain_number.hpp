// The hot path of reading: plain numbers, [-]digits[.digits], eight digits at a time and nearly without branches. A processor
// cannot predict whether a number has 15, 16 or 17 digits, and a mispredicted branch costs as much as converting the digits.
#pragma once

#include <taut/core/wide.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace taut {

// Bytes that must be readable after any byte of a number, even if they do not belong to it.
inline constexpr std::size_t plain_number_lookahead = 64;

namespace plain_number {

static_assert(std::endian::native == std::endian::little, "the first digit must be the lowest byte");

// Eight characters minus '0': bytes 0 ... 9 where there are digits.
inline std::uint64_t load(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes ^ 0x3030303030303030U;
}

// The number of leading digits among the eight bytes. Adding 0x76 sets the high bit of a byte of 10 or more. A carry out of such
// a byte only changes later bytes.
inline unsigned digits_in(std::uint64_t bytes) {
  return static_cast<unsigned>(std::countr_zero(((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U)) / 8;
}

// The first `count` bytes as a number: shifted to get leading zeros, then combined into pairs, fours and all eight.
inline std::uint64_t value_of(std::uint64_t bytes, unsigned count) {
  bytes = bytes << (4 * (8 - count)) << (4 * (8 - count));  // in two steps: a shift by 64 is undefined
  bytes = bytes * 10 + (bytes >> 8);
  constexpr std::uint64_t pairs = 0x000000FF000000FFU;
  const std::uint64_t outer = (bytes & pairs) * (100 + (std::uint64_t{1'000'000} << 32));
  const std::uint64_t inner = ((bytes >> 16) & pairs) * (1 + (std::uint64_t{10'000} << 32));
  return (outer + inner) >> 32;
}

template <class T, std::size_t Count>
constexpr std::array<T, Count> powers_of_ten() {
  std::array<T, Count> powers{1};
  for (std::size_t i = 1; i < Count; ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}
inline constexpr auto whole_powers = powers_of_ten<std::uint64_t, 20>();
inline constexpr auto exact_powers = powers_of_ten<double, 20>();  // up to 10^22 doubles are exact

// The first `count` bytes, at most three, as a number.
inline std::uint64_t short_value_of(std::uint64_t bytes, unsigned count) {
  bytes = bytes << (4 * (8 - count)) << (4 * (8 - count)) >> 40;
  return (bytes & 0xFF) * 100 + (bytes >> 8 & 0xFF) * 10 + (bytes >> 16);
}

// d = 10^k 2^shift with its highest bit set, floor((2^128 - 1) / d) - 2^64, and floor((2^127 - 1) / d).
struct Divisor {
  std::uint64_t d;
  std::uint64_t reciprocal;
  std::uint64_t inverse;
  int shift;
};
constexpr std::array<Divisor, 20> make_divisors() {
  std::array<Divisor, 20> divisors{};
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    const int shift = std::countl_zero(whole_powers[k]);
    const std::uint64_t d = whole_powers[k] << shift;
    divisors[k] = {d, static_cast<std::uint64_t>(~Wide{0} / d), static_cast<std::uint64_t>((~Wide{0} >> 1) / d), shift};
  }
  return divisors;
}
inline constexpr auto divisors = make_divisors();

// q 2^exponent rounded to a double, as its bits; q < 2^63.
inline std::uint64_t rounded(std::uint64_t q, int exponent) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(q))) +
         (static_cast<std::uint64_t>(exponent) << 52);
}

// The double nearest to m / 10^k, m > 0, k < 20. With m' = m 2^s (highest bit set), the quotient q of m' 2^63 by d has 63 or 64
// bits. Rounding it to 53 bits only needs to know whether the remainder is zero. The division is a multiplication with the
// reciprocal: Moeller and Granlund, Improved division by invariant integers (2011), algorithm 4.
inline std::uint64_t nearest_quotient(std::uint64_t m, unsigned k) {
  const Divisor& by = divisors[k];
  const int shift = std::countl_zero(m);
  m <<= shift;
  const std::uint64_t high = m >> 1;
  const std::uint64_t low = m << 63;
  const Wide product = Wide{by.reciprocal} * high + ((Wide{high} << 64) | low);
  std::uint64_t q = static_cast<std::uint64_t>(product >> 64) + 1;
  std::uint64_t remainder = low - q * by.d;
  const std::uint64_t excess = remainder > static_cast<std::uint64_t>(product) ? 1 : 0;
  q -= excess;
  remainder += by.d & (0 - excess);
  if (remainder >= by.d) [[unlikely]] {
    ++q;
    remainder -= by.d;
  }
  const std::uint64_t sticky = (q & 1) | static_cast<std::uint64_t>(remainder != 0);
  return rounded((q >> 1) | sticky, by.shift - shift - 62);
}

// The same double, nearly always without the division. The high word h (63 or 64 bits) of m' times the inverse is below the true
// quotient by less than 2. Unless h is that close to the midpoint between two doubles, every possible quotient rounds to the same
// double; h / 2 with its lowest bit set does too. Three in 512 values count as too close: then nearest_quotient decides.
inline std::uint64_t nearest_double(std::uint64_t m, unsigned k) {
  const Divisor& by = divisors[k];
  const int shift = std::countl_zero(m);
  const auto h = static_cast<std::uint64_t>(Wide{m << shift} * by.inverse >> 64);
  if (((h + 2) & 511) <= 2) [[unlikely]]
    return nearest_quotient(m, k);
  return rounded(h >> 1 | 1, by.shift - shift - 62);
}

}  // namespace plain_number

// Reads a number at `at` and returns its end, or nullptr if it is not plain: an exponent, eight or more digits before the point,
// more than 19 digits, words. The result is the double nearest to the decimal, as from_chars gives it.
inline const char* parse_plain_number(const char* at, double& value) {
  using namespace plain_number;
  const bool negative = *at == '-';
  at += negative;

  const std::uint64_t whole_bytes = load(at);
  unsigned whole_digits = 1;
  std::uint64_t mantissa = whole_bytes & 0xFF;
  if (mantissa > 9 || at[1] != '.') {
    whole_digits = digits_in(whole_bytes);
    mantissa = value_of(whole_bytes, whole_digits);
    if (whole_digits == 8) return nullptr;
  }
  at += whole_digits;

  unsigned digits = 0;  // after the point
  if (*at == '.') {
    ++at;
    const unsigned significant_before = whole_digits * static_cast<unsigned>(mantissa != 0);
    const std::uint64_t first = load(at);
    digits = digits_in(first);
    if (digits < 8) {
      mantissa = mantissa * whole_powers[digits] + value_of(first, digits);
    } else {
      const std::uint64_t second = load(at + 8);
      const std::uint64_t third = load(at + 16);
      const unsigned in_second = digits_in(second);
      const unsigned in_third = digits_in(third) & (0U - in_second / 8);
      mantissa = mantissa * whole_powers[8] + value_of(first, 8);
      mantissa = mantissa * whole_powers[in_second] + value_of(second, in_second);
      digits += in_second + in_third;
      if (significant_before + digits > 19) return nullptr;  // so `third` holds at most three digits
      mantissa = mantissa * whole_powers[in_third] + short_value_of(third, in_third);
    }
    at += digits;
  }
  if (whole_digits + digits == 0 || *at == 'e' || *at == 'E') return nullptr;

  // With few digits both numbers are exact, and the quotient is rounded once. The bound is below 2^53 on purpose: numbers of full
  // precision lie on both sides of 2^53, where the branch could not be predicted.
  const std::uint64_t magnitude = mantissa < whole_powers[15]
                                      ? std::bit_cast<std::uint64_t>(static_cast<double>(mantissa) / exact_powers[digits])
                                      : nearest_double(mantissa, digits);
  value = std::bit_cast<double>(magnitude | static_cast<std::uint64_t>(negative) << 63);
  return at;
}

}  // namespace taut
