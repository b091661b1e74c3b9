// One model for every kind of target: fit, calibrate, stream, check, save, load. Whatever depends on the target, above all the
// prediction regions, is the job of its Task. Regressor (taut/task/number) and Classifier (taut/task/label) add the typed
// interface.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/drift_check.hpp>
#include <taut/model/evaluation.hpp>
#include <taut/model/fact_reader.hpp>
#include <taut/model/stream.hpp>
#include <taut/model/task.hpp>
#include <taut/options/options.hpp>
#include <taut/predict/stack_weights.hpp>
#include <taut/train/validation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// How a column of the training table was interpreted, if it is not a plain number.
struct ColumnNote {
  std::string column;
  std::string taken_for;  // "date", "category", "id", ...
  std::string words;      // a line for the user
  bool is_left_out = false;
};

// How good f is on training rows that it has not seen (out-of-fold rows, or all rows of given predictions), and how good a
// constant is on the same rows. Numbers: the mean absolute error of f and that of the median. Labels: the accuracy and the share
// of the most frequent label. Without rows nothing is known.
struct OutOfFoldRecord {
  Index rows = 0;
  double found = missing, constant = missing;
};

struct FitRecord {
  std::string source;
  std::vector<ColumnNote> columns{};
  Index skipped_rows = 0;      // rows without a target
  Index rows_of_weight_0 = 0;  // by --sample-weight: they are treated as absent
  Index rows = 0, predictor_rows = 0, transform_rows = 0, validation_rows = 0;
  StackRecord stack{};     // the predictors that were tried; empty if there was only one
  bool fell_back = false;  // φ did not beat `fixed` on validation rows
  std::vector<CandidateRecord> candidates;
  std::vector<double> validation_curve;  // of the first member of the ensemble
  Index best_epoch = 0;
  OutOfFoldRecord out_of_fold{};
  std::string version{};  // version of Taut that wrote the model file; empty for a model that was not loaded from a file
};

struct ModelParts;
class UsableColumns;  // taut/guard/unusable_columns.hpp
class OutsideRows;    // taut/guard/outside_rows.hpp

class Model {
 public:
  // Fits to a table; the options name the target. Calibration rows come from `calibration` if it is given, else from the table.
  // A `calibration` without rows leaves the model uncalibrated: its regions are unbounded until calibrate() is called.
  static Model fit(const TableView& table, const FitOptions& options, const TaskChoice& choice = {},
                   const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {},
                   const ForeignModel* foreign = nullptr);

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const Task& task() const;

  // Keeps f and the adaptive part, and replaces the calibration rows. The new rows must not have been used in the fit; signs that
  // they were are returned as alarms. `how` selects the kind of calibration; by default the kind stays the same.
  std::vector<Alarm> calibrate(const TableView& table, const ExecutionContext& context = {}, const CalibrationOptions& how = {});

