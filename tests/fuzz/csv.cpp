// The CSV reader on any bytes. Three oracles beside the sanitizers: the sizes of blocks and the number of threads change nothing;
// reading in batches against known columns gives the same cells; a table that was read can be written and read again.
#include <tests/fuzz/target.hpp>

#include <taut/core/error.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace taut {
namespace {

// A file in memory that is rewritten for every input.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("input", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    require(descriptor_ >= 0, "a file in memory can be had");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& write(std::string_view bytes) {
    require(::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == std::ssize(bytes),
            "a file in memory takes its bytes");
    return path_;
  }

 private:
  int descriptor_;
  std::string path_;
};

struct Outcome {
  Table table;
  std::string complaint;
};

template <class Read>
Outcome outcome_of(Read read) {
  try {
    return {read(), {}};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

bool same_cell(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_cells(const Table& a, const Table& b) {
  return a.rows() == b.rows() && a.values.cols() == b.values.cols() &&
         std::equal(a.values.data(), a.values.data() + a.values.size(), b.values.data(), same_cell);
}

Table read_in_batches(const std::string& path, const std::vector<Column>& schema, Index maximum, std::size_t buffer) {
  Table whole;
  whole.columns = schema;
  whole.values.resize(0, std::ssize(schema));
  CsvReader reader(path, schema, {}, {.buffer = buffer});
  for (Batch batch; reader.next(batch, maximum);) {
    const Index before = whole.rows();
    whole.values.conservativeResize(before + batch.table.rows(), Eigen::NoChange);
    whole.values.bottomRows(batch.table.rows()) = batch.table.values;
  }
  return whole;
}

std::string written(const Table& table) {
  std::string text;
  CsvWriter writer(text);
  write_table(table, writer);
  writer.finish();
  return text;
}

void check_csv(std::string_view bytes) {
  static MemoryFile file;
  const std::string& path = file.write(bytes);
  const std::size_t whole = bytes.size() + 64, cut = 1 + bytes.size() % 37;
  ExecutionContext one, several;
  one.threads = 1;
  several.threads = 2 + static_cast<int>(bytes.size() % 3);
  const Outcome first = outcome_of([&] { return read_table(path, {.context = &one, .buffer = whole}); });
  for (const ExecutionContext* context : {&one, &several}) {
    const Outcome second = outcome_of([&] { return read_table(path, {.context = context, .buffer = cut}); });
    require(first.complaint == second.complaint, "blocks of any size on any number of threads give the same complaint");
    require(first.table.columns == second.table.columns && first.table.lines == second.table.lines &&
                same_cells(first.table, second.table),
            "blocks of any size on any number of threads give the same table");
  }
  if (!first.complaint.empty()) return;

  const auto& columns = first.table.columns;
  const Table batches = read_in_batches(path, columns, 1 + std::ssize(bytes) % 5, cut);
  require(same_cells(first.table, batches), "batches against known columns give the same cells");

  // A schema inferred from some rows gives the same cells whether a table is read and then matched, or read against the schema.
  Rows some;
  for (Index row = 0; row < first.table.rows(); row += 2) some.push_back(row);
  const auto kinds = columns_of(infer_columns(first.table, some));
  require(same_cells(match(first.table, kinds), read_in_batches(path, kinds, 1 + std::ssize(bytes) % 5, cut)),
          "a table that is matched has the cells of one that is read against the same columns");

  CsvOptions as_before{.delimiter = ',', .buffer = whole};
  for (const auto& column : columns) (column.is_categorical() ? as_before.categories : as_before.numbers).push_back(column.name);
  const std::string text = written(first.table);
  const Outcome again = outcome_of([&] { return read_table(file.write(text), as_before); });
  std::vector<Column> declared = columns;
  for (auto& column : declared) column.is_inferred = false;
  require(again.complaint.empty() && again.table.columns == declared && same_cells(first.table, again.table),
          "what was read can be written and read again");
}

}  // namespace
}  // namespace taut

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  taut::check_csv(taut::text_of(data, size));
  return 0;
}
