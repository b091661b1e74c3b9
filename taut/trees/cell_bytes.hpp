// Cells as a forest sees them, a byte each: how many of the thresholds of their feature they reach. A row goes right at a node
// exactly where its byte is at least that of the node.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace taut {

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

}  // namespace taut
