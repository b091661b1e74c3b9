// Rows with numbers beyond those of all calibration rows. There the model continues what it learnt at the edge, and nothing has
// shown how large its errors are: intervals may be too narrow.
//
//   OutsideRows outside(schema, known);
//   for (batches) outside.add(inputs);
//   outside.alarms()
//
// A few rows are outside by chance. If m new rows are exchangeable with the n calibration rows, the k largest of all n + m
// numbers of a column are all new with probability m (m − 1) ... (m − k + 1) / ((n + m) (n + m − 1) ...), for any data. It is an
// alarm if this is below `false_alarms`, divided by the number of ends of all columns, or if a single number is so far out that
// its unit may be wrong.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/guard/alarm.hpp>

#include <vector>

namespace taut {

// The numbers of a column that are not missing, of the calibration rows.
struct KnownNumbers {
  Index cells = 0;  // 0: nothing is known, or the column has categories
  double minimum = 0, maximum = 0;

  void add(const KnownNumbers& other);
};

class OutsideRows {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file
  // A number is far out if its distance from the known numbers is this multiple of their range.
  static constexpr double far = 10;
  static constexpr Index min_cells_for_far = 50;  // the range of few numbers says little

  // `known`: one entry for each column of the schema.
  OutsideRows(std::vector<Column> schema, std::vector<KnownNumbers> known);

  void add(const TableView& x);  // rows in the columns of the schema
  std::vector<Alarm> alarms() const;

 private:
  struct Found {
    Index cells = 0, below = 0, above = 0;
    double minimum = infinity, maximum = -infinity;

    bool add(double value, const KnownNumbers& known);  // true if it is outside
  };
  bool is_alarming(std::size_t column) const;

  std::vector<Column> schema_;
  std::vector<KnownNumbers> known_;
  std::vector<Found> found_;
  Index rows_ = 0, outside_ = 0;
};

}  // namespace taut
