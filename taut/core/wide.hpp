// Unsigned 128-bit integers with the operations that parsing decimals needs. Wide is the compiler's type if it has one (GCC and
// clang), else two 64-bit words.
#pragma once

#include <bit>
#include <cstdint>

namespace taut {

// The two words. The class is always compiled, so that it is also tested where the compiler has a 128-bit type.
class PortableWide {
 public:
  constexpr PortableWide() = default;
  constexpr explicit PortableWide(std::uint64_t low) : low_(low) {}
  constexpr PortableWide(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}
  constexpr explicit operator std::uint64_t() const { return low_; }
  constexpr std::uint64_t high() const { return high_; }

  constexpr PortableWide operator~() const { return {~high_, ~low_}; }
  constexpr PortableWide operator|(std::uint64_t other) const { return {high_, low_ | other}; }
  constexpr PortableWide operator<<(int bits) const {
    if (bits == 0) return *this;
    return bits >= 64 ? PortableWide{low_ << (bits - 64), 0} : PortableWide{high_ << bits | low_ >> (64 - bits), low_ << bits};
  }
  constexpr PortableWide operator>>(int bits) const {
    if (bits == 0) return *this;
    return bits >= 64 ? PortableWide{0, high_ >> (bits - 64)} : PortableWide{high_ >> bits, low_ >> bits | high_ << (64 - bits)};
  }
  constexpr PortableWide operator+(PortableWide other) const {
    const std::uint64_t low = low_ + other.low_;
    return {high_ + other.high_ + (low < low_ ? 1U : 0U), low};
  }
  // Long multiplication of 32-bit halves, modulo 2^128.
  constexpr PortableWide operator*(std::uint64_t other) const {
    constexpr std::uint64_t half = 0xFFFFFFFFU;
    const std::uint64_t a = low_ >> 32, b = low_ & half, c = other >> 32, d = other & half;
    const std::uint64_t cross = (b * d >> 32) + (a * d & half) + (b * c & half);
    return {high_ * other + a * c + (a * d >> 32) + (b * c >> 32) + (cross >> 32), cross << 32 | (b * d & half)};
  }
  // Bit by bit: only tables computed at compile time need a division, so its speed does not matter.
  constexpr PortableWide operator/(std::uint64_t divisor) const {
    PortableWide quotient;
    std::uint64_t rest = 0;
    for (int bit = 127; bit >= 0; --bit) {
      const bool carries = (rest >> 63) != 0;
      rest = rest << 1 | ((*this >> bit).low_ & 1U);
      if (carries || rest >= divisor) {
        rest -= divisor;
        quotient = bit >= 64 ? PortableWide{quotient.high_ | std::uint64_t{1} << (bit - 64), quotient.low_}
                             : PortableWide{quotient.high_, quotient.low_ | std::uint64_t{1} << bit};
      }
    }
    return quotient;
  }

 private:
  std::uint64_t high_ = 0, low_ = 0;
};

#ifdef __SIZEOF_INT128__
__extension__ using Wide = unsigned __int128;
#else
using Wide = PortableWide;
#endif

}  // namespace taut
