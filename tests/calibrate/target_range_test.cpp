#include <taut/calibrate/target_range.hpp>

#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

constexpr auto products_too = TargetRange::Multiples::products_too;

void expect_interval(const Interval& found, double lower, double upper) {
  EXPECT_EQ(found.lower, lower);
  EXPECT_EQ(found.upper, upper);
}

TEST(TargetRange, CutsAndPullsInward) {
  const TargetRange counts(0, infinity, 1);
  expect_interval(counts.cut({-3.5, 4.7}, 1), 0, 4);
  expect_interval(counts.cut({-infinity, infinity}, 2), 0, infinity);
}

TEST(TargetRange, KeepsTheFirstPossibleValueWhenNoneIsInside) {
  const TargetRange counts(0, infinity, 1);
  expect_interval(counts.cut({2.2, 2.8}, 3), 3, 3);
  expect_interval(counts.cut({-5, -4}, 0), 0, 0);
}

TEST(TargetRange, AnEmptySetStaysEmpty) { EXPECT_TRUE((TargetRange(0, 1, 0).cut({infinity, -infinity}, 0.5).empty())); }

// Decimals as people write them: k · step as a text, read as any reader of numbers reads it. An interval that ends at exactly
// this value keeps it, and no rounding moves an end past it.
TEST(TargetRange, LosesNoDecimalThatAUserCanWrite) {
  struct Step {
    const char* text;
    long long digits;  // step = digits / 10^decimals
    int decimals;
  };
  constexpr Step steps[] = {{"1", 1, 0},       {"0.1", 1, 1},           {"0.3", 3, 1},      {"0.7", 7, 1},    {"1.1", 11, 1},
                            {"0.01", 1, 2},    {"0.25", 25, 2},         {"0.05", 5, 2},     {"2.5", 25, 1},   {"0.001", 1, 3},
                            {"0.009", 9, 3},   {"12", 12, 0},           {"0.0625", 625, 4}, {"1e-7", 1, 7},   {"3.33", 333, 2},
                            {"1000", 1000, 0}, {"0.123457", 123457, 6}, {"100.1", 1001, 1}, {"9.99", 999, 2}, {"1e-12", 1, 12}};
  Random random(3);
  for (const Step& step : steps) {
    const TargetRange range(-infinity, infinity, *parse_number(step.text));
    for (int repeat = 0; repeat < 4000; ++repeat) {
      const auto maximum = std::exp2(random.uniform(0, 52)) / static_cast<double>(step.digits) + 2;
      const long long count = static_cast<long long>(random.uniform(-maximum, maximum));
      const std::string text = std::to_string(count * step.digits) + "e-" + std::to_string(step.decimals);
      const double y = *parse_number(text);
      ASSERT_TRUE(range.is_possible(y)) << text;
      expect_interval(range.cut({y, y}, y), y, y);
      const double reach = std::abs(y) * random.uniform() + 5 * random.uniform();
      const double elsewhere = *parse_number(std::to_string((count + 1) * step.digits) + "e-" + std::to_string(step.decimals));
      EXPECT_LE(range.cut({y - reach, y}, y).lower, y) << text;
      EXPECT_EQ(range.cut({y - reach, y}, y).upper, y) << text;
      EXPECT_EQ(range.cut({y, y + reach}, y).lower, y) << text;
      // The next value is outside of an interval that does not contain it.
      if (elsewhere > y) {
        EXPECT_EQ(range.cut({y, std::nextafter(elsewhere, y)}, y).upper, y) << text;
      }
    }
  }
}

TEST(TargetRange, CentsAboveThreeHundredThousand) {
  const TargetRange cents(0, infinity, 0.01);
  for (const double y : {300000.07, 1234567.89, 98765432.1, 1e10 + 0.01}) expect_interval(cents.cut({y, y}, y), y, y);
}

// 1/3 has no decimal representation: its multiples are thirds.
TEST(TargetRange, ThirdsAreThirds) {
  const TargetRange thirds(-infinity, infinity, 1.0 / 3);
  for (int count = -3000; count < 3000; ++count) EXPECT_TRUE(thirds.is_possible(count / 3.0)) << count;
}

TEST(TargetRange, ProductsOfDoublesAreTakenWhereTargetsHaveThem) {
  const TargetRange decimals(-infinity, infinity, 0.3), both(-infinity, infinity, 0.3, products_too);
  EXPECT_NE(3 * 0.3, 0.9);
  EXPECT_TRUE(decimals.is_product_only(3 * 0.3));
  EXPECT_FALSE(decimals.is_possible(3 * 0.3));
  for (int count = -2000; count < 2000; ++count) {
    const double decimal = *parse_number(std::to_string(3 * count) + "e-1"), product = count * 0.3;
    EXPECT_TRUE(both.is_possible(decimal) && both.is_possible(product)) << count;
    for (const double y : {decimal, product}) {
      const Interval cut = both.cut({y, y}, y);
      EXPECT_TRUE(cut.contains(decimal) && cut.contains(product)) << count;
      EXPECT_FALSE(cut.contains(decimal + 0.3) || cut.contains(decimal - 0.3)) << count;
    }
  }
}

