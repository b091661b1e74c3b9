#include <taut/guard/limits.hpp>

#include <taut/core/random.hpp>
#include <taut/core/text.hpp>

#include <cmath>
#include <utility>

namespace taut {

namespace {

constexpr double bytes_of_row = 120, bytes_of_cell = 8;

double bytes_for_each_row(Index columns) { return bytes_of_row + bytes_of_cell * static_cast<double>(columns); }

std::string print_bytes(std::size_t bytes) {
  const bool is_large = bytes >= 1'000'000'000;
  return print_rounded(std::round(static_cast<double>(bytes) / (is_large ? 1e8 : 1e5)) / 10) + (is_large ? " GB" : " MB");
}

// Down to two digits: a number to type, for an estimate. 0: none that would be worth it.
Index rows_that_fit(std::size_t available, Index columns) {
  auto rows = static_cast<Index>(static_cast<double>(available) / bytes_for_each_row(columns));
  if (rows < 100) return 0;
  Index unit = 1;
  for (; rows >= 100; rows /= 10) unit *= 10;
  return rows * unit;
}

}  // namespace

std::size_t memory_of_training(Index rows, Index columns) {
  return static_cast<std::size_t>(static_cast<double>(rows) * bytes_for_each_row(columns));
}

void check_memory(Index rows, Index columns, std::size_t available, const std::string& source, const ExecutionContext& context) {
  const std::size_t needed = memory_of_training(rows, columns);
  if (available == 0 || needed <= available) return;
  std::string words = source + ": training on " + counted(rows, "row") + " takes about " + print_bytes(needed) +
                      " of memory, and " + print_bytes(available) + " are left";
  if (const Index fit = rows_that_fit(available, columns); fit > 0) words += ": --max-rows " + std::to_string(fit) + " would do";
  context.tell(words);
}

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