  // Online prediction of rows in order. Each row is predicted at adaptive levels, and its target updates them once it is known.
  // The long-run coverage is then the level for any sequence of rows. Rows without a target are only predicted. f and g change
  // only by a refit (StreamOptions::refit_every). Call it with one row or with a batch.
  std::unique_ptr<Streamed> stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                                   const ExecutionContext& context = {});
  // Like stream(), followed by end_stream(), for rows that are all known already. Throws Error for rows that are older than those
  // the model has seen, unless the options allow them. Default levels: those of the stream so far, or 0.9.
  std::unique_ptr<Streamed> update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                                   std::span<const double> levels = {});
  // Does what stream() does before the first row, so that the caller can save the model before it streams.
  void begin_stream(std::span<const double> levels, const StreamOptions& options = {});
  // Repeats the updates of rows that were streamed before, read from a journal.
  void replay(std::span<const StreamRecord> rows, const ExecutionContext& context = {});
  std::size_t cells_of_record() const;  // the size of StreamRecord::cells
  // The recent scores become the calibration scores of all other predictions.
  void end_stream();
  // The state of the stream; null if nothing was streamed.
  const LevelStream* stream_state() const;
  // The column options().order_by, with an empty name if there is none, and the latest time that the model has seen.
  const Column& time() const;
  double latest_time() const;
  // The columns of rows to stream. The last one is the target; a table may lack it.
  std::vector<Column> stream_schema() const;
  // Adds the inputs that are made from earlier rows (--lags, --rolling); the rows of the table come after those that the model
  // has seen. Returns the table unchanged if the model has no such inputs or the table has them already.
  TableView with_past(const TableView& table) const;
  bool has_past() const;
  // Adds rows from before the stream to the training rows of later refits (StreamOptions::refit_every).
  void remember_rows(const TableView& rows, const StreamOptions& options);
  // Trains f and g once on all of these rows before the first row is streamed. Typically they are the rows of the fit, whose
  // newest ones calibrated and did not train f. The guarantee of a stream holds for every f. That of predict(), which assumes
  // exchangeable rows, is lost.
  void train_on(const TableView& rows, const StreamOptions& options, const ExecutionContext& context = {});
  Index refits() const;  // number of refits so far

  // Predictions for rows, as columns: regions at levels, and the further questions of the task.
  std::unique_ptr<Answering> answering(const Asking& asking) const;
  // Evaluates the regions on rows that the model has not seen. `by`: groups of rows to evaluate separately, written as in --by.
  // `allow_empty`: see SetAskOptions. `sample_weight`: a column of weights by which coverage and scores are averaged too; by
  // default that of a model which was calibrated by weight.
  std::unique_ptr<Evaluation> evaluate(const TableView& table, std::span<const double> levels,
                                       const ExecutionContext& context = {}, const std::vector<std::string>& by = {},
                                       bool allow_empty = false, const std::string& sample_weight = {}) const;
  // For each level, row by row: whether the region contains the target, and how large it is.
  std::vector<EvaluatedRegions> judge(const TableView& table, std::span<const double> levels,
                                      const ExecutionContext& context = {}) const;
  // Groups the rows by columns; groups are numbered in the order of their names. `by`: written as in --by.
  GroupedTable group_rows(const TableView& table, const std::vector<std::string>& by, const ExecutionContext& context = {}) const;
  // Problems of rows with targets: cells that do not match their columns, rows that the model has seen. evaluate() includes them.
  std::vector<Alarm> alarms_of_rows(const TableView& table, const ExecutionContext& context = {}) const;
  // Tests whether rows to predict look like the calibration rows: begin, add rows batch by batch, then ask for the findings.
  // Throws Error if the model file is older than this check.
  DriftCheck begin_drift_check() const;
  void add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context = {}) const;
  // Cells that do not match their columns, and columns of which no cell can be used. Rows are added batch by batch; `mismatches`:
  // those of all these rows.
  void add_rows(UsableColumns& usable, const TableView& table) const;
  std::vector<Alarm> alarms_of_columns(const UsableColumns& usable, const Mismatches& mismatches) const;
  // Rows with numbers beyond those of the calibration rows; nothing is known of rows in the order of time, which go on.
  OutsideRows begin_outside_check() const;
  void add_rows(OutsideRows& outside, const TableView& table) const;
  // Both for rows to predict, in the columns of input_schema().
  std::vector<Alarm> alarms_of_inputs(const TableView& x) const;
  // Signs that the guarantee of fit() does not hold; empty for a model that was loaded from a file.
  const std::vector<Alarm>& alarms_of_fit() const;

  std::vector<Column> input_schema() const;
  std::vector<Column> input_and_given_schema() const;  // inputs and columns of given predictions
  // The columns that rows to predict must have: inputs, given predictions, and those that the kind of calibration needs.
  std::vector<Column> prediction_schema() const;
  std::vector<Column> evaluation_schema() const;
  std::vector<Column> calibration_schema() const;

  const FitOptions& options() const;
  // Whether rows without a target are left out of evaluations and calibrations, as with FitOptions::skip_missing_target. Returns
  // the former value.
  bool set_skip_missing_target(bool skips);
  const Column& target() const;  // the first one, if there are several
  const std::vector<Column>& targets() const;
  const FitRecord& record() const;
  // The distribution of all calibration scores, each with equal weight. Rows may have other distributions: see
  // calibration_kind().
  const ScoreDistribution& distribution() const;
  double sure() const;  // --sure of the calibration, 0 without; distribution().sure() is that of each group
  // Number of calibration rows; with --split cv+ every row calibrates.
  Index calibration_rows() const;
  // Which calibration rows count for a new row: "plain", "by-group", "by-label", "cv+", ...
  const std::string& calibration_kind() const;
  // Sentences for the user on how the model was calibrated.
  const std::vector<std::string>& calibration_notes() const;
  // Names of the groups and their numbers of calibration rows; empty without groups.
  std::vector<GroupSize> calibration_groups() const;
  std::string describe_groups() const;  // "region, age:5"
  Index models_held_out() const;        // --split cv+: number of models that score the calibration rows
  // The coverage that is guaranteed at this level for every distribution of the rows: the level itself, or less with --split cv+.
  double worst_coverage(double confidence) const;

  // Half a sentence on f and the adaptive part, and one on the target; then further text and JSON of `info`. The task writes
  // them.
  std::string describe_parts() const;
  std::string describe_target(std::size_t max_names) const;
  std::string describe_out_of_fold() const;
  std::string describe_fit() const;
  Value facts() const;
  // One alarm for all rows of groups without calibration rows, or none. `mismatches`: contains the texts of cells of rows that
  // were read in batches.
  std::vector<Alarm> alarms_of_groups(const UnseenGroups& unseen, const Mismatches& mismatches = {}) const;

  void save(const std::string& path) const;
  static Model load(const std::string& path);
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  // For other modules of the library: reports, explanations, exports.
  const ModelParts& parts() const { return *parts_; }

 protected:
  explicit Model(std::unique_ptr<ModelParts> parts);
  // `task` is not fitted yet.
  static Model fit(std::unique_ptr<Task> task, const TableView& given, const FitOptions& options, const ExecutionContext& context,
                   const std::optional<TableView>& calibration, const ForeignModel* foreign = nullptr);

  std::unique_ptr<ModelParts> parts_;

 private:
  void stream_stretch(const TableView& table, std::span<const double> y, Index begin, Index end, Streamed& result,
                      const ExecutionContext& context);
  void begin_stream_anyway(std::span<const double> levels, const StreamOptions& options);
  // Whether begin_stream() would change anything.
  bool would_begin(std::span<const double> levels, const StreamOptions& options) const;
  bool is_refit_due() const;
  void refit(const ExecutionContext& context);
  void begin_refit(const ExecutionContext& context);
  Index rows_to_next_refit() const;  // number of rows until a refit begins or is due
  Model fitted_anew(const ExecutionContext& context);
  void take_over(Model next);
  static Model fit_on_all(std::unique_ptr<Task> task, const Table& rows, const FitOptions& options,
                          const ExecutionContext& context);
  void refuse_seen_rows(const TableView& table, const StreamOptions& options, const ExecutionContext& context) const;
};

}  // namespace taut