TEST(TargetRange, SaysWhatIsPossible) {
  const TargetRange range(0, 5, 0.1);
  EXPECT_TRUE(range.is_possible(0.3) && range.is_possible(0) && range.is_possible(5));
  EXPECT_EQ(range.objection(-1), "is below --y-min 0");
  EXPECT_EQ(range.objection(7), "is above --y-max 5");
  EXPECT_EQ(range.objection(0.34), "is no multiple of --y-step 0.1 (the nearest is 0.3)");
}

TEST(TargetRange, NeighboursArePossibleAndNearest) {
  const TargetRange range(0, 5, 0.5);
  const auto expect = [&](double f, double below, double above) {
    const auto found = range.neighbours(f);
    EXPECT_TRUE(std::isnan(below) ? std::isnan(found.below) : found.below == below) << f;
    EXPECT_TRUE(std::isnan(above) ? std::isnan(found.above) : found.above == above) << f;
  };
  expect(1.2, 1, 1.5);
  expect(1.5, 1.5, 1.5);
  expect(-3, missing, 0);
  expect(9, 5, missing);
}

// As the threshold on the score grows, the sets of possible values grow and never lose a value: for every transformation, with
// different parameters on both sides, and for every kind of range. The first value is the one with the lowest score.
TEST(TargetRange, SetsAreNestedForEveryTransformationSlow) {
  Random random(8);
  const TargetRange ranges[] = {{-infinity, infinity, 1},
                                {0, infinity, 1},
                                {0, 3, 1},
                                {-infinity, infinity, 0.3},
                                {0, infinity, 0},
                                {-1, 1, 0},
                                {0.4, 0.8, 0.2},
                                {-2, 40, 0.7, products_too},
                                {5, 5, 0},
                                {-infinity, 2, 0.25},
                                {-1e6, 1e6, 1000.1}};
  for (const auto& entry : transforms().entries()) {
    const auto phi = transforms().make(entry.example);
    const auto params = static_cast<std::size_t>(phi->n_params());
    for (int repeat = 0; repeat < 300; ++repeat) {
      std::vector<double> below(params + 1), above(params + 1);
      phi->initial(below.data());
      phi->initial(above.data());
      for (double& one : below) one += 0.7 * random.normal();
      for (double& one : above) one += 0.7 * random.normal();
      const double unit = std::exp(random.normal()), f = 3 * random.normal();
      const RowScore score{f, unit, *phi, below.data(), repeat % 2 == 0 ? above.data() : below.data()};
      std::vector<double> q;
      for (int i = 0; i < 40; ++i) q.push_back(score(f + 4 * random.normal()));
      std::sort(q.begin(), q.end());
      for (const TargetRange& range : ranges) {
        Interval before{infinity, -infinity};
        for (const double one : q) {
          const Interval set = score.at_most(one, range);
          if (!before.empty()) {
            ASSERT_LE(set.lower, before.lower) << entry.name;
            ASSERT_GE(set.upper, before.upper) << entry.name;
          }
          if (!set.empty()) {
            ASSERT_TRUE(range.is_possible(set.lower) && range.is_possible(set.upper)) << entry.name << " " << set.lower;
          }
          before = set;
        }
      }
    }
  }
}

TEST(TargetRange, KeepsTheValueThatTheGrowingSetReachesFirst) {
  const auto phi = transforms().make("exp");
  const double narrow = -2 * std::log(0.1), wide = -2 * std::log(10.0);
  const TargetRange counts(-infinity, infinity, 1);
  // 5 is nearer to 5.4, but values below f have scores ten times as large as those above: 6 comes first.
  const RowScore score{5.4, 1, *phi, &narrow, &wide};
  expect_interval(score.at_most(-20, counts), 6, 6);
  EXPECT_LT(score(6), score(5));
  expect_interval(score.at_most(score(5), counts), 5, score.at_most(score(5), counts).upper);
}

TEST(TargetRange, RefusesNonsense) {
  EXPECT_THROW(TargetRange(1, 0, 0), UsageError);
  EXPECT_THROW(TargetRange(0, 1, -1), UsageError);
  EXPECT_THROW(TargetRange(0, 1, infinity), UsageError);
  EXPECT_THROW(TargetRange(0.2, 0.8, 1), UsageError);
  EXPECT_NO_THROW(TargetRange(0, infinity, 1));
}

}  // namespace
}  // namespace taut
