// Reading a CSV file, and writing one: `bench_csv make FILE ROWS [TEXTS]`, `bench_csv read FILE THREADS`. Both print a line
// of JSON. The last of the eleven numeric columns, y, depends on the others, so that a model can be fitted to the file. TEXTS
// text columns, with few or many different values, come before y.
#include <bench/stopwatch.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/writer.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace taut {
namespace {

const std::vector<std::string> colours = {"red", "blue", "green", "yellow", "\"black, or grey\""};

void make(const std::string& path, Index rows, Index texts) {
  constexpr Index inputs = 10;
  Random random(1);
  OutputFile file(path);
  CsvWriter writer(file);
  const Stopwatch watch;
  for (Index c = 0; c < inputs; ++c) writer.text("x" + std::to_string(c));
  for (Index c = 0; c < texts; ++c) writer.text("t" + std::to_string(c));
  writer.text("y");
  writer.end_row();
  std::vector<double> x(inputs);
  for (Index row = 0; row < rows; ++row) {
    for (double& cell : x) cell = random.normal();
    for (const double cell : x) writer.number(cell);
    for (Index c = 0; c < texts; ++c)
      writer.text(c % 2 == 0 ? colours[static_cast<std::size_t>(random.below(std::ssize(colours)))]
                             : "store " + std::to_string(random.below(20'000)));
    writer.number(x[0] * x[1] + (0.1 + std::abs(x[2])) * random.normal());
    writer.end_row();
  }
  writer.finish();
  file.commit();
  watch.print();
}

void read(const std::string& path, int threads) {
  ExecutionContext context;
  context.threads = threads;
  const Stopwatch watch;
  const Table table = read_table(path, {.context = &context});
  watch.print(", \"cells\": " + std::to_string(table.values.size()));
}

}  // namespace
}  // namespace taut

int main(int count, char** words) {
  const std::string verb = count > 2 ? words[1] : "";
  const auto number = [&](int word) { return static_cast<taut::Index>(taut::parse_number(words[word]).value_or(0)); };
  try {
    if (verb == "make" && (count == 4 || count == 5))
      taut::make(words[2], number(3), count == 5 ? number(4) : 0);
    else if (verb == "read" && count == 4)
      taut::read(words[2], static_cast<int>(number(3)));
    else
      return std::puts("usage: bench_csv make FILE ROWS [TEXTS], bench_csv read FILE THREADS"), 2;
  } catch (const taut::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
