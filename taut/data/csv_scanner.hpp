// CSV text as a sequence of records and fields (RFC 4180, any one-byte delimiter), through a buffer of fixed size.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/source.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Limits against hostile or broken files; the messages name them.
inline constexpr std::size_t most_field_bytes = std::size_t{16} << 20;
inline constexpr Index most_columns = 1'000'000;

// Fields are handed out one by one, so that neither a record nor a file ever has to fit into memory. Only a field that crosses
// the end of the buffer makes it grow.
class CsvScanner {
 public:
  static constexpr std::size_t default_buffer = std::size_t{1} << 18;

  // Delimiter 0: detected as the most frequent of , ; tab | in the first line.
  explicit CsvScanner(Source& source, char delimiter = 0, std::size_t buffer = default_buffer);

  // Steps to the first field of the next record and over blank lines; false at the end of the file.
  bool next_record();
  // Has the record another field?
  bool more() const { return more_; }
  // The next field of the record without its quotes; valid until the next call.
  std::string_view field();
  // Reads up to `count` plain numbers (or empty cells, as NaN) that follow one another in the record and says how many there
  // were. Whatever is unusual stays for field(): quotes, blanks, words, infinities, the end of the buffer.
  Index numbers(double* out, Index count);

  char delimiter() const { return delimiter_; }
  std::int64_t line() const { return record_line_; }  // 1-based physical line on which the record starts
  Index position() const { return position_; }        // fields of this record handed out so far
  // "houses.csv, line 17", "column 'price'"; fields are called by these names once they are known.
  std::string where() const;
  const std::string& source_name() const { return source_.name(); }
  std::string where_field(Index position) const;
  void set_names(const std::vector<std::string>* names) { names_ = names; }

 private:
  bool refill();
  void make_room();
  void finish(char* end);
  std::string_view quoted_field();
  const char* other_number(const char* at, double& value) const;
  bool is_blank(char c) const { return c != delimiter_ && (c == ' ' || c == '\t' || c == '\r'); }
  void skip_byte_order_mark();
  void detect_delimiter();
  void refuse_zero_bytes(const char* begin, const char* end) const;
  [[noreturn]] void fail_too_long() const;

  Source& source_;
  std::vector<char> buffer_;
  char* cursor_;  // start of the next field
  char* end_;     // of the bytes read; a line feed always stands here, so that searches need no bound
  bool at_end_ = false;
  char delimiter_;
  bool more_ = false;
  Index position_ = 0;
  std::int64_t line_ = 1;
  std::int64_t record_line_ = 1;
  std::string unescaped_;
  const std::vector<std::string>* names_ = nullptr;
};

// Empty, NA, NaN, -NaN or null in any case, blanks around them allowed.
bool is_missing_cell(std::string_view text);

// A finite or infinite number, whatever the locale; blanks and a plus sign in front are allowed. NaN is not a number.
std::optional<double> cell_number(std::string_view text);

}  // namespace taut
