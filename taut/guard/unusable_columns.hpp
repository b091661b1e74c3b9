// Columns of which no cell of the rows to predict can be used although training rows had them: a column that was renamed or lost
// in a join is empty, decimal commas cannot be read, all categories have other names. The model was not trained without the
// column, and such rows are not exchangeable with calibration rows.
//
//   UsableColumns usable;
//   for (batches) usable.add(inputs);
//   alarms_of_columns(usable, ...)
//
// Texts that cannot be read and unknown categories are facts, and always alarms. A column may be empty by chance. If k of n
// calibration rows lack it and the m new rows are exchangeable with them, the probability that all m lack it is hypergeometric,
// for any data. It is an alarm if this is below `false_alarms`, divided by the number of columns, or if none of the n rows lacks
// the column and m is at least 2. A single row may lack any cell.
#pragma once

#include <taut/calibrate/groups/neighbourhood.hpp>
#include <taut/data/table_view.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/drift_check.hpp>

namespace taut {

class UsableColumns {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file

  // Rows in the model's columns. A column is only read up to its first cell that can be used.
  void add(const TableView& x);

  Index rows() const { return rows_; }
  // Whether a cell of the column is neither missing nor an unknown category.
  bool is_usable(std::size_t column) const { return column >= is_usable_.size() || is_usable_[column]; }

 private:
  Index rows_ = 0;
  std::vector<bool> is_usable_;
};

// The number of known rows, and how many of them lack a column.
struct AbsentCells {
  Index rows = 0, absent = 0;

  AbsentCells& operator+=(const AbsentCells& other);
};
// Of the calibration rows, or of the training sample if the model has no calibration rows yet.
AbsentCells absent_cells(const Column& column, const std::vector<Column>& schema, const InputSummary& calibration,
                         const TrainingSample& training);

// One for each column with cells that do not fit, and one for all columns that are empty. `known`: one entry for each column of
// the schema. `mismatches`: of all rows that were added. If no cell of a column can be used, its alarm is of the kind
// unusable_columns and says why.
std::vector<Alarm> alarms_of_columns(const UsableColumns& usable, const std::vector<Column>& schema,
                                     std::span<const AbsentCells> known, const Mismatches& mismatches);

}  // namespace taut
