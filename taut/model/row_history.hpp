// The last rows of a stream as they came, for a stream that trains anew now and then.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>

#include <algorithm>
#include <deque>

namespace taut {

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
