#include <taut/core/draw.hpp>

namespace taut {

// One after another, each with the chance that so many of those left are still wanted: no list of all numbers is shuffled.
Rows draw(Index count, Index most, Random random) {
  if (count <= most) return all_rows(count);
  Rows drawn;
  drawn.reserve(static_cast<std::size_t>(most));
  for (Index i = 0; i < count && std::ssize(drawn) < most; ++i)
    if (random.below(count - i) < most - std::ssize(drawn)) drawn.push_back(i);
  return drawn;
}

}  // namespace taut
