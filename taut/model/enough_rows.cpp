#include <taut/model/enough_rows.hpp>

#include <taut/core/random.hpp>
#include <taut/core/text.hpp>

#include <utility>

namespace taut {

Rows enough_rows(Rows usable, const FitOptions& options, const ExecutionContext& context) {
  const Index count = std::ssize(usable), most = options.max_rows;
  if (most == 0 || count <= most) return usable;
  const std::string some = print_count(most) + " of " + counted(count, "row") + " are used, ";
  if (options.is_in_order()) {
    context.tell(some + "the latest");
    usable.erase(usable.begin(), usable.end() - most);
    return usable;
  }
  context.tell(some + "drawn at random");
  return drawn_rows(std::move(usable), most, static_cast<std::uint64_t>(options.seed));
}

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
