// The comparisons of a row with the thresholds and splits of a forest, computed once for all trees.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace taut {

class Forest;

// Replaces each cell by a byte: the number of thresholds of its feature that it reaches. A row goes right at a node exactly if
// its byte is at least the byte of the node.
class CellBytes {
 public:
  // The bytes of a feature. A feature has two columns if some of its nodes send missing cells left and others right.
  struct Column {
    std::uint32_t feature;
    std::uint8_t missing;  // byte of a missing cell: 0 goes left at every node, 255 goes right
  };

  // For all thresholds of a forest. Returns nothing if a byte is not enough: a feature has more than 254 thresholds.
  static std::optional<CellBytes> of(const Forest& forest);

  // The column that a node compares. It is added if it does not exist yet.
  std::uint16_t column_of(std::uint32_t feature, bool missing_left);
  std::uint8_t cut_of(std::uint32_t feature, float threshold) const;

  const std::vector<Column>& columns() const { return columns_; }
  // Ascending, padded with infinity to one less than a power of 2, so that a binary search needs no bounds.
  const float* thresholds(std::uint32_t feature) const { return thresholds_.data() + first_[feature]; }
  std::uint16_t count(std::uint32_t feature) const { return counts_[feature]; }

  // The bytes of one row, one for each column.
  void of_row(const float* row, std::uint32_t* out) const;

 private:
  explicit CellBytes(const std::vector<std::vector<float>>& thresholds);

  std::vector<std::uint32_t> first_;  // position of each feature in thresholds_
  std::vector<std::uint16_t> counts_;
  std::vector<float> thresholds_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> places_;  // position in columns_ of 2 · feature + (missing cells go right); -1: none
};

// The results of all splits of a forest for one row. Trees refer to a split by its number. Thousands of nodes share a few hundred
// splits, so each is computed only once.
class SplitAnswers {
 public:
  // A row goes right if x[feature] >= threshold, or if x[feature] is NaN and not missing_left.
  struct Split {
    std::int32_t feature;
    bool missing_left;
    float threshold;
    auto operator<=>(const Split&) const = default;
  };
  using Number = std::uint16_t;
  static constexpr Number never = 0;  // the split at which every row goes left

  // For these splits, which may repeat. Returns nothing if numbers of two bytes are not enough.
  static std::optional<SplitAnswers> of(std::vector<Split> splits);

  Number number(const Split& split) const;
  std::size_t numbers() const { return thresholds_.size(); }  // including padding, which belongs to no split

  // Sets right[number] to 1 for each split at which the row goes right, else to 0.
  void of_row(const float* row, std::uint8_t* right) const;

 private:
  // Splits of the same column are adjacent, so that a cell is compared with many of them at once.
  struct Column {
    std::int32_t feature;
    bool missing_left;
    std::size_t begin, end;
  };
  static bool is_of(const Column& column, const Split& split) {
    return column.feature == split.feature && column.missing_left == split.missing_left;
  }

  std::vector<Column> columns_;    // sorted
  std::vector<float> thresholds_;  // by number: ascending in each column, padded with infinity
};

}  // namespace taut
