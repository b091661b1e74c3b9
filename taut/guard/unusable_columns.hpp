// Columns that are empty in every row to predict although hardly any calibration row lacked them: a column that was renamed, or
// lost in a join. The model was not trained without it, and such rows are not exchangeable with calibration rows.
//
//   EmptyColumns empty;
//   for (batches) empty.add(inputs);
//   alarms_of_empty(empty, ...)
//
// If k of n calibration rows lack a column and the m new rows are exchangeable with them, the probability that all m lack it
// is hypergeometric, for any data. It is an alarm if this is below `false_alarms`, divided by the number of columns.
#pragma once

#include <taut/calibrate/groups/neighbourhood.hpp>
#include <taut/data/table_view.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/drift_check.hpp>

namespace taut {

class EmptyColumns {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file

  // Rows in the model's columns. A column is only read up to its first value.
  void add(const TableView& x);

  Index rows() const { return rows_; }
  const std::vector<bool>& is_empty() const { return is_empty_; }  // of each column

 private:
  Index rows_ = 0;
  std::vector<bool> is_empty_;
};

// The number of known rows, and how many of them lack a column.
struct AbsentCells {
  Index rows = 0, absent = 0;

  AbsentCells& operator+=(const AbsentCells& other);
};
// Of the calibration rows, or of the training sample if the model has no calibration rows yet.
AbsentCells absent_cells(const Column& column, const std::vector<Column>& schema, const InputSummary& calibration,
                         const TrainingSample& training);

// One for all such columns, or none. `known`: one entry for each column of the schema. Columns whose cells could not be read have
// a separate alarm in `mismatches`.
std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const std::vector<Column>& schema,
                                   std::span<const AbsentCells> known, const Mismatches& mismatches);

}  // namespace taut
