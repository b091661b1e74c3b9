// How a function may depend on one of its inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace taut {

enum class Direction : std::uint8_t { any, increasing, decreasing, unused };

inline bool is_monotone(Direction direction) { return direction == Direction::increasing || direction == Direction::decreasing; }

// One entry for each input or column; empty: any direction for all.
using InputDirections = std::vector<Direction>;

inline bool has_monotone(const InputDirections& directions) {
  return std::any_of(directions.begin(), directions.end(), is_monotone);
}

}  // namespace taut
