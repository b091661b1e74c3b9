// Reading a numeric CSV file, and writing one: `bench_csv make FILE ROWS`, `bench_csv read FILE`. Both use one thread, and answer
// with a line of JSON. The last of the eleven columns, y, depends on the others, so that the file can be fitted too.
#include <bench/stopwatch.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_writer.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace taut {
namespace {

void make(const std::string& path, Index rows) {
  constexpr Index inputs = 10;
  Random random(1);
  OutputFile file(path);
  CsvWriter writer(file);
  const Stopwatch watch;
  for (Index c = 0; c < inputs; ++c) writer.text("x" + std::to_string(c));
  writer.text("y");
  writer.end_row();
  std::vector<double> x(inputs);
  for (Index row = 0; row < rows; ++row) {
    for (double& cell : x) cell = random.normal();
    for (const double cell : x) writer.number(cell);
    writer.number(x[0] * x[1] + (0.1 + std::abs(x[2])) * random.normal());
    writer.end_row();
  }
  writer.finish();
  file.commit();
  watch.print();
}

void read(const std::string& path) {
  const Stopwatch watch;
  const Table table = read_table(path);
  watch.print(", \"cells\": " + std::to_string(table.values.size()));
}

}  // namespace
}  // namespace taut

int main(int count, char** words) {
  const std::string verb = count > 2 ? words[1] : "";
  try {
    if (verb == "make" && count == 4)
      taut::make(words[2], static_cast<taut::Index>(taut::parse_number(words[3]).value_or(0)));
    else if (verb == "read" && count == 3)
      taut::read(words[2]);
    else
      return std::puts("usage: bench_csv make FILE ROWS, bench_csv read FILE"), 2;
  } catch (const taut::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
