#include <taut/core/random.hpp>
#include <taut/trees/histogram.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

// Some rows, in ascending order, with gradients whose sum depends on the order of the additions.
std::vector<GradientRow> some_rows(Index rows) {
  Random random(8);
  std::vector<GradientRow> chosen;
  for (Index row = 0; row < rows; ++row)
    if (random.uniform() < 0.7)
      chosen.push_back({static_cast<std::uint32_t>(row), static_cast<float>(random.normal() * std::exp(8 * random.normal())),
                        static_cast<float>(random.uniform())});
  return chosen;
}

std::vector<Sums> one_cell_after_the_other(const BinnedInputs& bins, std::span<const BinRange> ranges,
                                           std::span<const GradientRow> rows, std::size_t size) {
  std::vector<Sums> sums(size, Sums::Zero());
  bins.visit([&](const auto* cells) {
    for (const BinRange& range : ranges)
      for (const GradientRow& one : rows)
        sums[static_cast<std::size_t>(range.begin + cells[one.row * bins.columns() + range.column])] +=
            Sums(one.gradient, one.curvature);
  });
  return sums;
}

std::size_t size_of(std::span<const BinRange> ranges) {
  return static_cast<std::size_t>(ranges.back().begin + ranges.back().values + 1);
}

// Columns and rows are processed in groups. None may be lost at the end of a group, and the bits must not depend on the groups.
TEST(Histogram, HasTheBitsOfOneCellAfterTheOther) {
  for (const Index maximum : {256, 1000})  // one byte for a cell, and two
    for (const Index columns : {1, 2, 7, 8, 9, 12, 13, 16, 17, 23, 24, 25, 70})
      for (const Index count : {1, 2, 127, 128, 129, 700}) {
        const BinnedInputs bins(random_inputs(count, columns, 7, 0.1), maximum, 1);
        const std::vector<GradientRow> rows = some_rows(count);
        std::vector<Index> chosen(static_cast<std::size_t>(columns));
        std::iota(chosen.begin(), chosen.end(), 0);
        for (int turn = 0; turn < 2; ++turn) {
          const std::vector<BinRange> ranges = bin_ranges(bins, chosen);
          std::vector<Sums> histogram(size_of(ranges), Sums(5, 5));  // old content must be overwritten
          fill_histogram(bins, ranges, rows, 1, histogram.data(), nullptr);
          const std::vector<Sums> expected = one_cell_after_the_other(bins, ranges, rows, histogram.size());
          for (std::size_t bin = 0; bin < histogram.size(); ++bin)
            ASSERT_TRUE((histogram[bin] == expected[bin]).all()) << columns << " columns, " << count << " rows, bin " << bin;
          std::erase_if(chosen, [&](Index column) { return columns > 1 && column % 4 == 1; });  // then only some columns
        }
      }
}

}  // namespace
}  // namespace taut
