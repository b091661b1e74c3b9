// Writes CSV: numbers in the shortest form that reads back as the same bits, texts in quotes where they need them.
#pragma once

#include <taut/core/file.hpp>
#include <taut/data/table.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace taut {

class CsvWriter {
 public:
  // The caller owns the file or the text. Call finish(), then OutputFile::commit().
  explicit CsvWriter(OutputFile& file, char delimiter = ',');
  explicit CsvWriter(std::string& text, char delimiter = ',');

  void number(double value);  // inf and -inf by name; NaN is an empty cell
  void text(std::string_view text);
  void empty();
  void end_row();

  void texts(std::span<const std::string> texts);  // one cell each
  void finish();                                   // writes what is still buffered

 private:
  void separate();
  bool needs_quotes(std::string_view text) const;

  std::function<void(std::string_view)> sink_;
  std::string buffer_;
  char delimiter_;
  std::size_t cells_ = 0;      // of this row
  std::size_t row_start_ = 0;  // in the buffer
};

// Writes a header and all rows. Categories are written as their texts, missing cells and "other" as empty cells.
void write_table(const Table& table, CsvWriter& writer);

}  // namespace taut
