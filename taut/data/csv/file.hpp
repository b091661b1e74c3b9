// An open CSV file: its dialect, inferred from the first records, and its header.
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

// The dialect of a CSV file, inferred from its first records.
struct CsvDialect {
  char delimiter = ',';
  std::size_t skipped_bytes = 0;  // a byte-order mark, and the line "sep=;" that Excel understands
  int skipped_lines = 0;
  bool has_trailing_delimiters = false;  // records end with a delimiter, the header does not
};

// Infers the dialect from the first bytes of a file; `is_all`: the file has no more. A `delimiter` other than 0 is used as it is.
//
// The delimiter is one of , ; tab |. It is the one for which the largest share of records has as many fields as the header; ties
// go to the larger number of fields. A first line of one field before records of several is an Error: a title or a comment.
CsvDialect find_dialect(std::string_view sample, bool is_all, char delimiter, const std::string& source);

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

  // The next records of the file; false at its end.
  bool next_block(TextBlock& block);
  // Goes back to the first record.
  void rewind();
  // Counts the converted bytes of a parsed block. To be called for every block, in order.
  void count_converted(const TextBlock& block);
  // A sentence for the user about converted bytes; empty if none were converted.
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
  std::optional<TextBlock> first_;  // the rest of the block that starts with the header
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t converted_ = 0;
  std::int64_t converted_line_ = 0;
};

}  // namespace taut
