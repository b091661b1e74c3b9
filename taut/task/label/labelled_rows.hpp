// Rows whose labels are known, as those who judge a model look at them: evaluate, reports.
#pragma once

#include <taut/model/coverage_chance.hpp>
#include <taut/task/label/classifier.hpp>

namespace taut {

struct LabelledRows {
  // Rows without a target are left out where the model's options say so, and are an Error otherwise.
  LabelledRows(const Classifier& model, const TableView& given, int threads);

  TableView table;            // the rows with a label, all columns
  std::vector<Index> labels;  // classes() for one that the model does not know
  TableView x;                // the model's inputs
  MatrixF inputs;             // the same as numbers, standardised, for metrics
  std::vector<Index> columns_of_inputs;  // of x, for each of them: a date gives several inputs

  Index rows() const { return std::ssize(labels); }
  // What chance makes of the coverage of these rows.
  CoverageChance chance(const Classifier& model, int threads) const;
};

}  // namespace taut
