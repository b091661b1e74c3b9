#include <taut/core/format.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace taut {
namespace {

TEST(Format, PlacesTextsAndNumbersInOrder) {
  const std::string name = "age";
  EXPECT_EQ(format_text("{}: column '{}' has {} rows", "d.csv", name, 3), "d.csv: column 'age' has 3 rows");
  EXPECT_EQ(format_text("{}{}", std::string_view("a"), name + "s"), "aages");
  EXPECT_EQ(format_text("none"), "none");
}

TEST(Format, ExtremeNumbers) {
  EXPECT_EQ(format_text("{} {}", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()),
            "-9223372036854775808 9223372036854775807");
  EXPECT_EQ(format_text("{}", std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(Format, BracesInPatternsAreDoubledAndThoseOfArgumentsAreLeft) {
  EXPECT_EQ(format_text("{{{}}}", "x"), "{x}");
  EXPECT_EQ(format_text("{}", "{}"), "{}");
}

TEST(Format, AnEmbeddedZeroAndEmptyTexts) {
  EXPECT_EQ(format_text("[{}]", ""), "[]");
  EXPECT_EQ(format_text("[{}]", std::string("a\0b", 3)), std::string("[a\0b]", 5));
}

}  // namespace
}  // namespace taut
