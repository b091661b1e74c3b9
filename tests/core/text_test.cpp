// Texts: numbers that are easy to read, and suggestions for mistyped names.
#include <taut/core/text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

TEST(Text, ThingsAreCounted) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "calibration row"), "2 calibration rows");
  EXPECT_EQ(counted(12345, "row"), "12,345 rows");
}

TEST(Text, NaNHasNoSign) {
  for (const double sign : {1.0, -1.0}) {
    const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
    EXPECT_EQ(print_number(nan), "nan");
    EXPECT_EQ(print_rounded(nan), "-");
  }
  EXPECT_EQ(print_rounded(-std::numeric_limits<double>::infinity()), "-inf");
}

// name, candidates, guess
TEST(Text, NamesAreGuessedOnlyWhenNear) {
  using Names = std::vector<std::string>;
  const auto guess = [](const std::string& name, const Names& candidates) { return nearest_name(name, candidates).value_or(""); };
  for (const auto& [name, candidates, expected] :
       {std::tuple<std::string, Names, std::string>{"g", {"x", "y"}, ""},  // nothing in common
        {"X", {"x", "y"}, "x"},                                            // case does not count
        {"ab", {"cd"}, ""},
        {"ax", {"ab"}, ""},  // half of its letters are wrong
        {"knm", {"boost", "knn", "linear"}, "knn"},
        {"prise", {"id", "price", "prices"}, "price"},
        {"prcie", {"price"}, "price"},  // exchanged letters are one edit
        {"target", {"height", "weight"}, ""},
        {"--trgaet", {"--target", "--alpha"}, "--target"},
        {"colour", {"color_of_the_house"}, ""},
        {"", {"x"}, ""}})
    EXPECT_EQ(guess(name, candidates), expected) << name;
}

}  // namespace
}  // namespace taut
