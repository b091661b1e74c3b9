#include <taut/guard/limits.hpp>

#include <taut/core/format.hpp>
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

// Rounded down to two digits, which is enough for an estimate. 0 if fewer than 100 rows fit.
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
  std::string words = format_text("{}: training on {} takes about {} of memory, and {} are left", source, counted(rows, "row"),
                                  print_bytes(needed), print_bytes(available));
  if (const Index fit = rows_that_fit(available, columns); fit > 0) words += format_text(": --max-rows {} would do", fit);
  context.tell(words);
}

Rows enough_rows(Rows usable, const FitOptions& options, const ExecutionContext& context) {
  const Index count = std::ssize(usable), maximum = options.max_rows;
  if (maximum == 0 || count <= maximum) return usable;
  const std::string some = format_text("{} of {} are used, ", print_count(maximum), counted(count, "row"));
  if (options.is_in_order()) {
    context.tell(some + "the latest");
    usable.erase(usable.begin(), usable.end() - maximum);
    return usable;
  }
  context.tell(some + "drawn at random");
  return sampled_rows(std::move(usable), maximum, static_cast<std::uint64_t>(options.seed));
}

Rows sampled_rows(Rows rows, Index maximum, std::uint64_t seed) {
  if (std::ssize(rows) <= maximum) return rows;
  Rows sampled = draw(std::ssize(rows), maximum, Random(seed).fork(3));
  for (Index& row : sampled) row = rows[static_cast<std::size_t>(row)];
  return sampled;
}

}  // namespace taut
