// The past of a stream: inputs that are made from the rows before, and the last rows as they came.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

#include <algorithm>
#include <deque>

namespace taut {

// Inputs that are made from the rows before: a target so many rows ago, the mean and the spread of the last ones. Never from the
// future: a row sees the targets that are known by then, and columns of rows before its own.

class PastInputs {
 public:
  PastInputs() = default;
  // `choosing`: rows that decide how the columns are written. It remembers no row yet.
  PastInputs(const TableView& table, const FitOptions& options, RowsView choosing);

  bool empty() const { return sources_.empty(); }
  // The columns that it reads, the target first, and those that it makes.
  const std::vector<Column>& sources() const { return sources_; }
  std::vector<Column> made() const;
  bool makes(const std::string& name) const;

  // The table with the made columns. `order`: its rows as they came, all of them; they came after those that are remembered. A
  // table that has the columns stays as it is. Where the target is not known, what would be made from it is missing.
  TableView extended(const TableView& table, RowsView order) const;
  // The cells of the sources, a row for each row of the table.
  Matrix cells(const TableView& table) const;
  // Rows that came. As many are kept as later ones look back.
  void remember(std::span<const double> cells);
  void remember(const Matrix& cells, RowsView order);
  void forget() { recent_.clear(); }

  void save(Archive archive) const;
  // By the options of the same model; what makes no sense is an Error.
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

// The last rows of a stream as they came, for a stream that trains anew now and then.

class RowHistory {
 public:
  static constexpr Index usual_rows = 20'000, most_possible = 10'000'000;

  RowHistory() = default;
  RowHistory(std::vector<Column> columns, Index every, Index most, Index lag);

  // After how many rows a fit is due; 0: never. Its model takes over `lag` rows later.
  Index every() const { return every_; }
  Index most() const { return most_; }
  Index lag() const { return lag_; }
  static Index usual_lag(Index every) { return every / 10; }
  void change(Index every, Index most, Index lag);
  Index fits() const { return fits_; }  // so many there were
  void count_fit() { ++fits_; }

  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return std::ssize(rows_); }
  // The cells of its columns, a row for each row of the table; the target may be absent.
  Matrix cells(const TableView& table) const;
  void add(std::span<const double> cells);
  // The rows that train: without the last `since`, which came after the fit was due, the last most() of the others, but not the
  // newest `unknown` of these, whose targets were not known by then.
  Table table(Index since, Index unknown) const;
  Index rows_to_train(Index since, Index unknown) const { return std::min(rows() - since, most_) - unknown; }

  void save(Archive archive) const;
  static RowHistory load(const Archive& archive, std::vector<Column> columns);

 private:
  std::vector<Column> columns_;
  Index every_ = 0, most_ = usual_rows, lag_ = 0, fits_ = 0;
  std::deque<std::vector<double>> rows_;  // oldest first
};

}  // namespace taut
