#include <taut/trees/histogram.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

// Enough cells for a copy by columns, and too few; bins of one byte and of two.
TEST(ColumnBinsThread, HoldTheSameBins) {
  for (const Index rows : {Index{1000}, Index{180'000}})
    for (const Index maximum : {60, 1000}) {
      const BinnedInputs bins(random_inputs(rows, 6, 3, 0.05), maximum, 2);
      for (const int threads : {1, 3}) {
        const ColumnBins columns(bins, threads);
        bins.visit([&](const auto* cells) {
          for (Index column = 0; column < 6; ++column)
            columns.visit(column, [&](const auto* own, Index stride) {
              Index different = 0;
              for (Index row = 0; row < rows; ++row) different += Index{own[row * stride]} != Index{cells[row * 6 + column]};
              EXPECT_EQ(different, 0) << rows << " " << maximum << " " << column;
            });
        });
      }
    }
}

TEST(ColumnBinsThread, PartRowsInTheirOrder) {
  constexpr Index rows = 180'000;
  const MatrixF x = random_inputs(rows, 6, 4, 0.05);
  const BinnedInputs bins(x, 60, 2);
  const ColumnBins columns(bins, 2);
  const float cut = bins.cuts(1)[20];
  const RightBins right = right_bins_of(bins, {1, 20, true, Sums::Zero()});
  std::vector<GradientRow> all, spare(rows), expected;
  for (std::uint32_t row = 0; row < rows; row += 1 + row % 3) all.push_back({row, static_cast<float>(row), 1});
  const auto goes_left = [&](const GradientRow& one) { return !(x(one.row, 1) >= cut); };  // missing cells too
  for (const bool left : {true, false})
    for (const GradientRow& one : all)
      if (goes_left(one) == left) expected.push_back(one);
  const auto lefts = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), goes_left));
  for (const int threads : {1, 2, 5}) {
    std::vector<GradientRow> parted = all;
    EXPECT_EQ(partition_rows(columns, parted, spare.data(), 1, right, threads), lefts);
    EXPECT_TRUE(std::equal(parted.begin(), parted.end(), expected.begin(), expected.end(),
                           [](const auto& a, const auto& b) { return a.row == b.row && a.gradient == b.gradient; }));
  }
}

}  // namespace
}  // namespace taut
