// An open CSV file whose header has been read: what both ways of reading a table start from.
#pragma once

#include <taut/data/csv_block.hpp>
#include <taut/data/csv_format.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/source.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace taut {

class CsvFile {
 public:
  CsvFile(const std::string& path, const CsvOptions& options, Rereading rereading);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  const CsvFormat& format() const { return format_; }
  const std::string& name() const { return source_.name(); }
  const std::vector<std::string>& names() const { return format_.names; }
  bool has(const std::string& name) const { return positions_.contains(name); }
  // Of a column, or an Error with the nearest name.
  std::size_t position_of(const std::string& name) const;

  // The next records of the file; false at its end.
  bool next_block(TextBlock& block);
  // Back to the first record.
  void rewind();
  // To be told of every block that was parsed, in order: counts what was converted.
  void count_converted(const TextBlock& block);
  // What was converted, in words for the user; empty when nothing was.
  std::string notice() const;
  void report_progress() const;
  [[noreturn]] void fail_no_rows() const;

 private:
  void start();
  [[noreturn]] void fail_empty() const;
  void read_header(TextBlock& block);

  Source source_;
  CsvOptions options_;
  CsvFormat format_;
  std::optional<CsvBlocks> blocks_;
  std::optional<TextBlock> first_;  // what the block with the header holds after it
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t converted_ = 0;
  std::int64_t converted_line_ = 0;
};

}  // namespace taut
