#include <taut/core/random.hpp>
#include <taut/data/inputs/scaling.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace taut {
namespace {

std::vector<double> drawn(double centre, double spread, Index count = 20'000) {
  Random random(1);
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(centre + spread * random.normal());
  return values;
}

std::size_t different(const std::vector<double>& values, double offset) {
  std::set<float> floats;
  for (const double value : values) floats.insert(to_float(value - offset));
  return floats.size();
}

TEST(FloatOffset, OrdinaryNumbersKeepTheirBits) {
  for (const double unit : {1e-200, 1e-6, 1.0, 1e6, 1e200}) {
    EXPECT_EQ(float_offset(drawn(0, unit)), 0) << unit;
    EXPECT_EQ(float_offset(drawn(3 * unit, unit)), 0) << unit;
  }
  EXPECT_EQ(float_offset({98'001, 98'199, 98'004}), 0);
  EXPECT_EQ(float_offset({1e12, 1e12, 1e12}), 0);  // a single number
  EXPECT_EQ(float_offset({}), 0);
  EXPECT_EQ(float_offset({missing, infinity, -infinity}), 0);
}

TEST(FloatOffset, LargeNumbersThatDifferLittleStayDifferent) {
  for (const double centre : {1e6, 1e9, -1e9, 1e12}) {
    std::vector<double> values = drawn(centre, 1);
    values.push_back(missing);
    values.push_back(infinity);
    const double offset = float_offset(values);
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    const std::set<double> all(values.begin(), values.end());
    EXPECT_TRUE(all.contains(offset)) << centre;
    EXPECT_LT(different(values, 0) * 10, all.size()) << centre;
    EXPECT_GE(different(values, offset) * 100, all.size() * 99) << centre;
  }
}

// An hour of timestamps in milliseconds: without an offset only 28 of them differ as floats.
TEST(FloatOffset, Milliseconds) {
  std::vector<double> values;
  for (int i = 0; i < 3'600; ++i) values.push_back(1'763'240'000'000.0 + 1000 * i);
  EXPECT_EQ(different(values, 0), 28U);
  EXPECT_EQ(different(values, float_offset(values)), 3'600U);
}

TEST(FloatOffset, BeyondTheRangeOfFloatsIsTheLargest) {
  constexpr float maximum = std::numeric_limits<float>::max();
  EXPECT_EQ(to_float(1e300), maximum);
  EXPECT_EQ(to_float(-infinity), -maximum);
  EXPECT_TRUE(std::isnan(to_float(missing)));
}

}  // namespace
}  // namespace taut
