// Shapley values by definition, over all coalitions.
#pragma once

#include <taut/trees/forest.hpp>

#include <bit>
#include <cmath>
#include <functional>

namespace taut::testing {

// The expected output of one tree if only the players in `known` (one bit each) are known. At splits on other players both
// branches count, weighted by their rows.
inline double expected_output(const std::vector<TreeNode>& tree, std::span<const float> x, std::span<const Index> player_of,
                              unsigned known) {
  const std::function<double(std::int32_t)> cover = [&](std::int32_t at) -> double {
    const TreeNode& node = tree[static_cast<std::size_t>(at)];
    return node.left < 0 ? static_cast<double>(node.cover) : cover(node.left) + cover(node.right);
  };
  const std::function<double(std::int32_t)> value = [&](std::int32_t at) -> double {
    const TreeNode& node = tree[static_cast<std::size_t>(at)];
    if (node.left < 0) return static_cast<double>(node.value);
    const float cell = x[static_cast<std::size_t>(node.feature)];
    if ((known >> player_of[static_cast<std::size_t>(node.feature)] & 1U) != 0) {
      const bool left = std::isnan(cell) ? node.missing_left : cell < node.value;
      return value(left ? node.left : node.right);
    }
    const double rows_left = cover(node.left), rows_right = cover(node.right);
    return (rows_left * value(node.left) + rows_right * value(node.right)) / (rows_left + rows_right);
  };
  return value(0);
}

inline double factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

// Shapley values of any game.
inline std::vector<double> shapley_values(int players, const std::function<double(unsigned)>& worth) {
  std::vector<double> worths;
  for (unsigned coalition = 0; coalition < 1U << players; ++coalition) worths.push_back(worth(coalition));
  std::vector<double> shares(static_cast<std::size_t>(players));
  for (int k = 0; k < players; ++k)
    for (unsigned coalition = 0; coalition < 1U << players; ++coalition) {
      if ((coalition >> k & 1U) != 0) continue;
      const int size = std::popcount(coalition);
      shares[static_cast<std::size_t>(k)] += factorial(size) * factorial(players - 1 - size) / factorial(players) *
                                             (worths[coalition | 1U << k] - worths[coalition]);
    }
  return shares;
}

}  // namespace taut::testing
