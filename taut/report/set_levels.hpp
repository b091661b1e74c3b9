// The results of one confidence level on all test rows, where the model predicts labels.
#pragma once

#include <taut/task/label/labelled_rows.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/report/level_summary.hpp>

namespace taut {

// The test rows as all levels look at them.
struct SetTestRows {
  SetTestRows(const Classifier& model, const TableView& test, const ExecutionContext& context);

  const Classifier& model;
  LabelledRows known;
  Matrix p;             // probabilities of labels
  TableView features;   // the model's inputs, the largest probability, and last the true label
  RegionSearch search;  // without the true label: a region is known before it is
  std::vector<Alarm> alarms;
  CoverageChance chance;

  Index rows() const { return known.rows(); }
  Index column_of_label() const { return std::ssize(features.columns()) - 1; }
  // `sizes` of the sets at one level choose the columns along which most changes. The largest probability stands first, then the
  // label.
  DrawnColumns columns(std::span<const double> sizes, Index most) const;
};

// A level of the page, and what only sets have.
struct SetSummary {
  LevelSummary level;             // the groups by_width are parts by size
  std::vector<SetLine> by_label;  // of labels that are drawn
  Matrix held;                    // labels that are drawn, twice: rows of the first whose sets hold the second
};

class SetSummarizer {
 public:
  // `labels`: those that are drawn, the most frequent of the test rows.
  SetSummarizer(const SetTestRows& rows, const DrawnColumns& drawn, std::vector<Index> labels, const ExecutionContext& context);

  SetSummary summarize(const PredictedSets& sets, std::size_t level, Effort effort) const;
  Index groups() const;  // of rows that are judged at a level

 private:
  const SetTestRows& rows_;
  const DrawnColumns& drawn_;
  std::vector<Index> labels_;
  const ExecutionContext& context_;
};

// At most `most` labels, the most frequent ones of the test rows, in the order of the model.
std::vector<Index> frequent_labels(const SetTestRows& rows, std::size_t most);

}  // namespace taut
