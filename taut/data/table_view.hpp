// A read-only view of a table, column by column, and its cells as texts.
#pragma once

#include <taut/data/table.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The cells of one column; consecutive rows are `stride` numbers apart.
class CellsView {
 public:
  CellsView(const double* first, Index stride) : doubles_(first), stride_(stride) {}
  CellsView(const float* first, Index stride) : floats_(first), stride_(stride) {}

  double operator[](Index row) const {
    return doubles_ != nullptr ? doubles_[row * stride_] : static_cast<double>(floats_[row * stride_]);
  }

 private:
  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  Index stride_;
};

class MissingWords;

// A read-only view of a table, column by column. The numbers are those of a Table or arrays of another owner (NumPy, a data
// frame); they are not copied. Selecting columns copies no cells.
class TableView {
 public:
  // A view of all columns of `table`, which must outlive the view.
  TableView(const Table& table);
  // A view without columns. `first_row`: of a batch, the number of rows before it.
  TableView(std::string source, Index rows, Index first_row = 0)
      : source_(std::move(source)), rows_(rows), first_row_(first_row) {}
  // The view owns the table. A large table is moved to a temporary file.
  static TableView owning(Table table);

  void add(Column column, CellsView cells);            // the caller owns the numbers; they must outlive the view
  void add(Column column, std::vector<double> cells);  // the view takes ownership of the numbers
  // Keeps `owner` alive as long as this view and all views made from it.
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }
  // Appends the columns of another view of the same rows.
  void append(const TableView& other);

  const std::string& source() const { return source_; }
  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return rows_; }
  // The delimiter between the cells of the file; 0 if there is none.
  char delimiter() const { return delimiter_; }
  // The cells that did not fit the schema, for a table read against known columns and for a view made by matched().
  const Mismatches& mismatches() const { return mismatches_; }

  double operator()(Index row, Index column) const { return cells_[static_cast<std::size_t>(column)][row]; }
  void copy_row(Index row, double* out) const {
    for (const CellsView& cells : cells_) *out++ = cells[row];
  }

  // Like the functions of Table.
  Index require(std::string_view name) const;
  std::vector<std::string> names() const;
  std::string where(Index row, Index column) const;
  // "line 17" of the file, or "row 16" if the rows have no line numbers.
  std::string describe_row(Index row) const;

  // The columns that `schema` names, in its order, with its category codes. Extra columns are dropped; a missing column is an
  // Error with the most similar name. A category that the schema does not list becomes the column's "other" code. A cell that
  // the schema's kind and format cannot read becomes missing, or an Error if the column is strict. Both are counted in
  // mismatches() of the result. A word for missing cells is a missing cell unless the schema lists it as a category. A code that
  // its column does not have is an Error. Columns of numbers are shared, not copied, where no cell changes.
  TableView matched(const std::vector<Column>& schema) const;

  // The same table, in which cells that hold one of these words are missing. The words are stored in its columns. Call this
  // before the kinds of columns are inferred; matched() uses the words of the schema.
  TableView with_missing(const std::vector<std::string>& words) const;

  Table copy() const;

 private:
  void check_codes(Index column) const;
  void apply_missing_words(Index column, const MissingWords& is_missing);
  std::optional<std::vector<double>> without_numbers(Index column, const MissingWords& is_missing) const;
  const ColumnMismatches* mismatches_of(const std::string& column) const;
  void add_matched(TableView& result, Index column, const Column& wanted, ColumnMismatches& mismatches) const;
  std::vector<double> as_categories(Index column, const Column& to, ColumnMismatches& mismatches) const;
  std::vector<double> read_texts(Index column, const Column& to, ColumnMismatches& mismatches) const;
  std::vector<double> read_numbers(Index column, const Column& to, ColumnMismatches& mismatches) const;

  std::string source_;
  std::vector<Column> columns_;
  std::vector<CellsView> cells_;
  std::vector<std::shared_ptr<const void>> owners_;  // of the numbers; shared with views made from this one
  std::span<const std::int64_t> lines_;              // of a Table read from a file
  Mismatches mismatches_;
  Index rows_ = 0;
  char delimiter_ = 0;
  Index first_row_ = 0;
};

// The text of a cell that is a number, a date or a boolean.
std::string cell_text(double value, ColumnKind kind);

// The different texts of these rows that `known`, a categorical column of the same name, does not list, in alphabetical order.
// Cells with the code "other" have no text and are left out.
std::vector<std::string> unlisted_texts(const TableView& table, const Column& known, RowsView rows);

}  // namespace taut
