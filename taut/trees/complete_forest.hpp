// A forest made ready for single rows: the same sums to the last bit. What one row waits for is memory, so all trees are filled
// up to one depth, a node is the number of its split alone, and a walk through a tree of depth 8 sees two lines of the cache:
// five levels, then the three below with their leaves.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/split_answers.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace taut {

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

}  // namespace taut
