// Tests whether new rows have the same distribution of inputs as the calibration rows, from a summary of these.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace taut {

// A summary of the calibration rows' inputs: a few numbers for each column, kept in the model file for DriftCheck.

class InputSummary {
 public:
  struct ColumnSummary {
    Index absent = 0;            // rows whose cell is missing
    Index others = 0;            // categories: rows with an unknown value
    std::vector<Index> ranks;    // numbers: ranks of the order statistics, among the cells that are not missing
    std::vector<double> values;  // numbers: values of the order statistics
    std::vector<Index> counts;   // categories: rows of each category
  };

  InputSummary() = default;
  // The input columns of `rows`, and what the model computes for each row: f and, if it has them, log scales. The order of the
  // rows does not matter.
  InputSummary(const TableView& x, RowsView rows, const Matrix& made, int threads);

  Index rows() const { return rows_; }                                    // 0: nothing is known
  const std::vector<ColumnSummary>& columns() const { return columns_; }  // inputs, then what the model computes

  void save(Archive archive) const;
  static InputSummary load(const Archive& archive, const std::vector<Column>& schema, Index made, Index rows);
  // The same with the number of rows.
  void save_with_rows(Archive archive) const;
  static InputSummary load_with_rows(const Archive& archive, const std::vector<Column>& schema, Index made);

 private:
  Index rows_ = 0;
  std::vector<ColumnSummary> columns_;
};

// Whether the inputs of new rows look like those of the calibration rows: exchangeability, on which coverage depends.
//
// The test is exact. Take one number of every row, an input or the prediction; z is the k-th smallest of n calibration rows. If m
// new rows are exchangeable with them, every order of the n + m is equally likely, so at most x new rows lie at or below z
// exactly if the first k + x in the pooled order hold at least k calibration rows:
//
//   P(#{new <= z} <= x) = P(H >= k),  H ~ hypergeometric: k + x drawn of n + m, n of which are calibration rows
//   P(#{new < z} >= x)  = P(H >= x),  H ~ hypergeometric: k − 1 + x drawn of n + m, m of which are new
//
// for any distribution of the numbers. Ties only raise #{new <= z} and lower #{new < z}, so they make alarms rarer.
//
// The number of rows with a category is compared by the same distribution (Fisher's exact test). It holds for any property that
// was chosen without using calibration rows and new rows. So the training rows determine the tests: the most frequent of their
// categories (they come first, see infer_columns) are tested separately, their other categories together, then all unknown values
// together, and missing cells.
//
// The chance of a false alarm is shared evenly among the columns, and within a column among its tests. Of the calibration rows
// only nine order statistics per column are kept, or counts of categories; of new rows only counts, so files may have any length
// (for groups: one row of each).

struct DriftFinding {
  std::string column;  // the name of an input, or what the model computes: "the prediction", "the scale"
  bool is_input;
  std::string words;  // description of the difference
  double p_value;     // corrected for the number of all tests: at most the false-alarm rate
};

// The name of the reference rows in messages, and whether groups are compared instead of rows, each by one of its rows.
struct DriftReference {
  std::string one = "calibration row", many = "calibration rows";
  bool groups = false;
};

class DriftCheck {
 public:
  static constexpr double false_alarms = 0.001;      // at most, per file
  static constexpr std::size_t max_categories = 30;  // of a column that are tested separately

  // `outputs`: the names of what the model computes, after the inputs in the summary.
  DriftCheck(const InputSummary& summary, const std::vector<Column>& schema, const std::vector<std::string>& outputs,
             DriftReference reference = {});

  void add(const TableView& x, const Matrix& made);
  // For groups: the group's name and a hash for each row. The row with the smallest hash represents its group, as in the summary.
  // Any rule would do that is the same for both.
  void add_groups(const TableView& x, const Matrix& made, std::span<const std::string> groups,
                  std::span<const std::uint64_t> hashes);
  Index rows() const { return reference_.groups ? std::ssize(groups_) : rows_; }
  Index reference_rows() const { return summary_.rows(); }
  // "400 rows", "12 groups"; "300 calibration rows", "30 groups of calibration rows".
  std::string describe_rows() const;
  std::string describe_reference() const;
  // The columns that differ by more than chance explains, the clearest first; one entry each.
  std::vector<DriftFinding> findings(double rate = false_alarms) const;

 private:
  struct Count {
    Index absent = 0, others = 0;
    std::vector<Index> at_most, below;  // new rows by the first order statistic that they do not exceed, or lie below
    std::vector<Index> categories;
  };
  struct Test {
    double p_value;
    std::string words;
  };

  struct OfGroup {
    std::uint64_t hash;
    std::vector<double> cells;
  };
  void count(std::size_t column, double value, Index times);
  void count(std::span<const double> cells, Index times);
  static std::vector<double> cells_of(const TableView& x, const Matrix& made, Index row);
  std::string units() const { return reference_.groups ? "groups" : "rows"; }
  Index tests_of(std::size_t column) const;
  Test clearest_of(std::size_t column, double enough) const;
  void test_categories(std::size_t column, double enough, Test& clearest) const;
  void test_numbers(std::size_t column, double enough, Test& clearest) const;
  void test_share(Index before, Index after, const std::string& what, double enough, Test& clearest) const;

  InputSummary summary_;
  Index inputs_;
  std::vector<Column> columns_;  // inputs, then what the model computes
  DriftReference reference_;
  Index rows_ = 0;
  std::vector<Count> counts_;
  std::map<std::string, OfGroup> groups_;
};

}  // namespace taut
