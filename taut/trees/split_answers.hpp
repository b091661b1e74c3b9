// What a row says to each of a forest's splits, asked once: trees name a split by its number, and thousands of nodes share a few
// hundred of them.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taut {

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
