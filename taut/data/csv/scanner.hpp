// CSV text as a sequence of records and fields.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>
#include <taut/data/csv/block.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// What has to be known about a CSV file to take its records apart.

struct CsvFormat {
  std::string source;  // the file's name, for messages
  char delimiter = ',';
  std::vector<std::string> names = {};  // of the columns; unknown until the header has been read
  // Columns that a record may lack: 1 where records end with a delimiter that the header does not have.
  std::size_t optional = 0;
  MissingWords missing_words = {};
};

// CSV text as a sequence of records and fields (RFC 4180, any one-byte delimiter). Blanks may stand around a quoted field; quotes
// inside a field that does not start with one are part of its text.

inline constexpr Index most_columns = 1'000'000;

class CsvScanner {
 public:
  explicit CsvScanner(const CsvFormat& format) : format_(format), delimiter_(format.delimiter) {}

  // Goes to the start of a block, which must outlive what is read from it.
  void start(TextBlock& block);
  // Steps to the first field of the next record and over blank lines; false at the end of the block.
  bool next_record();
  // Has the record another field?
  bool more() const { return more_; }
  // The next field of the record without its quotes; valid until the next call.
  std::string_view field();
  // Reads up to `count` plain numbers (or empty cells, as NaN) that follow one another in the record and says how many there
  // were. Whatever is unusual stays for field(): quotes, blanks, words, infinities.
  Index numbers(double* out, Index count);

  std::int64_t line() const { return record_line_; }  // 1-based physical line on which the record starts
  std::int64_t next_line() const { return line_; }    // and where the next field does
  const char* next_character() const { return cursor_; }
  Index position() const { return position_; }  // fields of this record handed out so far
  // "houses.csv, line 17", "column 'price'"; fields are called by their names once they are known.
  std::string where() const;
  std::string where_field(Index position) const;
  char delimiter() const { return delimiter_; }

 private:
  void finish(char* end);
  std::string_view quoted_field(char* quote);
  void refuse_zero_byte(std::string_view text) const;
  const char* other_number(const char* at, double& value) const;
  bool is_blank(char c) const { return is_csv_blank(c, delimiter_); }
  [[noreturn]] void fail_too_long() const;

  const CsvFormat& format_;
  const char delimiter_;
  char* cursor_ = nullptr;  // start of the next field
  char* end_ = nullptr;     // of the text; a line feed always stands here
  bool has_zero_ = false;
  bool is_cut_ = false;
  bool more_ = false;
  Index position_ = 0;
  std::int64_t line_ = 1;
  std::int64_t record_line_ = 1;
  std::string unescaped_;
};

// A finite or infinite number, whatever the locale; blanks and a plus sign in front are allowed. NaN is not a number.
std::optional<double> cell_number(std::string_view text);

}  // namespace taut
