// The last rows of a stream as they came, for a stream that trains anew now and then.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>

#include <deque>

namespace taut {

class RowHistory {
 public:
  static constexpr Index usual_rows = 20'000, most_possible = 10'000'000;

  RowHistory() = default;
  RowHistory(std::vector<Column> columns, Index every, Index most);

  // After how many rows a fit is due; 0: never.
  Index every() const { return every_; }
  Index most() const { return most_; }
  void change(Index every, Index most);
  Index fits() const { return fits_; }  // so many there were
  void count_fit() { ++fits_; }

  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return std::ssize(rows_); }
  // The cells of its columns, a row for each row of the table; the target may be absent.
  Matrix cells(const TableView& table) const;
  void add(std::span<const double> cells);
  // All rows but the last `unknown`, whose targets are not known yet.
  Table table(Index unknown) const;

  void save(Archive archive) const;
  static RowHistory load(const Archive& archive, std::vector<Column> columns);

 private:
  std::vector<Column> columns_;
  Index every_ = 0, most_ = usual_rows, fits_ = 0;
  std::deque<std::vector<double>> rows_;  // oldest first
};

}  // namespace taut
