#include <taut/trees/binned_inputs.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::vector<float> drawn(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(std::exp(2 * random.normal()) * (random.uniform() < 0.5 ? -1 : 1));
  return values;
}

TEST(SortFloats, AgreesWithTheLibrary) {
  constexpr float maximum = std::numeric_limits<float>::max(), infinite = std::numeric_limits<float>::infinity();
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{1024}, std::size_t{70'001}}) {
    std::vector<float> values = drawn(count, count);
    values.insert(values.end(), {infinite, -infinite, maximum, -maximum, 0, std::numeric_limits<float>::denorm_min(), 1, 1});
    std::vector<float> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    sort_floats(values);
    EXPECT_EQ(values, sorted) << count;
  }
}

// Few different values: every count is exact, whatever the number of rows and of sketches.
TEST(ValueSketch, CountsFewValuesExactly) {
  Random random(1);
  ValueSketch all;
  std::vector<std::uint32_t> counts(1000);
  for (int part = 0; part < 50; ++part) {
    std::vector<float> values;
    for (int i = 0; i < 2000; ++i) {
      const Index value = random.below(random.below(1000) + 1);
      ++counts[static_cast<std::size_t>(value)];
      values.push_back(static_cast<float>(value));
    }
    all.add(ValueSketch(values));
    all.shorten();
  }
  std::vector<ValueSketch::Item> expected;
  for (std::size_t value = 0; value < counts.size(); ++value)
    if (counts[value] > 0) expected.push_back({static_cast<float>(value), counts[value]});
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), all.items().begin(), all.items().end()));
}

// After `merges` rounds of merging, ranks are off by at most `merges` + 1 rows in `capacity`; the extremes and the number of rows
// are exact.
TEST(ValueSketch, RanksStayWithinTheirBound) {
  constexpr std::size_t rows = 1 << 15;
  constexpr int merges = 4;
  std::vector<float> everything;
  std::vector<ValueSketch> sketches;
  for (std::uint64_t part = 0; part < std::uint64_t{1} << merges; ++part) {
    std::vector<float> values = drawn(rows, 100 + part);
    everything.insert(everything.end(), values.begin(), values.end());
    sketches.emplace_back(values);
    sketches.back().shorten();
    EXPECT_LE(sketches.back().items().size(), ValueSketch::capacity);
  }
  for (; sketches.size() > 1; sketches.resize(sketches.size() / 2))
    for (std::size_t i = 0; i < sketches.size() / 2; ++i) {
      sketches[i].add(sketches[i + sketches.size() / 2]);
      sketches[i].shorten();
    }
  const auto items = sketches.front().items();
  std::sort(everything.begin(), everything.end());
  EXPECT_LE(items.size(), ValueSketch::capacity);
  EXPECT_EQ(items.front().value, everything.front());
  EXPECT_EQ(items.back().value, everything.back());
  double counted = 0, worst = 0;
  for (const auto& item : items) {
    counted += item.rows;
    const auto below = std::upper_bound(everything.begin(), everything.end(), item.value) - everything.begin();
    worst = std::max(worst, std::abs(counted - static_cast<double>(below)));
  }
  EXPECT_EQ(counted, static_cast<double>(everything.size()));
  const double bound = (merges + 1) * static_cast<double>(everything.size()) / (ValueSketch::capacity - 1);
  EXPECT_LE(worst, bound);
  EXPECT_GT(worst, 0) << "the sketches were never shortened: nothing is tested";
}

// A value of one row among 300,000, and a missing cell: evenly spaced sample rows would miss them.
TEST(Thresholds, RareValuesAndMissingCellsAreSeen) {
  constexpr Index rows = 300'000;
  MatrixF x(rows, 2);
  for (Index i = 0; i < rows; ++i) x.row(i) << static_cast<float>(i % 3), static_cast<float>(i % 2);
  x(123'457, 0) = 7;
  x(222'223, 1) = std::numeric_limits<float>::quiet_NaN();
  const auto cuts = thresholds(x, 30, 2);
  EXPECT_EQ(cuts[0], (std::vector<float>{0.5F, 1.5F, 4.5F}));
  EXPECT_EQ(cuts[1], (std::vector<float>{0, 0.5F}));
}

TEST(ThresholdsThread, AreTheSameForAnyNumberOfThreads) {
  const MatrixF x = random_inputs(200'000, 3, 9, 0.01);
  const auto one = thresholds(x, 200, 1);
  EXPECT_EQ(one, thresholds(x, 200, 2));
  EXPECT_EQ(one, thresholds(x, 200, 5));
  // Each bin has its share of the rows, to within the sketch's bound; the last column has four values.
  EXPECT_EQ(one[2], (std::vector<float>{0, 0.5F, 1.5F, 2.5F}));
  for (Index column = 0; column < 2; ++column) {
    const auto& cuts = one[static_cast<std::size_t>(column)];
    ASSERT_EQ(std::ssize(cuts), 200);
    for (std::size_t b = 2; b < cuts.size(); ++b) {
      Index inside = 0;
      for (Index i = 0; i < x.rows(); ++i) inside += x(i, column) >= cuts[b - 1] && x(i, column) < cuts[b];
      EXPECT_NEAR(static_cast<double>(inside), 0.99 * 200'000 / 200, 80) << column << " " << b;
    }
  }
}

}  // namespace
}  // namespace taut
