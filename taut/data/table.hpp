// A table in memory, cells that did not fit its columns, and rows that come in batches.
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

// Cells of new rows that did not fit the columns of a model: how many in each column, and what the first of them said.
//
//   rows.matched(schema).mismatches()                         // of these rows, including those that the reader found
//   CsvReader reader(path, schema); ...; reader.mismatches()  // of all rows read so far
//
// There is one entry for each column of the schema, in its order. A missing cell is no mismatch.

struct Column;

struct ColumnMismatches {
  static constexpr std::size_t most_texts = 20;  // a file may have a new one in every row

  std::string column;
  // True: values that training did not have, which became the column's "other" code. False: texts among numbers, which became
  // missing cells.
  bool is_categorical = false;
  Index cells = 0;
  std::vector<std::string> texts = {};  // the first few different ones, in the order in which they were found

  // An empty text only counts: the table came with the cell already turned into "other".
  void add(std::string_view text, Index count = 1);
  // Those of further rows.
  void append(const ColumnMismatches& later);
};

using Mismatches = std::vector<ColumnMismatches>;

// One entry without cells for each column.
Mismatches no_mismatches(const std::vector<Column>& schema);

// A table in memory: columns of numbers and categorical columns; any cell may be missing.

// Rows x columns in one row-major block; a categorical column holds codes, a missing cell is NaN.
struct Table {
  std::string source = "the table";  // for error messages: the file's name
  std::vector<Column> columns;
  Matrix values;
  std::vector<std::int64_t> lines;  // 1-based line of each row in its file; empty when there is no file
  Mismatches mismatches = {};       // of a table read against known columns, one entry for each of them
  Index first_row = 0;              // of a batch: how many rows of the file are before it, where rows have no lines
  char delimiter = 0;               // of the file; 0 when there is none

  Index rows() const { return values.rows(); }
  std::optional<Index> find(std::string_view name) const;
  // Position of a column, or an Error that names the table, the column and the nearest name there is.
  Index require(std::string_view name) const;
  std::vector<std::string> names() const;
  // "houses.csv, line 17, column 'price'": where a cell is, for messages.
  std::string where(Index row, Index column) const;
};

// The columns of `table` that `schema` names, in its order, as TableView::matched finds them.
Table match(const Table& table, const std::vector<Column>& schema);

// Of columns by themselves, for tables of any kind.
std::optional<Index> find_column(const std::vector<Column>& columns, std::string_view name);
std::vector<std::string> names_of(const std::vector<Column>& columns);
// "line 17" of the file, or "row 16" where there is none.
std::string row_words(std::span<const std::int64_t> lines, Index row, Index first_row = 0);
std::string place(std::string_view source, std::span<const std::int64_t> lines, Index row, const Column& column,
                  Index first_row = 0);

// "houses.csv: there is no column 'prise' (did you mean 'price'?); the columns are: id, price, ..."
std::string missing_column(std::string_view source, std::string_view name, std::span<const std::string> names);

// "'abc'", cut when it is long: a cell as found, for messages.
std::string quoted_cell(std::string_view text);

// Rows of a file in batches, against known columns: constant memory whatever the size of the file.

class ArrowSlice;

struct Batch {
  Table table;
  std::vector<std::string> kept;  // rows x kept columns, row-major, as text
  // From a columnar file: the kept columns as they came, with their types. Empty from a file of text.
  std::shared_ptr<const ArrowSlice> kept_arrays = {};

  std::span<const std::string> kept_of(Index row) const {
    const std::size_t count = table.rows() == 0 ? 0 : kept.size() / static_cast<std::size_t>(table.rows());
    return std::span(kept).subspan(static_cast<std::size_t>(row) * count, count);
  }
};

// Columns are matched by name: order free, extra ones ignored, a missing one an Error with the nearest name. Cells become what
// TableView::matched makes of them.
class RowReader {
 public:
  virtual ~RowReader() = default;

  // Up to `most` further rows; false when there are none, even if the file has only a header. Reuse the batch: it keeps its
  // memory.
  virtual bool next(Batch& batch, Index most) = 0;
  // Cells of all rows read so far that did not fit the schema.
  virtual const Mismatches& mismatches() const = 0;
  // Throws the Error for a file without rows, for callers that need some.
  [[noreturn]] virtual void fail_no_rows() const = 0;
};

}  // namespace taut
