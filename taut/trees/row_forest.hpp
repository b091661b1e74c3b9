// Forests prepared for the evaluation of single rows. The sums are the same to the last bit.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/cell_bytes.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace taut {

class Forest;

// A forest as complete trees of one depth. The time of one row is spent on memory access. So a node consists only of the number
// of its split, and the traversal of a tree of depth 8 reads two cache lines: one for the upper five levels, and one for the
// three levels below with their leaves.
class CompleteForest {
 public:
  // Returns nothing if trees are deeper than 8, if complete trees would take much more memory, or if there are too many splits.
  static std::optional<CompleteForest> of(const Forest& forest);

  // Adds the leaves of one row to `sums`, one number per output.
  void add_row(const float* row, float* sums) const;

 private:
  using Number = SplitAnswers::Number;
  static constexpr int top_levels = 5;
  static constexpr int max_low_levels = 3;
  static constexpr std::size_t ends_of_top = std::size_t{1} << top_levels;

  // The children of node k are 2k + 1 and 2k + 2; the last number is not used.
  struct alignas(64) Top {
    Number nodes[ends_of_top] = {};
  };
  // The levels and leaves below one end of a Top.
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

// A forest whose trees are too deep or too uneven for a CompleteForest. The time of one row is spent on memory access, so a node
// takes four bytes instead of twelve.
class RowForest {
 public:
  // Returns nothing if there are more than 254 thresholds of a feature, 255 columns of bytes, or 65,535 nodes in a tree.
  static std::optional<RowForest> of(const Forest& forest);

  // Adds the leaves of one row to `sums`, one number per output.
  void add_row(const float* row, float* sums) const;

 private:
  // A node in one word: its column (8 bits), the smallest byte that goes right (8 bits), and the distance of its left child from
  // the root (16 bits); the right child follows the left one. A leaf is its own left child and compares the column that is always
  // 0, so a traversal stays there.
  using Node = std::uint32_t;
  static Node node(std::uint16_t column, std::uint8_t cut, std::size_t left) {
    return column | static_cast<Node>(cut) << 8U | static_cast<Node>(left) << 16U;
  }

  explicit RowForest(CellBytes bytes) : bytes_(std::move(bytes)) {}

  CellBytes bytes_;
  std::size_t outputs_ = 0;
  std::vector<Node> nodes_;           // each tree breadth first
  std::vector<float> values_;         // of the same nodes; 0 for inner nodes
  std::vector<std::uint32_t> roots_;  // of each tree, in nodes_
  std::vector<std::int32_t> depths_;  // of each tree
};

}  // namespace taut
