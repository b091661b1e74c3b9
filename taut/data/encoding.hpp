// How a table becomes the float matrix that a predictor or a localizer wants.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// What a part asks of its inputs.
enum class Encoding {
  raw,          // numbers as they are, categories as codes 0, 1, ...; missing cells and levels are NaN (trees)
  standardised  // categories one-hot, everything centred and scaled by the training rows; missing cells refused
};

// Learned on the training rows, kept in the model file.
class Encoder {
 public:
  // One-hot needs a column for each level; above this many the column is refused, not the memory filled.
  static constexpr Index most_levels = 1000;

  Encoder() = default;
  // The columns of `table` are the input columns in order. Statistics come from `rows`.
  Encoder(Encoding encoding, const TableView& table, RowsView rows);

  Index columns() const;  // of the result
  // `table` has the columns of the training table (see match). Missing or infinite cells that the encoding cannot express
  // are an Error that names row and column.
  MatrixF encode(const TableView& table, RowsView rows, int threads = 1) const;
  MatrixF encode(const TableView& table, int threads = 1) const;
  // One row: columns() floats from the cells of the table's columns; false when a cell cannot be expressed.
  bool encode_row(const double* row, float* out) const;

  void save(Archive archive) const;
  static Encoder load(const Archive& archive, const std::vector<Column>& schema);

 private:
  template <class RowOf>
  MatrixF encode_rows(const TableView& table, Index count, RowOf row_of, int threads) const;
  bool standardise_row(const double* row, float* out) const;
  void learn(const TableView& table, RowsView rows);
  void learn_codes(RowsView rows, const TableView& table);
  void learn_shares(const TableView& table, RowsView rows, Index column);

  Encoding encoding_ = Encoding::raw;
  std::vector<Index> levels_;  // per table column: number of category levels, 0 for a number
  // Raw: for each level of each category in turn its code, counted in order of appearance in the training rows; −1 for a level
  // that they lack. Rows that calibrate must not differ from rows to come, so they may not even number the levels.
  std::vector<std::int64_t> codes_;
  std::vector<double> centre_;  // per encoded column; none for raw
  std::vector<double> scale_;   // per encoded column; 0 for a constant one, which encodes as 0
};

}  // namespace taut
