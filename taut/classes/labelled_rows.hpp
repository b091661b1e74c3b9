// Rows whose labels are known, as those who judge a model look at them: evaluate, reports.
#pragma once

#include <taut/classes/class_model.hpp>

namespace taut {

struct LabelledRows {
  // Rows without a target are left out where the model's options say so, and are an Error otherwise.
  LabelledRows(const ClassModel& model, const TableView& given, int threads);

  TableView table;            // the rows with a label, all columns
  std::vector<Index> labels;  // classes() for one that the model does not know
  TableView x;                // the model's inputs
  MatrixF inputs;             // the same as numbers, standardised, for metrics
  std::vector<Index> columns_of_inputs;  // of x, for each of them: a date gives several inputs

  Index rows() const { return std::ssize(labels); }
};

// About the rows themselves: cells that do not fit, rows that made the model, labels that it does not know.
std::vector<Alarm> alarms_of_rows(const ClassModel& model, const LabelledRows& rows, const ExecutionContext& context);

}  // namespace taut
