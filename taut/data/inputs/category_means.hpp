// What the categories of a column say about a number (a target, the size of a residual): its mean in each category, shrunken
// towards the mean of all as far as the category has too few rows to be believed.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// Of one column; empty for a column that has no unordered categories.
struct CategoryMeans {
  double mean = 0;                   // for categories that no row had
  std::vector<double> means;         // of each category
  std::vector<std::int64_t> counts;  // rows that had it
};

using ColumnMeans = std::vector<CategoryMeans>;  // of each column of a table

// Rows in blocks, so that no row need be described by itself: its category is described by the rows of the other blocks.
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
  CategorySums(const TableView& table, RowsView rows, std::span<const double> values, const RowBlocks& blocks);

  static constexpr std::size_t none = 255;
  // From all blocks but these two.
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
