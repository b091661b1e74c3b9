// The text of a CSV file in blocks of whole records, which can be parsed independently of one another.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/csv/line_filter.hpp>
#include <taut/data/csv/source.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Limits that protect against hostile or broken files. Error messages name them.
inline constexpr std::size_t max_field_bytes = std::size_t{16} << 20;
inline constexpr std::size_t max_record_bytes = 2 * max_field_bytes;

// Text that starts and ends at record boundaries. It is followed by a line feed that is not part of it, and by readable padding,
// so that searches need no bound.
class TextBlock {
 public:
  TextBlock() { assign({}); }
  char* begin() { return bytes_.data() + begin_; }
  char* end() { return bytes_.data() + end_; }
  std::string_view text() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void assign(std::string_view text);
  // Drops the text before `at`, which is on line `line`.
  void drop_before(const char* at, std::int64_t line);
  // An upper bound on the number of records.
  Index max_records() const { return line_feeds + (text().ends_with('\n') ? 0 : 1); }
  // Converts bytes that are not UTF-8 (see with_windows_1252).
  void make_utf8();

  std::int64_t first_line = 1;  // 1-based physical line on which the text starts
  std::int64_t line_feeds = 0;
  bool has_zero = false;  // a zero byte, which text never holds
  bool is_ascii = true;
  bool is_cut = false;              // the text ends inside a record that is too long
  std::size_t converted = 0;        // bytes that were not UTF-8
  std::int64_t converted_line = 0;  // the first line with such a byte

 private:
  friend class CsvBlocks;
  void make_space(std::size_t size);  // for `size` bytes of text and the padding
  void finish();

  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Where the last complete record of a text ends, and where the unfinished field after it starts.
struct RecordEnd {
  std::size_t end = 0;
  std::size_t field = 0;
};
RecordEnd last_record_end(std::string_view text, char delimiter);

// A blank that may surround a quoted field. The delimiter itself is never a blank.
inline bool is_csv_blank(char c, char delimiter) { return c != delimiter && (c == ' ' || c == '\t' || c == '\r'); }

struct CsvFormat;

class CsvBlocks {
 public:
  static constexpr std::size_t default_size = std::size_t{1} << 18;
  static constexpr std::size_t sample_size = std::size_t{1} << 16;

  // `size`: bytes of a block, unless a record is longer.
  // `prompt`: return records as soon as one is complete, and never wait for more text than that.
  CsvBlocks(Source& source, std::size_t size, bool prompt = false) : source_(source), size_(size), is_prompt_(prompt) {}

  // The next text, which is not consumed: sample_size bytes, or fewer if the file ends.
  std::string_view sample();
  bool sample_is_all() const { return at_end_; }
  // Skips the start of the sample.
  void skip(std::size_t bytes, std::int64_t lines) {
    carry_used_ += bytes;
    line_ += lines;
  }

  // Simplifies all text that has not been returned or skipped.
  void simplify(const LineFilter& filter);

  // False at the end of the file. If lines are records, quotes do not hide line ends.
  bool next(TextBlock& block, const CsvFormat& format);

 private:
  std::size_t read(char* out, std::size_t size);
  std::size_t read_source(char* out, std::size_t size);
  void fill(TextBlock& block, std::size_t size);

  Source& source_;
  std::size_t size_;
  bool is_prompt_;
  std::int64_t line_ = 1;
  std::string carry_;  // read, but not returned yet
  std::size_t carry_used_ = 0;
  LineFilter filter_;
  std::string simplified_;  // by the filter, but not returned by read() yet
  std::size_t simplified_used_ = 0;
  bool at_end_ = false;
  std::exception_ptr failure_;  // of the source; thrown after all complete records were returned
};

}  // namespace taut
