// How a table becomes the float matrix that a predictor or a localizer takes.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// What a part asks of its inputs. Neither encoding refuses a cell: calibration rows and new rows hold values that training rows
// lack, and both must be treated alike.
enum class Encoding {
  // For trees. Numbers as they are, the infinite ones as the largest float; categories as codes 0, 1, ...; NaN for a missing cell
  // and for a category that the training rows lack. The latter gets no code of its own: no tree has seen it, so thresholds would
  // treat it like the category that happens to have the highest code, while for NaN every split has a side.
  raw,
  // For everything else. Numbers centred and scaled by the training rows; a 0-1 input, likewise centred and scaled, for each
  // category, all 0 for one that the training rows lack. A missing cell stands at the mean of its inputs, and a further 0-1 input
  // says so if the training rows had missing cells in the column. An infinite number has no useful distance and counts as
  // missing.
  standardised
};

// Learned on the training rows, kept in the model file.
class Encoder {
 public:
  // Categories beyond this number are treated like those that training rows lack. They are the rarest, see judge_columns.
  static constexpr Index most_category_inputs = 1000;

  Encoder() = default;
  // The columns of `table` are the input columns in order. Statistics come from `rows`.
  Encoder(Encoding encoding, const TableView& table, RowsView rows);

  Index columns() const;  // of the result
  // `table` has the columns of the training table (see match).
  MatrixF encode(const TableView& table, RowsView rows, int threads = 1) const;
  MatrixF encode(const TableView& table, int threads = 1) const;
  // One row: columns() floats from the cells of the table's columns.
  void encode_row(const double* row, float* out) const;

  void save(Archive archive) const;
  static Encoder load(const Archive& archive, const std::vector<Column>& schema);

 private:
  template <class RowOf>
  MatrixF encode_rows(const TableView& table, Index count, RowOf row_of, int threads) const;
  void encode_raw(const double* row, float* out) const;
  void encode_standardised(const double* row, float* out) const;
  void learn_codes(const TableView& table, RowsView rows);
  void learn_centres(const TableView& table, RowsView rows);
  void learn_numbers(const TableView& table, const Rows& known, Index column);
  void learn_shares(const TableView& table, const Rows& known, Index column);
  void add_share(double share);
  Index inputs_of(std::size_t column) const;  // without the one for missing cells

  Encoding encoding_ = Encoding::raw;
  std::vector<Index> categories_;  // per table column: number of categories, 0 for numbers
  // Raw: for each category of each column in turn its code, counted in order of appearance in the training rows; −1 for one
  // that they lack.
  std::vector<std::int64_t> codes_;
  // Standardised.
  std::vector<std::uint8_t> tells_missing_;  // per table column: 1 where a further input says that the cell is missing
  std::vector<double> centre_;               // per encoded column
  std::vector<double> scale_;                // per encoded column; 0 for a constant one, which encodes as 0
};

}  // namespace taut
