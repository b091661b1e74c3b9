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

// The properties of a CSV file that parsing its records needs.
struct CsvFormat {
  std::string source;  // the file's name, for messages
  char delimiter = ',';
  std::vector<std::string> names = {};  // of the columns; empty until the header has been read
  // The number of columns that a record may lack: 1 if records end with a delimiter that the header does not have.
  std::size_t optional = 0;
  MissingWords missing_words = {};
  // Every line is a record, whatever quotes it has, so that a bad line spoils no other.
  bool lines_are_records = false;
};

inline constexpr Index max_columns = 1'000'000;

// Splits CSV text into records and fields (RFC 4180, any one-byte delimiter). Blanks around a quoted field are allowed; quotes
// inside a field that does not start with one are part of its text.
class CsvScanner {
 public:
  explicit CsvScanner(const CsvFormat& format) : format_(format), delimiter_(format.delimiter) {}

  // Goes to the start of a block, which must outlive the fields read from it.
  void start(TextBlock& block);
  // Moves to the first field of the next record and skips blank lines; false at the end of the block.
  bool next_record();
  // True if the record has another field.
  bool more() const { return more_; }
  // The next field of the record without its quotes; valid until the next call.
  std::string_view field();
  // Reads up to `count` consecutive plain numbers (or empty cells, as NaN) of the record and returns how many it read. It stops
  // before a field with quotes, blanks, words or infinities, which field() must read.
  Index numbers(double* out, Index count);

  std::int64_t line() const { return record_line_; }  // 1-based physical line on which the record starts
  std::int64_t next_line() const { return line_; }    // the line on which the next field starts
  const char* next_character() const { return format_.lines_are_records ? next_ : cursor_; }
  Index position() const { return position_; }  // number of fields read from this record
  // "houses.csv, line 17", "column 'price'"; fields have names once the header is known.
  std::string where() const;
  std::string where_field(Index position) const;
  char delimiter() const { return delimiter_; }

 private:
  bool next_line_record();
  void finish(char* end);
  std::string_view quoted_field(char* quote);
  void refuse_zero_byte(std::string_view text) const;
  const char* other_number(const char* at, double& value) const;
  bool is_blank(char c) const { return is_csv_blank(c, delimiter_); }
  [[noreturn]] void fail_too_long() const;

  const CsvFormat& format_;
  const char delimiter_;
  char* cursor_ = nullptr;  // start of the next field
  char* end_ = nullptr;     // of the text; the byte here is always a line feed
  // If lines are records: `end_` is the end of the line, the next line starts at `next_`, and the text ends at `text_end_`.
  char* next_ = nullptr;
  char* text_end_ = nullptr;
  bool has_zero_ = false;
  bool is_cut_ = false;
  bool more_ = false;
  Index position_ = 0;
  std::int64_t line_ = 1;
  std::int64_t record_line_ = 1;
  std::string unescaped_;
};

// Reads a finite or infinite number, independent of the locale; nothing for other texts and for NaN. Blanks around it and a plus
// sign are allowed.
std::optional<double> cell_number(std::string_view text);

}  // namespace taut
