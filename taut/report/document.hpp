// The JSON document that the script of the page reads.
#pragma once

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/metric/metric.hpp>
#include <taut/metric/slab.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/model/model.hpp>
#include <taut/report/facts.hpp>
#include <taut/report/json.hpp>
#include <taut/report/levels.hpp>
#include <taut/report/report.hpp>

namespace taut {

// Test rows with their targets, shared by all parts of a report.
struct TestRows {
  // `target` holds the target of each row, labels as their codes. `predicted` becomes a column with this `name`.
  TestRows(const Model& of_model, const TableView& with_targets, std::span<const double> target, std::string_view name,
           std::vector<double> predicted, const ExecutionContext& context);

  const Model& model;
  TableView table;                       // all columns
  TableView known;                       // what is known before the target: the inputs, and the prediction as the last column
  TableView features;                    // the same, and further columns for charts
  MatrixF inputs;                        // standardised, for the metrics
  std::vector<Index> columns_of_inputs;  // the position in `features` of each input; a date gives several inputs
  std::vector<double> y;                 // a row is covered if ReportContents::intervals() contains this value
  RegionSearch search;
  std::vector<Alarm> alarms;  // warnings about the rows
  CoverageChance chance;

  Index count() const { return table.rows(); }
  bool is_plain() const { return kind_of(model) == CalibrationKind::plain; }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(model.options().seed); }
};

struct MetricNote {
  std::string summary;
  bool everywhere = true;  // false: computed at some levels only, because it takes long
};

// What a report needs from a task: the regions of test rows, and the sentences and charts that only this task has. A new task
// derives one class and adds one line to the list in report.cpp.
class ReportContents {
 public:
  ReportContents(TestRows test_rows, const ReportOptions& asked, const ExecutionContext& execution)
      : rows(std::move(test_rows)), options(asked), context(execution) {}
  virtual ~ReportContents() = default;

  TestRows rows;
  const ReportOptions& options;
  const ExecutionContext& context;

  virtual std::string kind() const = 0;   // which the script of the page reads
  virtual std::string title() const = 0;  // followed by "for price", for example

  // predict() computes the regions of all rows at up to levels_at_once() levels, as many as fit into memory. The argument `at` of
  // the functions below is the position of a level among them.
  virtual std::size_t levels_at_once() const = 0;
  virtual void predict(std::span<const double> levels) = 0;
  // The regions as intervals. Regions of other kinds become intervals whose length is the size of the region.
  virtual std::vector<Interval> intervals(std::size_t at) const = 0;
  // The same metrics at every level. A metric that needs judged.x is NaN without it.
  virtual Metrics metrics(std::size_t at, const Judged& judged, const HeldOutSlab* slab) const = 0;
  virtual MetricNote about_metric(std::string_view name) const = 0;
  // Rows grouped by the size of their regions, small ones first.
  virtual std::vector<WidthBin> parts_by_size(std::size_t at, const Judged& judged) const = 0;
  // A group of rows as a condition that continues "where": "the set holds 2 labels".
  virtual std::string size_words(const WidthBin& part) const = 0;
  // Completes the summary of a level and collects data for charts of this task. Called for each level of the slider, in order.
  virtual void complete(std::size_t at, const Judged& judged, LevelSummary& summary, AnswerInputs& answer) = 0;

  // Adds columns that are always drawn.
  virtual void add_columns(ChartColumns&) {}
  // Further levels below those of the slider, for the calibration curve.
  virtual std::vector<double> lower_levels() const { return {}; }
  // Called after all levels are complete.
  virtual void draw(std::span<const double> /*levels*/, const ChartColumns&) {}
  // The number of sampled rows that the page draws; 0 if there is no sample.
  virtual std::size_t sampled_rows() const { return 0; }
  // Adds what only this task has, with the first `drawn` rows of the sample.
  virtual void add_to(Json& document, const ReportData& data, std::size_t drawn) const = 0;

  // The answers of the fixed model for the rows of a stream that learned from each row: rows x levels, as intervals.
  virtual std::vector<Interval> without_learning(const TableView& table, const Streamed& learning) const = 0;
  virtual bool draws_rows_along_time() const { return false; }

  virtual void add_facts_of_data(FactGroup&) const {}
  virtual void add_facts_of_model(FactGroup& group) const = 0;
  virtual std::string own_options() const { return {}; }  // options of the fit that only this task has, as typed in a shell
};

// `test` must have at least one row and contain the inputs that are computed from earlier rows.
std::unique_ptr<ReportContents> contents_of_numbers(const Model& model, const TableView& test, const ReportOptions& options,
                                                    const ExecutionContext& context);
std::unique_ptr<ReportContents> contents_of_labels(const Model& model, const TableView& test, const ReportOptions& options,
                                                   const ExecutionContext& context);

std::string report_title(const ReportContents& contents);

// The part of the document that all tasks share; ReportContents::add_to adds the rest. `test` has all rows, also those without a
// target.
Json report_document(const ReportContents& contents, const TableView& test, const ReportData& data);

// Coverage and widths over time, of a stream that learns from each row and of the fixed model. Has lists for each level, in the
// order of the slider, and shared values once. A copy of the model learns; the model itself does not change.
Json over_time_json(const ReportContents& contents, const TableView& test, std::span<const double> levels);

}  // namespace taut
