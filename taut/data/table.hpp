// A table in memory: columns of numbers and categorical columns; any cell may be missing.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>
#include <taut/data/mismatches.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

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

}  // namespace taut
