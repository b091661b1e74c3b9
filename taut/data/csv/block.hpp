// The text of a CSV file in pieces of whole records, which can be parsed independently of one another.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/csv/source.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Limits against hostile or broken files; the messages name them.
inline constexpr std::size_t most_field_bytes = std::size_t{16} << 20;
inline constexpr std::size_t most_record_bytes = 2 * most_field_bytes;

// Starts where a record starts and ends where one ends. After the text stands a line feed that is not part of it, and enough
// bytes that may be read, so that searches need no bound.
class TextBlock {
 public:
  TextBlock() { assign({}); }
  char* begin() { return bytes_.data() + begin_; }
  char* end() { return bytes_.data() + end_; }
  std::string_view text() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void assign(std::string_view text);
  // The text without what stands before `at`, which is on line `line`.
  void drop_before(const char* at, std::int64_t line);
  // No more records than this are in it.
  Index most_records() const { return line_feeds + (text().ends_with('\n') ? 0 : 1); }
  // Bytes that are not UTF-8 are converted (see with_windows_1252).
  void make_utf8();

  std::int64_t first_line = 1;  // 1-based physical line on which the text starts
  std::int64_t line_feeds = 0;
  bool has_zero = false;  // a zero byte, which text never holds
  bool is_ascii = true;
  bool is_cut = false;              // it ends inside a record, because that is too long
  std::size_t converted = 0;        // bytes that were not UTF-8
  std::int64_t converted_line = 0;  // the first line that held one

 private:
  friend class CsvBlocks;
  void make_room(std::size_t size);  // for so much text
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

// Blanks may stand around quotes. A delimiter is none.
inline bool is_csv_blank(char c, char delimiter) { return c != delimiter && (c == ' ' || c == '\t' || c == '\r'); }

class CsvBlocks {
 public:
  static constexpr std::size_t default_size = std::size_t{1} << 18;
  static constexpr std::size_t sample_size = std::size_t{1} << 16;

  // `size`: bytes of a block, unless a record is longer.
  // `prompt`: hand out records as soon as one is complete, and look at no more text than is there.
  CsvBlocks(Source& source, std::size_t size, bool prompt = false) : source_(source), size_(size), is_prompt_(prompt) {}

  // The text that comes next, for a look: sample_size bytes, or fewer where the file ends.
  std::string_view sample();
  bool sample_is_all() const { return at_end_; }
  // Leaves out what stands at the start of the sample.
  void skip(std::size_t bytes, std::int64_t lines) {
    carry_used_ += bytes;
    line_ += lines;
  }

  // False at the end of the file.
  bool next(TextBlock& block, char delimiter);

 private:
  std::size_t read(char* out, std::size_t size);
  void fill(TextBlock& block, std::size_t size);

  Source& source_;
  std::size_t size_;
  bool is_prompt_;
  std::int64_t line_ = 1;
  std::string carry_;  // read, but not handed out yet
  std::size_t carry_used_ = 0;
  bool at_end_ = false;
  std::exception_ptr failure_;  // of the source; comes after the records before it
};

}  // namespace taut
