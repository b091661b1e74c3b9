// Everything that the page knows, as the JSON that its script reads.
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

// What a report asks of a task: the regions of test rows, and what is said and drawn of them beyond what every report has.
//
// A new task derives one class from ReportContents and adds a line to the list in report.cpp.

// Test rows with their targets, as all parts of a report look at them.
struct TestRows {
  // `target`: of each row, as the task numbers them. `predicted`: what the model says of each, by this name.
  TestRows(const Model& of_model, const TableView& with_targets, std::span<const double> target, std::string_view name,
           std::vector<double> predicted, const ExecutionContext& context);

  const Model& model;
  TableView table;                       // all columns
  TableView known;                       // what is known before the target: the model's inputs, and last what it predicts
  TableView features;                    // the same, and what else is drawn
  MatrixF inputs;                        // as the metrics take them
  std::vector<Index> columns_of_inputs;  // in features, for each of them: a date gives several inputs
  std::vector<double> y;                 // what ReportContents::intervals() hold where a row is covered
  RegionSearch search;
  std::vector<Alarm> alarms;  // about the rows themselves
  CoverageChance chance;

  Index count() const { return table.rows(); }
  bool is_plain() const { return kind_of(model) == CalibrationKind::plain; }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(model.options().seed); }
};

struct MetricNote {
  std::string summary;
  bool everywhere = true;  // or at some levels only because it takes long
};

class ReportContents {
 public:
  ReportContents(TestRows test_rows, const ReportOptions& asked, const ExecutionContext& execution)
      : rows(std::move(test_rows)), options(asked), context(execution) {}
  virtual ~ReportContents() = default;

  TestRows rows;
  const ReportOptions& options;
  const ExecutionContext& context;

  virtual std::string kind() const = 0;   // for the page's script
  virtual std::string title() const = 0;  // continues with "for price"

  // The regions of all rows at some levels, as many as memory takes. What follows speaks of the level at a position among these.
  virtual std::size_t levels_at_once() const = 0;
  virtual void predict(std::span<const double> levels) = 0;
  // As intervals: those of other regions are as long as the region is large.
  virtual std::vector<Interval> intervals(std::size_t at) const = 0;
  // The same metrics at every level, NaN without judged.x where they need it.
  virtual Metrics metrics(std::size_t at, const Judged& judged, const HeldOutSlab* slab) const = 0;
  virtual MetricNote about_metric(std::string_view name) const = 0;
  // Rows from small regions to large ones, in parts; and "the set holds 2 labels": continues "where".
  virtual std::vector<WidthBin> parts_by_size(std::size_t at, const Judged& judged) const = 0;
  virtual std::string size_words(const WidthBin& part) const = 0;
  // The rest of a level, and what the task itself draws of it. The levels of the slider come in turn.
  virtual void complete(std::size_t at, const Judged& judged, LevelSummary& summary, AnswerInputs& answer) = 0;

  // Columns that are drawn whatever the regions do.
  virtual void add_columns(DrawnColumns&) {}
  // Levels below those of the slider, for the calibration curve.
  virtual std::vector<double> lower_levels() const { return {}; }
  // After all levels.
  virtual void draw(std::span<const double> /*levels*/, const DrawnColumns&) {}
  // Rows of the sample that the page draws; 0: it draws all rows, or none.
  virtual std::size_t drawn_rows() const { return 0; }
  // What only this task has: `drawn` of the rows of the sample.
  virtual void add_to(Json& document, const ReportData& data, std::size_t drawn) const = 0;

  // What the model answers without learning, to rows that a stream learnt from: rows x levels, as intervals.
  virtual std::vector<Interval> without_learning(const TableView& table, const Streamed& learning) const = 0;
  virtual bool draws_rows_along_time() const { return false; }

  virtual void add_facts_of_data(FactGroup&) const {}
  virtual void add_facts_of_model(FactGroup& group) const = 0;
  virtual std::string own_options() const { return {}; }  // of the fit, as one types them
};

// `test` has rows, and the inputs that are made from the past.
std::unique_ptr<ReportContents> contents_of_numbers(const Model& model, const TableView& test, const ReportOptions& options,
                                                    const ExecutionContext& context);
std::unique_ptr<ReportContents> contents_of_labels(const Model& model, const TableView& test, const ReportOptions& options,
                                                   const ExecutionContext& context);

// What the page knows whatever the task, as the JSON that its script reads.

std::string report_title(const ReportContents& contents);

// `test`: all rows, those without a target too. What only the task has is still to be added.
Json report_document(const ReportContents& contents, const TableView& test, const ReportData& data);

// What a stream that learns from each row did along time, and what the model did that stays as it is: lists for each level, in
// the order of the slider's; what they share stands once. The model itself learns nothing.
Json over_time_json(const ReportContents& contents, const TableView& test, std::span<const double> levels);

}  // namespace taut
