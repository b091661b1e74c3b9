// A forest made ready for single rows, where its trees are too deep or too uneven for a CompleteForest: the same sums to the last
// bit. What one row waits for is memory, so a node takes four bytes instead of twelve.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/cell_bytes.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taut {

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
