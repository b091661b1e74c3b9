// Columns that are empty in every row to predict although hardly any calibration row lacked them: a column that was renamed, or
// lost in a join. The model has never learnt what to do without it, and such rows are not exchangeable with calibration rows.
//
//   EmptyColumns empty;
//   for (batches) empty.add(inputs);
//   alarms_of_empty(empty, ...)
//
// If k of n calibration rows lack a column and the m new rows are exchangeable with them, all m lack it with the probability that
// a hypergeometric law gives, whatever the data are. Below `false_alarms`, shared by all columns, it is an alarm.
#pragma once

#include <taut/calibrate/groups/neighbourhood.hpp>
#include <taut/data/table_view.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/drift_check.hpp>

namespace taut {

class EmptyColumns {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file

  // Rows in the model's columns. A column is read until its first value, so many rows cost nothing.
  void add(const TableView& x);

  Index rows() const { return rows_; }
  const std::vector<bool>& is_empty() const { return is_empty_; }  // of each column

 private:
  Index rows_ = 0;
  std::vector<bool> is_empty_;
};

// How many rows lack a column, of those that are known.
struct AbsentCells {
  Index rows = 0, absent = 0;

  AbsentCells& operator+=(const AbsentCells& other);
};
// Of the calibration rows, or where a model has none yet of the training rows that it remembers.
AbsentCells absent_cells(const Column& column, const std::vector<Column>& schema, const InputSummary& calibration,
                         const TrainingSample& training);

// One for all such columns, or none. `known`: for each column of the schema. Columns whose cells could not be read have an alarm
// of their own in `mismatches`.
std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const std::vector<Column>& schema,
                                   std::span<const AbsentCells> known, const Mismatches& mismatches);

}  // namespace taut
