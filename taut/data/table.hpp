// A table in memory, mismatched cells (those that do not fit the columns of a model), and batches of rows.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The cells of new rows that do not fit the columns of a model: their number in each column, and the first different texts.
//
//   rows.matched(schema).mismatches()                         // of these rows, including those that the reader found
//   CsvReader reader(path, schema); ...; reader.mismatches()  // of all rows read so far
//
// There is one entry for each column of the schema, in its order. A missing cell is not a mismatch.

struct Column;

struct ColumnMismatches {
  static constexpr std::size_t max_texts = 20;  // a limit, since every row of a file may have a new text

  std::string column;
  // True: the mismatches are categories that the training rows lack; they became the column's "other" code. False: they are texts
  // in a column of numbers; they became missing cells.
  bool is_categorical = false;
  Index cells = 0;
  std::vector<std::string> texts = {};  // the first different ones, in order of appearance

  // An empty text is only counted: the cell already had the code "other", so its text is unknown.
  void add(std::string_view text, Index count = 1);
  // Adds the mismatches of later rows.
  void append(const ColumnMismatches& later);
};

using Mismatches = std::vector<ColumnMismatches>;

// One entry without cells for each column.
Mismatches no_mismatches(const std::vector<Column>& schema);

// A table in memory: rows x columns in one row-major block. A categorical column holds codes; a missing cell is NaN.
struct Table {
  std::string source = "the table";  // for error messages: the file's name
  std::vector<Column> columns;
  Matrix values;
  std::vector<std::int64_t> lines;  // 1-based line of each row in its file; empty if there is no file
  Mismatches mismatches = {};       // of a table read against known columns, one entry for each of them
  Index first_row = 0;              // of a batch whose rows have no line numbers: the number of rows before it
  char delimiter = 0;               // of the file; 0 if there is none

  Index rows() const { return values.rows(); }
  std::optional<Index> find(std::string_view name) const;
  // The position of a column, or an Error that names the table, the column and the most similar name.
  Index require(std::string_view name) const;
  std::vector<std::string> names() const;
  // "houses.csv, line 17, column 'price'": where a cell is, for messages.
  std::string where(Index row, Index column) const;
};

// The columns of `table` that `schema` names, in its order, as TableView::matched finds them.
Table match(const Table& table, const std::vector<Column>& schema);

std::optional<Index> find_column(const std::vector<Column>& columns, std::string_view name);
std::vector<std::string> names_of(const std::vector<Column>& columns);
// "line 17" of the file, or "row 16" if the rows have no line numbers.
std::string describe_row(std::span<const std::int64_t> lines, Index row, Index first_row = 0);
std::string place(std::string_view source, std::span<const std::int64_t> lines, Index row, const Column& column,
                  Index first_row = 0);

// "houses.csv: there is no column 'prise' (did you mean 'price'?); the columns are: id, price, ..."
std::string missing_column(std::string_view source, std::string_view name, std::span<const std::string> names);

// The same for several names, each with the most similar name among those that nothing asks for. `wanted`: all names that are
// asked for, of which `absent` are those that the table lacks.
std::string missing_columns(std::string_view source, const std::vector<std::string>& absent,
                            const std::vector<std::string>& wanted, const std::vector<std::string>& names);

// "'abc'": the text of a cell for messages, cut if it is long.
std::string quoted_cell(std::string_view text);

class ArrowSlice;

// Some consecutive rows of a file.
struct Batch {
  Table table;
  std::vector<std::string> kept;  // rows x kept columns, row-major, as text
  // The kept columns of a columnar file with their own types. Empty for a file of text.
  std::shared_ptr<const ArrowSlice> kept_arrays = {};

  std::span<const std::string> kept_of(Index row) const {
    const std::size_t count = table.rows() == 0 ? 0 : kept.size() / static_cast<std::size_t>(table.rows());
    return std::span(kept).subspan(static_cast<std::size_t>(row) * count, count);
  }
};

// Lines of a file that could not be read and were skipped.
struct BadLines {
  static constexpr std::size_t max_words = 3;

  Index lines = 0;
  std::vector<std::string> words = {};  // the messages about the first of them, which name the lines

  void add(const std::string& message);
};

// Reads the columns of a schema from a file, batch by batch, in constant memory. Columns are matched by name, in any order; extra
// columns are ignored, and a missing one is an Error with the most similar name. Cells are converted as by TableView::matched.
class RowReader {
 public:
  virtual ~RowReader() = default;

  // Reads up to `maximum` further rows; false if there are none, even if the file has only a header. Reuse the batch to reuse its
  // memory.
  virtual bool next(Batch& batch, Index maximum) = 0;
  // Cells of all rows read so far that did not fit the schema.
  virtual const Mismatches& mismatches() const = 0;
  // The lines that were skipped so far.
  virtual const BadLines& bad_lines() const;
  // Throws the Error for a file without rows, for callers that need some.
  [[noreturn]] virtual void fail_no_rows() const = 0;
};

}  // namespace taut
