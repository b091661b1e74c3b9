// The mean of a number (a target, the size of a residual) in each category of a column, shrunken towards the overall mean. The
// fewer rows a category has, the more its mean is shrunken.
#pragma once

#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// The means of one column; empty for a column that has no unordered categories.
struct CategoryMeans {
  double mean = 0;                   // for categories without training rows
  std::vector<double> means;         // of each category
  std::vector<std::int64_t> counts;  // training rows of each category, or the sum of their weights rounded up
};

using ColumnMeans = std::vector<CategoryMeans>;  // of each column of a table

// A partition of the training rows into blocks. The category means for a row come from the other blocks, so that its own value
// does not enter them.
struct RowBlocks {
  std::vector<std::uint8_t> of_row;
  std::size_t count = 0;
};

// Sums of the values of training rows by category and block.
//
// A value is modelled as mean + effect of the category + noise, with variances τ² of effects and σ² of noise. Both come from sums
// of squares between and within categories (method of moments). A category of n rows with mean m has the shrunken mean
//   mean + n / (n + σ²/τ²) (m − mean),
// the best linear prediction of another row of the category; `mean` weighs categories by the same n / (n + σ²/τ²).
class CategorySums {
 public:
  CategorySums(const TableView& table, RowsView rows, std::span<const double> values, const RowBlocks& blocks,
               RowWeights weights = {});

  static constexpr std::size_t none = 255;
  // The means from all blocks except these two.
  ColumnMeans means_without(std::size_t block, std::size_t other = none) const;
  ColumnMeans means() const { return means_without(none); }

 private:
  struct Sums {
    double count = 0, sum = 0, squares = 0;
  };
  static CategoryMeans shrunken(const std::vector<Sums>& categories);

  std::size_t blocks_;
  std::vector<std::vector<Sums>> columns_;  // of each category and block
};

}  // namespace taut
