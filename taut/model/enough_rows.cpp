#include <taut/model/enough_rows.hpp>

#include <taut/core/random.hpp>

namespace taut {

// One after another, each with the chance that so many of those left are still wanted: no list of all numbers is shuffled.
Rows drawn_rows(Rows rows, Index most, std::uint64_t seed) {
  const Index count = std::ssize(rows);
  if (count <= most) return rows;
  Random random = Random(seed).fork(3);
  Rows drawn;
  drawn.reserve(static_cast<std::size_t>(most));
  for (Index i = 0; i < count && std::ssize(drawn) < most; ++i)
    if (random.below(count - i) < most - std::ssize(drawn)) drawn.push_back(rows[static_cast<std::size_t>(i)]);
  return drawn;
}

}  // namespace taut
