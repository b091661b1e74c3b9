// An open CSV file: its dialect and its header.
#pragma once

#include <taut/data/csv/block.hpp>
#include <taut/data/csv/dialect.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/csv/source.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taut {

// An open CSV file whose header has been read. Whole tables and batches of rows are both read through it.
class CsvFile {
 public:
  CsvFile(const std::string& path, const CsvOptions& options, Rereading rereading);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  const CsvFormat& format() const { return format_; }
  const std::string& name() const { return source_.name(); }
  const std::vector<std::string>& names() const { return format_.names; }
  bool has(const std::string& name) const { return positions_.contains(name); }
  // The position of a column, or an Error with the most similar name.
  std::size_t position_of(const std::string& name) const;
  // Throws an Error that lists all of these names that the file lacks, each with the most similar name.
  void require(const std::vector<std::string>& wanted) const;

  // The next records of the file; false at its end.
  bool next_block(TextBlock& block);
  // Goes back to the first record.
  void rewind();
  // Counts the converted bytes of a parsed block. To be called for every block, in order.
  void count_converted(const TextBlock& block);
  // A warning for the user if the header looks like data; empty otherwise.
  std::string header_warning() const;
  // The delimiter as the file has it: a blank for runs of blanks.
  char delimiter_as_written() const { return dialect_.has_blanks ? ' ' : dialect_.delimiter; }
  // A sentence for the user about converted bytes; empty if none were converted.
  std::string notice() const;
  void report_progress() const;
  [[noreturn]] void fail_no_rows() const;

 private:
  void start();
  [[noreturn]] void fail_empty() const;
  void read_header(TextBlock& block);
  void set_names(std::vector<std::string> names);

  Source source_;
  CsvOptions options_;
  CsvFormat format_;
  CsvDialect dialect_;
  std::optional<CsvBlocks> blocks_;
  std::optional<TextBlock> first_;  // the rest of the block that starts with the header
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t converted_ = 0;
  std::int64_t converted_line_ = 0;
};

}  // namespace taut
