// The inputs of the calibration rows in a few numbers for each column, kept in the model file for DriftCheck.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>

#include <vector>

namespace taut {

class InputSummary {
 public:
  struct OfColumn {
    Index absent = 0;            // rows whose cell is missing
    Index others = 0;            // of categories: rows whose value is none of them
    std::vector<Index> ranks;    // of numbers: which order statistics of the cells that are not missing
    std::vector<double> values;  // and what they are
    std::vector<Index> counts;   // of categories: how many rows have each
  };

  InputSummary() = default;
  // The input columns of `rows`, and what the model computes for each row: f and, if it has them, log scales. The order of the
  // rows does not matter.
  InputSummary(const TableView& x, RowsView rows, const Matrix& made, int threads);

  Index rows() const { return rows_; }                               // 0: nothing is known
  const std::vector<OfColumn>& columns() const { return columns_; }  // inputs, then what the model computes

  void save(Archive archive) const;
  static InputSummary load(const Archive& archive, const std::vector<Column>& schema, Index made, Index rows);
  // The same with the number of rows.
  void save_with_rows(Archive archive) const;
  static InputSummary load_with_rows(const Archive& archive, const std::vector<Column>& schema, Index made);

 private:
  Index rows_ = 0;
  std::vector<OfColumn> columns_;
};

}  // namespace taut
