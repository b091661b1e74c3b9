#include <taut/data/table_view.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <cmath>
#include <map>
#include <unordered_map>

namespace taut {

namespace {

// The code of each level of `from` among the levels of `to`, NaN where there is none.
std::vector<double> level_codes(const Column& from, const Column& to) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t code = 0; code < to.levels.size(); ++code) known.emplace(to.levels[code], code);
  std::vector<double> codes;
  codes.reserve(from.levels.size());
  for (const auto& level : from.levels) {
    const auto found = known.find(level);
    codes.push_back(found == known.end() ? missing : static_cast<double>(found->second));
  }
  return codes;
}

// A file where all cells of a category happen to be numbers reads as numbers: the level is the one that means the same
// number, and among several ("1", "1.0") the one that is written as we would write it.
double level_of_number(double value, const Column& to) {
  double code = missing;
  const std::string written = print_number(value);
  for (std::size_t i = 0; i < to.levels.size(); ++i) {
    if (to.levels[i] == written) return static_cast<double>(i);
    if (std::isnan(code) && parse_number(to.levels[i]) == value) code = static_cast<double>(i);
  }
  return code;
}

// A cell as the user wrote it.
std::string written(double value, const Column& column) {
  const bool is_known = column.is_category && value >= 0 && value < static_cast<double>(column.levels.size());
  return is_known ? column.levels[static_cast<std::size_t>(value)] : print_number(value);
}

}  // namespace

TableView::TableView(const Table& table)
    : source_(table.source), columns_(table.columns), lines_(table.lines), unseen_(table.unseen), rows_(table.rows()) {
  for (Index column = 0; column < table.values.cols(); ++column)
    cells_.emplace_back(table.values.data() + column, table.values.cols());
}

void TableView::add(Column column, CellsView cells) {
  columns_.push_back(std::move(column));
  cells_.push_back(cells);
}

void TableView::add(Column column, std::vector<double> cells) {
  own_.push_back(std::make_shared<const std::vector<double>>(std::move(cells)));
  add(std::move(column), CellsView(own_.back()->data(), 1));
}

Index TableView::require(std::string_view name) const {
  if (const auto found = find_column(columns_, name)) return *found;
  throw Error(missing_column(source_, name, names()));
}

std::vector<std::string> TableView::names() const { return names_of(columns_); }

std::string TableView::where(Index row, Index column) const {
  return place(source_, lines_, row, columns_[static_cast<std::size_t>(column)]);
}

std::vector<double> TableView::as_category(Index column, const Column& to, UnseenCategories& unseen) const {
  const Column& from = columns_[static_cast<std::size_t>(column)];
  const auto codes = level_codes(from, to);
  std::unordered_map<double, double> code_of_number;
  std::map<double, Index> unknown;  // rows by cell, in an order that is the same everywhere
  std::vector<double> cells(static_cast<std::size_t>(rows_), missing);
  for (Index row = 0; row < rows_; ++row) {
    const double value = (*this)(row, column);
    double& cell = cells[static_cast<std::size_t>(row)];
    if (std::isnan(value)) continue;
    if (from.is_category) {
      if (value >= 0 && value < static_cast<double>(codes.size())) cell = codes[static_cast<std::size_t>(value)];
    } else {
      const auto [found, is_new] = code_of_number.try_emplace(value, missing);
      if (is_new) found->second = level_of_number(value, to);
      cell = found->second;
    }
    if (std::isnan(cell)) ++unknown[value];
  }
  for (const auto& [value, rows] : unknown) unseen.add(to.name, written(value, from), rows);
  return cells;
}

std::vector<double> TableView::as_number(Index column) const {
  const Column& from = columns_[static_cast<std::size_t>(column)];
  std::vector<std::optional<double>> numbers;
  for (const auto& level : from.levels) numbers.push_back(parse_number(level));
  std::vector<double> cells(static_cast<std::size_t>(rows_), missing);
  for (Index row = 0; row < rows_; ++row) {
    const double code = (*this)(row, column);
    if (!(code >= 0 && code < static_cast<double>(numbers.size()))) continue;
    const auto level = static_cast<std::size_t>(code);
    if (!numbers[level])
      throw Error(where(row, column) + ": found the text " + quoted_cell(from.levels[level]) +
                  ", but this column holds numbers; write a number, or leave the cell empty if the value is missing");
    cells[static_cast<std::size_t>(row)] = *numbers[level];
  }
  return cells;
}

TableView TableView::matched(const std::vector<Column>& schema) const {
  if (columns_ == schema) return *this;
  TableView result(source_, rows_);
  result.lines_ = lines_;
  result.unseen_ = unseen_;
  result.own_ = own_;
  std::unordered_map<std::string_view, Index> positions;
  for (std::size_t i = 0; i < columns_.size(); ++i) positions.emplace(columns_[i].name, static_cast<Index>(i));
  for (const Column& wanted : schema) {
    const auto found = positions.find(wanted.name);
    if (found == positions.end()) throw Error(missing_column(source_, wanted.name, names()));
    const Index column = found->second;
    if (columns_[static_cast<std::size_t>(column)] == wanted)
      result.add(wanted, cells_[static_cast<std::size_t>(column)]);
    else
      result.add(wanted, wanted.is_category ? as_category(column, wanted, result.unseen_) : as_number(column));
  }
  return result;
}

Table TableView::copy() const {
  Table table{source_, columns_, Matrix(rows_, static_cast<Index>(columns_.size())), {lines_.begin(), lines_.end()}, unseen_};
  for (Index row = 0; row < rows_; ++row) copy_row(row, table.values.row(row).data());
  return table;
}

Table match(const Table& table, const std::vector<Column>& schema) { return TableView(table).matched(schema).copy(); }

}  // namespace taut
