#include <taut/model/row_history.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds.hpp>

#include <algorithm>

namespace taut {

RowHistory::RowHistory(std::vector<Column> columns, Index every, Index most, Index lag) : columns_(std::move(columns)) {
  change(every, most, lag);
}

void RowHistory::change(Index every, Index most, Index lag) {
  if (every < 0) throw UsageError("--refit-every: a number of rows, or 0 for never; got " + std::to_string(every));
  if (most < 100 || most > most_possible)
    throw UsageError("--refit-rows: from 100 to " + print_count(most_possible) + " rows, got " + std::to_string(most));
  if (lag < 0 || (every > 0 && lag >= every))
    throw UsageError("--refit-lag: a number of rows from 0 to less than --refit-every, which is " + std::to_string(every) +
                     "; got " + std::to_string(lag));
  every_ = every;
  most_ = most;
  lag_ = lag;
  while (rows() > most_ + lag_) rows_.pop_front();
}

Matrix RowHistory::cells(const TableView& table) const {
  std::vector<Column> present;
  for (const Column& column : columns_)
    if (&column != &columns_.back() || find_column(table.columns(), column.name)) present.push_back(column);
  const TableView matched = table.matched(present);
  Matrix result(table.rows(), std::ssize(columns_));
  for (Index row = 0; row < table.rows(); ++row)
    for (Index column = 0; column < std::ssize(columns_); ++column)
      result(row, column) = column < std::ssize(present) ? matched(row, column) : missing;
  return result;
}

void RowHistory::add(std::span<const double> cells) {
  rows_.emplace_back(cells.begin(), cells.end());
  if (rows() > most_ + lag_) rows_.pop_front();
}

// A text that the model does not know is a category of its own from the next fit on, one for all of them.
Table RowHistory::table(Index since, Index unknown) const {
  Table table;
  table.source = "the rows of the stream";
  table.columns = columns_;
  for (Column& column : table.columns)
    if (column.is_categorical()) {
      std::string other = "other";
      while (std::find(column.categories.begin(), column.categories.end(), other) != column.categories.end()) other += "'";
      column.categories.push_back(other);
    }
  const Index count = std::max<Index>(0, rows_to_train(since, unknown)), first = std::max<Index>(0, rows() - since - most_);
  table.values = Matrix(count, std::ssize(columns_));
  for (Index row = 0; row < count; ++row)
    for (Index column = 0; column < std::ssize(columns_); ++column)
      table.values(row, column) = rows_[static_cast<std::size_t>(first + row)][static_cast<std::size_t>(column)];
  return table;
}

void RowHistory::save(Archive archive) const {
  archive.put("every", static_cast<std::int64_t>(every_));
  archive.put("most", static_cast<std::int64_t>(most_));
  archive.put("lag", static_cast<std::int64_t>(lag_));
  archive.put("fits", static_cast<std::int64_t>(fits_));
  std::vector<double> cells;
  for (const auto& row : rows_) cells.insert(cells.end(), row.begin(), row.end());
  archive.put("cells", cells);
}

RowHistory RowHistory::load(const Archive& archive, std::vector<Column> columns) {
  RowHistory history(std::move(columns), archive.integer_in("every", 0, std::int64_t{1} << 53),
                     archive.integer_in("most", 100, most_possible), archive.integer_in("lag", 0, std::int64_t{1} << 53));
  history.fits_ = archive.integer_in("fits", 0, std::int64_t{1} << 53);
  const auto& cells = archive.get<std::vector<double>>("cells");
  const std::size_t width = history.columns_.size();
  bool holds = width > 0 && cells.size() % width == 0;
  for (std::size_t i = 0; holds && i < cells.size(); ++i) {
    const Column& column = history.columns_[i % width];
    holds = !column.is_categorical() || is_code(column, cells[i]);
  }
  if (!holds) throw Error("the model file's rows do not fit its columns: it is damaged");
  for (std::size_t at = 0; at < cells.size(); at += width) history.add(std::span<const double>(cells).subspan(at, width));
  return history;
}

}  // namespace taut
