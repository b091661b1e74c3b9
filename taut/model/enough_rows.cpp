#include <taut/model/enough_rows.hpp>

#include <taut/core/draw.hpp>
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

Rows drawn_rows(Rows rows, Index most, std::uint64_t seed) {
  if (std::ssize(rows) <= most) return rows;
  Rows drawn = draw(std::ssize(rows), most, Random(seed).fork(3));
  for (Index& row : drawn) row = rows[static_cast<std::size_t>(row)];
  return drawn;
}

}  // namespace taut
