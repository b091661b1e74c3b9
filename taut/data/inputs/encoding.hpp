// Encodes a table as the float matrix that a predictor or a localizer takes.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/category_means.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/table_view.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace taut {

// The encoding that a predictor or localizer needs. Neither encoding refuses a cell: calibration rows and new rows may hold
// values that training rows lack, and both must be treated alike.
enum class Encoding {
  // For trees. Numbers are unchanged; infinite ones become the largest float. If rounding to float would make different numbers
  // equal, their median is subtracted first. Categories are codes 0, 1, ...; a missing cell and a category that the training rows
  // lack are NaN. An unseen category gets no code, because thresholds would treat it like the category with the highest code;
  // for NaN every split has learned a side.
  raw,
  // For all other models. Numbers are centred and scaled by the training rows. Categories are one-hot inputs, also centred and
  // scaled; all are 0 before that for a category that the training rows lack. A missing cell is set to the mean of its inputs; if
  // the column had missing cells in the training rows, a further 0-1 input marks it. An infinite number counts as missing,
  // because it has no useful distance, except after order_infinite().
  standardised
  // In both encodings a date becomes those of its parts that differ between training rows, and an ordered category its rank.
};

// The inputs of trees for an unordered category with category means (see CategoryMeans). A category with enough rows has a code.
// Codes are in the order of the means, so that a threshold separates categories of low and high means. If a column also has
// categories without a code, the mean and the number of rows of each category are further inputs.
struct CategoryInputs {
  bool code = true;
  bool mean = false;
  bool count = false;  // training rows of the category, at most max_counted; 0 for an unseen one

  // Up to this number of categories, each has a code.
  static constexpr Index always_coded = 16;
  // Above it, a category needs `rows_of_coded` rows to have a code, and there is at most one code per `rows_per_code` rows. The
  // means that order the codes include a row's own value, so codes explain a share of about codes / rows of the noise.
  static constexpr std::int64_t rows_of_coded = 20;
  static constexpr Index rows_per_code = 100;
  // Counts are capped here. A larger count would only identify the category, and it would differ between training rows, whose
  // counts come from the other blocks, and new rows.
  static constexpr std::int64_t max_counted = 64;

  Index size() const { return (code ? 1 : 0) + (mean ? 1 : 0) + (count ? 1 : 0); }
};

// Learned from the training rows and kept in the model file.
class Encoder {
 public:
  // Categories beyond this number are treated like unseen ones. They are the rarest (see infer_columns).
  static constexpr Index max_category_inputs = 1000;

  Encoder() = default;
  // The columns of `table` are the input columns in order. Statistics come from `rows`, each with its weight.
  Encoder(Encoding encoding, const TableView& table, RowsView rows, RowWeights weights = {});
  // The same, with category means of some value of `rows`. `with_counts`: trees also see the number of rows of a category. The
  // standardised encoding uses means and counts instead of one-hot inputs for more than max_category_inputs categories.
  Encoder(Encoding encoding, const TableView& table, RowsView rows, ColumnMeans means, bool with_counts, RowWeights weights = {});

  Index columns() const;                        // number of inputs
  std::vector<Index> column_of_inputs() const;  // for each input, the table column that it comes from
  // The direction of each input if the columns have these. Of a monotone date only the year and the elapsed time are inputs that
  // never fall as it grows; the others are unused.
  InputDirections directions_of_inputs(const InputDirections& of_columns) const;
  bool uses_means() const;
  // From now on infinite numbers of monotone columns are encoded like very large ones, so that they are in order.
  void order_infinite(const InputDirections& of_columns);
  // `table` has the columns of the training table (see match).
  MatrixF encode(const TableView& table, RowsView rows, int threads = 1) const;
  MatrixF encode(const TableView& table, int threads = 1) const;
  // With separate means for each of `rows`, by its position: the means for a training row come from other rows.
  using MeansOfRow = std::function<const ColumnMeans&(Index)>;
  MatrixF encode(const TableView& table, RowsView rows, const MeansOfRow& means, int threads) const;
  // Encodes one row: writes columns() floats from the cells of the table's columns.
  void encode_row(const double* row, float* out) const { encode_row(row, means_, out); }

  std::vector<DescribedInput> describe(const std::vector<Column>& schema) const;
  void save(Archive archive) const;
  static Encoder load(const Archive& archive, const std::vector<Column>& schema);

 private:
  // One column of the table.
  struct Source {
    ColumnKind kind = ColumnKind::number;
    Index categories = 0;                // 0 for numbers and dates
    double offset = 0;                   // numbers: subtracted before anything else
    std::uint8_t date_parts = 0;         // dates: a bit for each part that is an input
    double origin = 0;                   // dates: elapsed days are counted from here
    CategoryInputs category = {};        // raw, and standardised if there are too many for one-hot inputs
    bool one_hot = false;                // standardised: a 0-1 input for each category
    std::uint8_t missing_indicator = 0;  // standardised: 1 if a further input marks missing cells
    std::uint8_t orders_infinite = 0;    // standardised numbers: 1 if infinite cells are known, else they count as missing

    Index inputs() const;  // without the input that marks missing cells
    bool has_category(double cell) const;
    bool is_known(double cell) const;
  };

  Encoder(Encoding encoding, const std::vector<Column>& columns);  // nothing learned yet
  // Calls put(value) for each input of a column; NaN if the cell is missing or unseen.
  template <class Put>
  static void expand(const Source& source, double cell, const std::int64_t* codes, const CategoryMeans* means, Put put);
  // Sums and differences of bounded values stay finite for any number of rows.
  static double bounded(double cell) { return std::clamp(cell, -1e290, 1e290); }
  template <class RowOf, class MeansOf>
  MatrixF encode_rows(const TableView& table, Index count, RowOf row_of, MeansOf means_of, int threads) const;
  void encode_row(const double* row, const ColumnMeans& means, float* out) const;
  void encode_raw(const double* row, const ColumnMeans& means, float* out) const;
  void encode_standardised(const double* row, const ColumnMeans& means, float* out) const;
  void learn(const TableView& table, RowsView rows, RowWeights weights);
  void learn_appearance(const TableView& table, RowsView rows, std::size_t column, std::int64_t* codes) const;
  static void learn_order(const CategoryMeans& means, Index rows, std::int64_t* codes);
  void learn_dates(const TableView& table, RowsView rows);
  void learn_offsets(const TableView& table, RowsView rows);
  void learn_centres(const TableView& table, RowsView rows, RowWeights weights);
  void learn_numbers(const TableView& table, const Rows& known, RowWeights weights, std::size_t column);
  void learn_shares(const TableView& table, const Rows& known, RowWeights weights, std::size_t column);
  void add_share(double share);
  void save_offsets(Archive archive) const;
  void save_dates(Archive archive) const;
  void save_means(Archive archive) const;
  void load_missing_inputs(const Archive& archive);
  void load_infinite(const Archive& archive);
  void load_offsets(const Archive& archive);
  void load_dates(const Archive& archive);
  void load_means(const Archive& archive);
  Index all_categories() const;

  Encoding encoding_ = Encoding::raw;
  std::vector<Source> sources_;
  // Raw: the code of each category, column by column; −1 for none. Codes are in the order of the means or, without means, in
  // order of appearance in the training rows.
  std::vector<std::int64_t> codes_;
  ColumnMeans means_;  // of each column; empty if no category has means
  // Standardised.
  std::vector<double> centre_;
  std::vector<double> scale_;
};

}  // namespace taut
