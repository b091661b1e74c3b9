// Whether the inputs of new rows look like those of the calibration rows: an alarm for the condition on which coverage rests.
//
// The test is exact. Every row has a number, an input or the prediction; z is the k-th smallest of the n calibration rows. If m
// new rows are exchangeable with them, every order of the n + m is equally likely, so at most x new rows lie at or below z
// exactly if the first k + x in the pooled order hold at least k calibration rows:
//
//   P(#{new <= z} <= x) = P(H >= k),  H ~ hypergeometric: k + x drawn of n + m, n of which are calibration rows
//   P(#{new < z} >= x)  = P(H >= x),  H ~ hypergeometric: k − 1 + x drawn of n + m, m of which are new
//
// whatever the law of the numbers is. Ties only raise #{new <= z} and lower #{new < z}, so they make alarms rarer. A level of a
// category, or "missing", is compared by the same law (Fisher's exact test). All tests of a file share the chance of a false
// alarm evenly: the columns, and within a column its tests. Of the calibration rows only nine order statistics a column are kept,
// or counts of levels; of new rows only counts, so files may have any length.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// The inputs of n rows in a few numbers a column. The order of rows is nothing.
class InputSummary {
 public:
  InputSummary() = default;
  // The input columns of some rows, and what the model makes of each row: f and, if it has them, log scales.
  InputSummary(const TableView& x, RowsView rows, const Matrix& made, int threads);

  Index rows() const { return rows_; }  // 0: nothing is known

  void save(Archive archive) const;
  static InputSummary load(const Archive& archive, const std::vector<Column>& schema, Index made, Index rows);

 private:
  friend class ShiftCheck;
  struct OfColumn {
    Index absent = 0;            // missing cells, of a category also levels that the fit did not know
    std::vector<Index> ranks;    // of a number: which order statistics of the cells that are there
    std::vector<double> values;  // and what they are
    std::vector<Index> counts;   // of a category: how many rows have each level
  };

  Index rows_ = 0;
  std::vector<OfColumn> columns_;  // inputs, then what the model makes of a row
};

struct Shift {
  std::string column;  // the name of an input, or what the model makes: "the prediction", "the scale"
  bool is_input;
  std::string words;  // what is different, for people
  double p_value;     // of the whole check if this were all that it found: below the false-alarm rate
};

class ShiftCheck {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file

  ShiftCheck(const InputSummary& summary, const std::vector<Column>& schema);

  void add(const TableView& x, const Matrix& made);
  Index rows() const { return rows_; }
  // The columns that differ by more than chance explains, the clearest first; one entry each.
  std::vector<Shift> findings(double rate = false_alarms) const;

 private:
  struct Count {
    Index absent = 0;
    std::vector<Index> at_most, below;  // new rows by the first order statistic that they do not exceed, or lie below
    std::vector<Index> levels;
  };
  struct Test {
    double p_value;
    std::string words;
  };

  Index tests_of(std::size_t column) const;
  Test clearest_of(std::size_t column, double enough) const;
  void test_numbers(std::size_t column, double enough, Test& clearest) const;
  void test_share(Index before, Index after, const std::string& what, double enough, Test& clearest) const;

  InputSummary summary_;
  Index inputs_;
  std::vector<Column> columns_;  // inputs, then what the model makes
  Index rows_ = 0;
  std::vector<Count> counts_;
};

}  // namespace taut
