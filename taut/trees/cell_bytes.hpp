// What a row says to a forest's thresholds and splits, found once for all trees.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace taut {

// Cells as a forest sees them, a byte each: how many of the thresholds of their feature they reach. A row goes right at a node
// exactly where its byte is at least that of the node.

class Forest;

class CellBytes {
 public:
  // The bytes of a feature: twice where some of its nodes send missing cells left and others right.
  struct Column {
    std::uint32_t feature;
    std::uint8_t missing;  // 0: to the left of every node, 255: to the right
  };

  // Of all thresholds of a forest; nothing where bytes are not enough: a feature has more than 254.
  static std::optional<CellBytes> of(const Forest& forest);

  // The column that a node looks at, which is there from now on.
  std::uint16_t column_of(std::uint32_t feature, bool missing_left);
  std::uint8_t cut_of(std::uint32_t feature, float threshold) const;

  const std::vector<Column>& columns() const { return columns_; }
  // Rising, filled up by infinity to one less than a power of 2, so that a search needs no ends.
  const float* thresholds(std::uint32_t feature) const { return thresholds_.data() + first_[feature]; }
  std::uint16_t count(std::uint32_t feature) const { return counts_[feature]; }

  // The bytes of one row, one for each column.
  void of_row(const float* row, std::uint32_t* out) const;

 private:
  explicit CellBytes(const std::vector<std::vector<float>>& thresholds);

  std::vector<std::uint32_t> first_;  // of each feature, in thresholds_
  std::vector<std::uint16_t> counts_;
  std::vector<float> thresholds_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> places_;  // in columns_, of 2 · feature + (missing cells go right); -1: none
};

// What a row says to each of a forest's splits, asked once: trees name a split by its number, and thousands of nodes share a few
// hundred of them.

class SplitAnswers {
 public:
  // A row goes right when x[feature] >= threshold, and where x[feature] is NaN unless missing_left.
  struct Split {
    std::int32_t feature;
    bool missing_left;
    float threshold;
    auto operator<=>(const Split&) const = default;
  };
  using Number = std::uint16_t;
  static constexpr Number never = 0;  // the split at which every row goes left

  // Of these splits, which may repeat; nothing where numbers of two bytes are not enough.
  static std::optional<SplitAnswers> of(std::vector<Split> splits);

  Number number(const Split& split) const;
  std::size_t numbers() const { return thresholds_.size(); }  // some of them of no split

  // 1 for each split at which the row goes right, by number.
  void of_row(const float* row, std::uint8_t* right) const;

 private:
  // Splits of the same column stand side by side, so that a cell is compared with many of them at once.
  struct Column {
    std::int32_t feature;
    bool missing_left;
    std::size_t begin, end;
  };
  static bool is_of(const Column& column, const Split& split) {
    return column.feature == split.feature && column.missing_left == split.missing_left;
  }

  std::vector<Column> columns_;    // rising
  std::vector<float> thresholds_;  // by number: those of a column rise, and infinity fills them up
};

}  // namespace taut
