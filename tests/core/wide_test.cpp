// 128-bit integers of two words against those of the compiler, where it has them.
#include <taut/core/random.hpp>
#include <taut/core/wide.hpp>

#include <gtest/gtest.h>

#include <array>

namespace taut {
namespace {

#ifdef __SIZEOF_INT128__

__extension__ using Own = unsigned __int128;

Own own(PortableWide wide) { return Own{wide.high()} << 64 | static_cast<std::uint64_t>(wide); }

std::uint64_t draw(Random& random) {
  constexpr std::array<std::uint64_t, 5> corners{0, 1, 0xFFFFFFFFU, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  const auto word = static_cast<std::uint64_t>(random.uniform() * 0x1p63) ^ static_cast<std::uint64_t>(random.uniform() * 0x1p32);
  const auto which = static_cast<std::size_t>(random.uniform() * 15);
  return which < corners.size() ? corners[which] : word >> static_cast<int>(random.uniform() * 63);
}

TEST(PortableWide, ComputesAsTheCompilersOwn) {
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const PortableWide a(draw(random), draw(random)), b(draw(random), draw(random));
    const std::uint64_t c = draw(random);
    const int bits = static_cast<int>(random.uniform() * 128);
    ASSERT_EQ(own(a + b), own(a) + own(b));
    ASSERT_EQ(own(a * c), own(a) * c);
    ASSERT_EQ(own(a | c), (own(a) | c));
    ASSERT_EQ(own(~a), ~own(a));
    ASSERT_EQ(own(a << bits), own(a) << bits);
    ASSERT_EQ(own(a >> bits), own(a) >> bits);
    if (c != 0 && round < 2000) {
      ASSERT_EQ(own(a / c), own(a) / c);
    }
  }
}

#endif

TEST(PortableWide, ProductsAndQuotientsThatAreKnown) {
  const PortableWide product = PortableWide{~std::uint64_t{0}} * ~std::uint64_t{0};  // (2^64 - 1)^2 = 2^128 - 2^65 + 1
  EXPECT_EQ(product.high(), ~std::uint64_t{0} - 1);
  EXPECT_EQ(static_cast<std::uint64_t>(product), 1U);
  EXPECT_EQ(static_cast<std::uint64_t>(~PortableWide{0} / 10'000'000'000'000'000'000U >> 64), 1U);
}

}  // namespace
}  // namespace taut
