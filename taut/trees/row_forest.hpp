// Forests made ready for single rows: the same sums to the last bit.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/cell_bytes.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace taut {

// A forest made ready for single rows: the same sums to the last bit. What one row waits for is memory, so all trees are filled
// up to one depth, a node is the number of its split alone, and a walk through a tree of depth 8 sees two lines of the cache:
// five levels, then the three below with their leaves.

class Forest;

class CompleteForest {
 public:
  // Nothing where trees are deeper than 8, so uneven that filling them up takes much more room, or have too many splits.
  static std::optional<CompleteForest> of(const Forest& forest);

  // Adds to `sums`, one for each output.
  void add_row(const float* row, float* sums) const;

 private:
  using Number = SplitAnswers::Number;
  static constexpr int top_levels = 5;
  static constexpr int most_low_levels = 3;
  static constexpr std::size_t ends_of_top = std::size_t{1} << top_levels;

  // The children of node k are 2k + 1 and 2k + 2; the last number is not used.
  struct alignas(64) Top {
    Number nodes[ends_of_top] = {};
  };
  // What is below one end of a Top.
  template <int levels>
  struct alignas(8 * (1 << levels)) Low {
    static constexpr std::size_t ends = std::size_t{1} << levels;
    Number nodes[ends] = {};
    float values[ends] = {};
  };
  template <int levels>
  using Lows = std::vector<Low<levels>>;

  CompleteForest(SplitAnswers splits, Index outputs) : splits_(std::move(splits)), outputs_(static_cast<std::size_t>(outputs)) {}

  template <int levels>
  void fill(const Forest& forest, Lows<levels>& lows);
  template <int levels>
  void add_trees(const std::uint8_t* right, const Lows<levels>& lows, float* sums) const;

  SplitAnswers splits_;
  std::size_t outputs_;
  std::vector<Top> tops_;                                  // of each tree
  std::variant<Lows<0>, Lows<1>, Lows<2>, Lows<3>> lows_;  // ends_of_top for each tree
};

// A forest made ready for single rows, where its trees are too deep or too uneven for a CompleteForest: the same sums to the last
// bit. What one row waits for is memory, so a node takes four bytes instead of twelve.

class RowForest {
 public:
  // Nothing where bytes are not enough: more than 254 thresholds of a feature, 255 columns of bytes, 65,535 nodes of a tree.
  static std::optional<RowForest> of(const Forest& forest);

  // Adds to `sums`, one for each output.
  void add_row(const float* row, float* sums) const;

 private:
  // A node in one word: its column, the byte from which on rows go right (8 bits each), and how far its left child is behind the
  // root (16 bits); the right one is next to it. A leaf is its own left child and looks at the column that is always 0: walking
  // on from it stays there.
  using Node = std::uint32_t;
  static Node node(std::uint16_t column, std::uint8_t cut, std::size_t left) {
    return column | static_cast<Node>(cut) << 8U | static_cast<Node>(left) << 16U;
  }

  explicit RowForest(CellBytes bytes) : bytes_(std::move(bytes)) {}

  CellBytes bytes_;
  std::size_t outputs_ = 0;
  std::vector<Node> nodes_;           // each tree breadth first
  std::vector<float> values_;         // of the same nodes; 0 for those that are no leaves
  std::vector<std::uint32_t> roots_;  // of each tree, in nodes_
  std::vector<std::int32_t> depths_;  // of each tree
};

}  // namespace taut
