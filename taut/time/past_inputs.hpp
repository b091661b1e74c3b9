// The past of a stream: inputs computed from earlier rows, and the most recent rows.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

#include <algorithm>
#include <deque>

namespace taut {

// Inputs computed from earlier rows: lagged values, and means and standard deviations of the most recent rows. They never use the
// future: a row uses targets that are known by then, and columns of earlier rows.

class PastInputs {
 public:
  PastInputs() = default;
  // `selection_rows`: the rows that determine the number format of the columns. No row is remembered yet.
  PastInputs(const TableView& table, const FitOptions& options, RowsView selection_rows);

  bool empty() const { return sources_.empty(); }
  // The columns that it reads, the target first, and those that it makes.
  const std::vector<Column>& sources() const { return sources_; }
  std::vector<Column> made() const;
  bool makes(const std::string& name) const;

  // The table with the computed columns. `order`: all its rows in the order of arrival, after the remembered rows. A table that
  // has the columns is returned unchanged. Values that depend on an unknown target are missing.
  TableView extended(const TableView& table, RowsView order) const;
  // The cells of the sources, a row for each row of the table.
  Matrix cells(const TableView& table) const;
  // Adds rows. Only as many are kept as later rows look back.
  void remember(std::span<const double> cells);
  void remember(const Matrix& cells, RowsView order);
  void forget() { recent_.clear(); }

  void save(Archive archive) const;
  // With the options of the same model; invalid data are an Error.
  static PastInputs load(const Archive& archive, std::vector<Column> sources, const FitOptions& options);

 private:
  explicit PastInputs(const FitOptions& options);
  Index reach() const;  // how far back a row looks
  // How many rows later a source is known.
  Index delay_of(std::size_t source) const { return source == 0 ? delay_ : 0; }

  std::vector<Index> lags_, rolling_;
  Index delay_ = 0;
  std::vector<Column> sources_;
  std::deque<std::vector<double>> recent_;  // oldest first
};

// The most recent rows of a stream, for a stream that refits its model regularly.

class RowHistory {
 public:
  static constexpr Index usual_rows = 20'000, max_possible = 10'000'000;

  RowHistory() = default;
  RowHistory(std::vector<Column> columns, Index every, Index maximum, Index lag);

  // The number of rows between two refits; 0: never. The new model is used from `lag` rows later on.
  Index every() const { return every_; }
  Index maximum() const { return maximum_; }
  Index lag() const { return lag_; }
  static Index usual_lag(Index every) { return every / 10; }
  void change(Index every, Index maximum, Index lag);
  Index fits() const { return fits_; }  // number of refits so far
  void count_fit() { ++fits_; }

  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return std::ssize(rows_); }
  // The cells of its columns, a row for each row of the table; the target may be absent.
  Matrix cells(const TableView& table) const;
  void add(std::span<const double> cells);
  // The training rows of a refit. The last `since` rows are left out, because they came after the refit was due. Of the others
  // the last maximum() rows are taken, without the newest `unknown` ones, whose targets were not known by then.
  Table table(Index since, Index unknown) const;
  Index rows_to_train(Index since, Index unknown) const { return std::min(rows() - since, maximum_) - unknown; }

  void save(Archive archive) const;
  static RowHistory load(const Archive& archive, std::vector<Column> columns);

 private:
  std::vector<Column> columns_;
  Index every_ = 0, maximum_ = usual_rows, lag_ = 0, fits_ = 0;
  std::deque<std::vector<double>> rows_;  // oldest first
};

}  // namespace taut
