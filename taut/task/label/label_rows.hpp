// Rows with labels, of a fit or for the evaluation of a model.
#pragma once

#include <taut/data/kinds/kinds.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/task/label/classifier.hpp>

namespace taut {

// Rows with known labels, for reports.
struct LabelledRows {
  // Rows without a target are skipped if the model's options say so, and are an Error otherwise.
  LabelledRows(const Classifier& model, const TableView& given, int threads);

  TableView table;                       // the rows with a label, all columns
  std::vector<Index> labels;             // classes() for an unknown label
  TableView x;                           // the model's inputs
  MatrixF inputs;                        // x as standardised numbers, for metrics
  std::vector<Index> columns_of_inputs;  // for each column of `inputs` the column of x; a date gives several inputs

  Index rows() const { return std::ssize(labels); }
  // The distribution of the coverage of these rows if the guarantee holds.
  CoverageChance chance(const Classifier& model, int threads) const;
};

inline constexpr Index max_classes = 1000;

// The labels of these rows as a column of categories, sorted: numbers by size, then texts. If probabilities are given, labels
// that have a column whose name begins with `prefix` are added.
InferredColumn target_labels(const TableView& table, const std::string& name, RowsView rows, const std::string& prefix);

// The code of each row's label, from 0; the number of categories for any other label. Throws Error for a missing cell.
std::vector<Index> labels_of(const TableView& table, const Column& target, RowsView rows);

// The columns with the probabilities of all labels, in the order of labels. Throws Error if one is missing.
std::vector<std::string> probability_columns(const TableView& table, const std::string& prefix, const Column& target);
// The probabilities as they are, rows x labels. Throws Error unless they are between 0 and 1 and each row sums to 1, up to 0.01.
Matrix probabilities_of(const TableView& table, const std::vector<std::string>& columns, RowsView rows);

}  // namespace taut
