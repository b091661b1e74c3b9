// Reading a numeric CSV file, and writing one: `bench_csv make FILE [ROWS]`, `bench_csv read FILE [TIMES]`, or both on a small
// file of its own. bench/csv_pandas.py runs both on 200 MB and compares with pandas.
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_writer.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

namespace taut {
namespace {

// Processor time, so that whatever else the machine does hardly counts; reading and writing use one thread.
double seconds_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The most memory ever used. (getrusage also counts what the calling program used before it became this one.)
double peak_megabytes() {
  for (const auto& line : split_text(read_whole_file("/proc/self/status"), '\n')) {
    if (!line.starts_with("VmHWM:")) continue;
    return parse_number(split_text(line.substr(6), 'k').front()).value_or(0) / 1024;
  }
  return 0;
}

void make(const std::string& path, Index rows) {
  constexpr int columns = 11;
  Random random(1);
  Matrix block(1024, columns);
  for (double& value : block.reshaped()) value = random.normal();
  OutputFile file(path);
  CsvWriter writer(file);
  const double start = seconds_now();
  for (int c = 0; c < columns; ++c) writer.text(std::string("x").append(std::to_string(c)));
  writer.end_row();
  for (Index row = 0; row < rows; ++row) {
    for (int c = 0; c < columns; ++c) writer.number(block(row % block.rows(), c) + 1e-6 * static_cast<double>(row));
    writer.end_row();
  }
  writer.finish();
  const double taken = seconds_now() - start;
  file.commit();
  std::printf("write: %.1f million numbers per second\n", static_cast<double>(rows) * columns / taken / 1e6);
}

void read(const std::string& path, int times) {
  double best = infinity;
  double sum = 0;
  Index cells = 0;
  for (int i = 0; i < times; ++i) {
    const double start = seconds_now();
    const Table table = read_table(path);
    best = std::min(best, seconds_now() - start);
    cells = table.values.size();
    sum = table.values.sum();
  }
  std::printf("cells %lld  sum %.17g  peak_mb %.1f  data_mb %.1f  seconds %.4f\n", static_cast<long long>(cells), sum,
              peak_megabytes(), static_cast<double>(cells) * 8 / (1 << 20), best);
}

}  // namespace
}  // namespace taut

int main(int count, char** words) {
  const std::string verb = count > 2 ? words[1] : "";
  const double argument = count > 3 ? taut::parse_number(words[3]).value_or(0) : 0;
  try {
    if (verb == "make") {
      taut::make(words[2], argument > 0 ? static_cast<taut::Index>(argument) : 1'000'000);
    } else if (verb == "read") {
      taut::read(words[2], argument > 0 ? static_cast<int>(argument) : 3);
    } else {
      const auto path = (std::filesystem::temp_directory_path() / "taut_bench_csv.csv").string();
      taut::make(path, 200'000);
      taut::read(path, 5);
      std::filesystem::remove(path);
    }
  } catch (const taut::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
