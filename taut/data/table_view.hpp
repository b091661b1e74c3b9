// A table that is only read, column by column, and its cells as texts.
#pragma once

#include <taut/data/table.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// A table that is only read, column by column, wherever its numbers are: those of a Table, or arrays of another owner (NumPy, a
// data frame), which are not copied. Choosing columns costs nothing.

// The cells of one column, `stride` numbers from one row to the next.
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

class TableView {
 public:
  // Every table is a view of itself; it must outlive the view.
  TableView(const Table& table);
  // Without columns yet. `first_row`: of a batch, how many rows are before it.
  TableView(std::string source, Index rows, Index first_row = 0)
      : source_(std::move(source)), rows_(rows), first_row_(first_row) {}
  // The view keeps the table alive, a large one in a file.
  static TableView owning(Table table);

  void add(Column column, CellsView cells);            // the numbers are the caller's and outlive the view
  void add(Column column, std::vector<double> cells);  // the numbers become the view's own
  // Whatever it is, it lives as long as this view and all that are made from it.
  void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }
  // The columns of another view of the same rows come after those of this one.
  void append(const TableView& other);

  const std::string& source() const { return source_; }
  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return rows_; }
  // Between the cells of the file; 0 when there is none.
  char delimiter() const { return delimiter_; }
  // Of a table that was read against known columns, and of a view made by matched(): cells that did not fit.
  const Mismatches& mismatches() const { return mismatches_; }

  double operator()(Index row, Index column) const { return cells_[static_cast<std::size_t>(column)][row]; }
  void copy_row(Index row, double* out) const {
    for (const CellsView& cells : cells_) *out++ = cells[row];
  }

  // As those of Table.
  Index require(std::string_view name) const;
  std::vector<std::string> names() const;
  std::string where(Index row, Index column) const;
  // "line 17" of the file, or "row 16" where there is none.
  std::string row_words(Index row) const;

  // The columns that `schema` names, in its order, with its category codes. Extra columns are dropped; a missing one is an Error
  // with the nearest name. A text that the schema does not list becomes the column's "other" code. A cell that the
  // schema's kind and format cannot read becomes a missing one, or an Error if the column is strict. What did not fit is counted
  // in the result's mismatches(); a missing word that is no category of the schema is a missing cell. A code that its column does
  // not have is an Error. Numbers stay where they are.
  TableView matched(const std::vector<Column>& schema) const;

  // The same table in which cells that hold one of these words are missing, and whose columns know the words. To be done before
  // rows decide what columns are; matched() does it by the words of the schema.
  TableView with_missing(const std::vector<std::string>& words) const;

  Table copy() const;

 private:
  void check_codes(Index column) const;
  void forget(Index column, const MissingWords& is_missing);
  std::optional<std::vector<double>> without_numbers(Index column, const MissingWords& is_missing) const;
  const ColumnMismatches* mismatches_of(const std::string& column) const;
  void add_matched(TableView& result, Index column, const Column& wanted, ColumnMismatches& mismatches) const;
  std::vector<double> as_categories(Index column, const Column& to, ColumnMismatches& mismatches) const;
  std::vector<double> read_texts(Index column, const Column& to, ColumnMismatches& mismatches) const;
  std::vector<double> read_numbers(Index column, const Column& to, ColumnMismatches& mismatches) const;

  std::string source_;
  std::vector<Column> columns_;
  std::vector<CellsView> cells_;
  std::vector<std::shared_ptr<const void>> owners_;  // of the numbers, shared with views made from this one
  std::span<const std::int64_t> lines_;              // of a Table read from a file
  Mismatches mismatches_;
  Index rows_ = 0;
  char delimiter_ = 0;
  Index first_row_ = 0;
};

// Cells as texts.

// A cell that is no text as one would write it.
std::string cell_text(double value, ColumnKind kind);

// The different texts of these rows that `known`, a categorical column of the same name, does not list, in alphabetical order. A
// cell that came as "other" has no text and is left out.
std::vector<std::string> unlisted_texts(const TableView& table, const Column& known, RowsView rows);

}  // namespace taut
