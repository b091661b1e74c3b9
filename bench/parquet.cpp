// Reading a Parquet file as a table to fit: `bench_parquet FILE THREADS`. Prints a line of JSON.
#include <bench/stopwatch.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>

#include <cstdio>
#include <string>

int main(int count, char** words) {
  if (count != 3) return std::puts("usage: bench_parquet FILE THREADS"), 2;
  try {
    const taut::ExecutionContext context{.threads = static_cast<int>(taut::parse_number_or_throw(words[2], "THREADS"))};
    const taut::Stopwatch watch;
    const taut::TableView table = taut::open_table(words[1], {.context = &context});
    watch.print(", \"cells\": " + std::to_string(table.rows() * std::ssize(table.columns())));
  } catch (const taut::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
