// An open CSV file: how it is written, found out from its first records, and its header.
#pragma once

#include <taut/data/csv/block.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/csv/source.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taut {

// How a CSV file is written, found out from its first records.

struct CsvDialect {
  char delimiter = ',';
  std::size_t skipped_bytes = 0;  // a byte-order mark, and the line "sep=;" that Excel understands
  int skipped_lines = 0;
  bool has_trailing_delimiters = false;  // records end with one, the header does not
};

// The first bytes of a file; `is_all`: there are no more. A delimiter that is given (not 0) is taken.
//
// The delimiter is that of , ; tab | with which the header and the records after it have the same number of fields, the largest
// if there are several. A first line of one field before records of several is refused: it is a title or a comment.
CsvDialect find_dialect(std::string_view sample, bool is_all, char delimiter, const std::string& source);

// An open CSV file whose header has been read: what both ways of reading a table start from.

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
