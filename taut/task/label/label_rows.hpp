// Rows with labels: those of a fit, and those that judge a model.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/task/label/classifier.hpp>

namespace taut {

// Rows whose labels are known, as reports look at them.

struct LabelledRows {
  // Rows without a target are left out where the model's options say so, and are an Error otherwise.
  LabelledRows(const Classifier& model, const TableView& given, int threads);

  TableView table;                       // the rows with a label, all columns
  std::vector<Index> labels;             // classes() for one that the model does not know
  TableView x;                           // the model's inputs
  MatrixF inputs;                        // the same as numbers, standardised, for metrics
  std::vector<Index> columns_of_inputs;  // of x, for each of them: a date gives several inputs

  Index rows() const { return std::ssize(labels); }
  // What chance makes of the coverage of these rows.
  CoverageChance chance(const Classifier& model, int threads) const;
};

// The rows of a fit of classes: inputs whose kinds were decided by rows that may choose, the labels, and given probabilities.

inline constexpr Index most_classes = 1000;

// The labels that occur in these rows as a column of categories, in order: numbers by size, texts by their letters. With given
// probabilities also those that have a column, which begins with `prefix`.
Column label_column(const TableView& table, const std::string& name, RowsView rows, const std::string& prefix);

// The label of each row as a number from 0 on; labels.size() for one that is none of them. A missing cell is an Error.
std::vector<Index> labels_of(const TableView& table, const Column& target, RowsView rows);

// The columns with the probabilities of all labels, in their order; an Error names one that is missing.
std::vector<std::string> probability_columns(const TableView& table, const std::string& prefix, const Column& target);
// Their numbers as they are, rows x labels. An Error unless they lie between 0 and 1 and each row sums to 1, up to 0.01.
Matrix probabilities_of(const TableView& table, const std::vector<std::string>& columns, RowsView rows);

}  // namespace taut
