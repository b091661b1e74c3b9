// How a table becomes the float matrix that a predictor or a localizer takes.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/category_means.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/table_view.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace taut {

// What a part asks of its inputs. Neither encoding refuses a cell: calibration rows and new rows hold values that training rows
// lack, and both must be treated alike.
enum class Encoding {
  // For trees. Numbers as they are, the infinite ones as the largest float; where floats would make different numbers equal, less
  // a number in their middle. Categories as codes 0, 1, ...; NaN for a missing cell and for a category that the training rows
  // lack. The latter gets no code of its own: no tree has seen it, so thresholds would treat it like the category that happens to
  // have the highest code, while for NaN every split has a side.
  raw,
  // For everything else. Numbers centred and scaled by the training rows; a 0-1 input, likewise centred and scaled, for each
  // category, all 0 for one that the training rows lack. A missing cell stands at the mean of its inputs, and a further 0-1 input
  // says so if the training rows had missing cells in the column. An infinite number has no useful distance and counts as
  // missing.
  standardised
  // In both: a date becomes those of its parts that differ between training rows; an ordered category is its rank, a number.
};

// What trees get of an unordered category where the training rows say something about it (see CategoryMeans). A category with
// enough rows to be learned by itself has a code, and codes are in the order of the means: a threshold then parts categories that
// mean little from those that mean much. Where a column has others too, they are known by their means and by how often they
// occur.
struct CategoryInputs {
  bool code = true;
  bool mean = false;
  bool count = false;  // 0 for a category that no training row had, at most most_counted

  // With at most this many categories each has a code.
  static constexpr Index always_coded = 16;
  // Otherwise those that have so many rows, and no more of them than one for a hundred rows: the codes are in the order of means
  // to which a row itself has contributed, and of the variance of noise they explain a share of codes / rows.
  static constexpr std::int64_t rows_of_coded = 20;
  static constexpr Index rows_per_code = 100;
  // Beyond this a category is as well known as it need be, and its number of rows would only be another name for it, one that
  // differs between training rows, which are described by the other rows alone, and new ones.
  static constexpr std::int64_t most_counted = 64;

  Index size() const { return (code ? 1 : 0) + (mean ? 1 : 0) + (count ? 1 : 0); }
};

// Learned on the training rows, kept in the model file.
class Encoder {
 public:
  // Categories beyond this number are treated like those that training rows lack. They are the rarest, see judge_columns.
  static constexpr Index most_category_inputs = 1000;

  Encoder() = default;
  // The columns of `table` are the input columns in order. Statistics come from `rows`.
  Encoder(Encoding encoding, const TableView& table, RowsView rows);
  // The same, with what categories say about a value of `rows`. `with_counts`: trees also see how often a category occurs. The
  // standardised encoding takes means and counts instead of 0-1 inputs where these would be more than most_category_inputs.
  Encoder(Encoding encoding, const TableView& table, RowsView rows, ColumnMeans means, bool with_counts);

  Index columns() const;                        // of the result
  std::vector<Index> column_of_inputs() const;  // for each input the column of the table that it comes from
  bool uses_means() const;
  // `table` has the columns of the training table (see match).
  MatrixF encode(const TableView& table, RowsView rows, int threads = 1) const;
  MatrixF encode(const TableView& table, int threads = 1) const;
  // With other means for each of `rows`, by its position: training rows are described by rows other than themselves.
  using MeansOfRow = std::function<const ColumnMeans&(Index)>;
  MatrixF encode(const TableView& table, RowsView rows, const MeansOfRow& means, int threads) const;
  // One row: columns() floats from the cells of the table's columns.
  void encode_row(const double* row, float* out) const { encode_row(row, means_, out); }

  std::vector<DescribedInput> describe(const std::vector<Column>& schema) const;
  void save(Archive archive) const;
  static Encoder load(const Archive& archive, const std::vector<Column>& schema);

 private:
  // One column of the table.
  struct Source {
    ColumnKind kind = ColumnKind::number;
    Index categories = 0;            // 0 for numbers and dates
    double offset = 0;               // numbers: subtracted before anything else
    std::uint8_t date_parts = 0;     // dates: a bit for each part that is an input
    double origin = 0;               // dates: elapsed days are counted from here
    CategoryInputs category = {};    // raw, and standardised where there are too many for 0-1 inputs
    bool one_of_each = false;        // standardised: a 0-1 input for each category
    std::uint8_t tells_missing = 0;  // standardised: 1 where a further input says that the cell is missing

    Index inputs() const;  // without the one for missing cells
    bool has_category(double cell) const;
    bool is_known(double cell) const;
  };

  Encoder(Encoding encoding, const std::vector<Column>& columns);  // nothing learned yet
  // Calls put(value) for each input of a column; NaN where the cell says nothing.
  template <class Put>
  static void expand(const Source& source, double cell, const std::int64_t* codes, const CategoryMeans* means, Put put);
  // Sums and differences of values up to here stay finite for any number of rows.
  static double bounded(double cell) { return std::clamp(cell, -1e290, 1e290); }
  template <class RowOf, class MeansOf>
  MatrixF encode_rows(const TableView& table, Index count, RowOf row_of, MeansOf means_of, int threads) const;
  void encode_row(const double* row, const ColumnMeans& means, float* out) const;
  void encode_raw(const double* row, const ColumnMeans& means, float* out) const;
  void encode_standardised(const double* row, const ColumnMeans& means, float* out) const;
  void learn(const TableView& table, RowsView rows);
  void learn_appearance(const TableView& table, RowsView rows, std::size_t column, std::int64_t* codes) const;
  static void learn_order(const CategoryMeans& means, Index rows, std::int64_t* codes);
  void learn_dates(const TableView& table, RowsView rows);
  void learn_offsets(const TableView& table, RowsView rows);
  void learn_centres(const TableView& table, RowsView rows);
  void learn_numbers(const TableView& table, const Rows& known, std::size_t column);
  void learn_shares(const TableView& table, const Rows& known, std::size_t column);
  void add_share(double share);
  void save_offsets(Archive archive) const;
  void save_dates(Archive archive) const;
  void save_means(Archive archive) const;
  void load_missing_inputs(const Archive& archive);
  void load_offsets(const Archive& archive);
  void load_dates(const Archive& archive);
  void load_means(const Archive& archive);
  Index all_categories() const;

  Encoding encoding_ = Encoding::raw;
  std::vector<Source> sources_;
  // Raw: for each category of each column in turn its code, −1 for one that has none. In the order of means or, without them, in
  // order of appearance in the training rows.
  std::vector<std::int64_t> codes_;
  ColumnMeans means_;  // of each column; empty where no category has them
  // Standardised.
  std::vector<double> centre_;
  std::vector<double> scale_;
};

}  // namespace taut
