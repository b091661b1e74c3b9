// The interface of a task. A task is the only part of a model that depends on the kind of target: numbers, labels or another
// kind. It reads the target, fits f and the adaptive part, computes the conformity score of a row and a target, and turns
// thresholds of scores into regions. Everything else is written once, in Model: calibration, groups, shift, time, streams and the
// model file.
//
// A new task is a folder below taut/task with a class derived from Task and one derived from ScoredRows, and a line in
// taut/task/list.cpp.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/archive.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_view.hpp>
#include <taut/fit/kept_rows.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/model/evaluation.hpp>
#include <taut/model/stream.hpp>
#include <taut/plan/row_plan.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The predictions to make for every row of a table. Each one is a column, for every task.
struct Asking {
  std::vector<std::string> levels = {};         // confidence levels of regions, as the user wrote them: "0.90"
  std::vector<std::string> questions = {};      // further questions, by their names in the list of questions: "upper:0.95"
  std::string value_column = {};                // for questions about a given value
  std::optional<std::uint64_t> smoothing = {};  // seed of randomised ranks, which make the mean coverage exact
  std::uint64_t seed = 0;                       // of random samples
  bool band = false;                            // adds the lower and upper bound of each probability
  bool wide = false;                            // writes a set as one column of 0 and 1 for each label
  bool allow_empty = false;                     // sets without any label stay empty: see SetAskOptions
  bool each = false;                            // several targets: adds an interval for each target at its own level
  bool contains = false;                        // several targets: whether regions contain the targets that the rows have
  std::optional<std::string> sum = {};          // several targets: a linear combination of them, as the user wrote it
  std::vector<double> sum_weights = {};         // the same as a weight for each target
};

struct AnswerColumn {
  std::string name;
  bool is_text = false;
};

// Predicts batch by batch. The model must outlive it.
class Answering {
 public:
  virtual ~Answering() = default;

  virtual std::vector<AnswerColumn> columns() const = 0;
  // The columns that rows must have.
  virtual std::vector<Column> schema() const = 0;
  virtual Index batch_rows() const { return 1 << 14; }
  // The predictions for the next rows, one column for each of columns().
  virtual std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) = 0;

  // warnings() is called before the first row: what the model lacks for these questions. remarks() and alarms() are called after
  // the last row: notes and problems of the predictions.
  virtual std::vector<std::string> warnings() const { return {}; }
  virtual std::vector<std::string> remarks() const { return {}; }
  virtual std::vector<Alarm> alarms() const = 0;
  // Rows of groups without calibration rows.
  const UnseenGroups& unseen() const { return unseen_; }

 protected:
  UnseenGroups unseen_;
};

struct FitInputs;  // taut/model/fit_rows.hpp
struct FitRecord;
struct ForeignModel;  // taut/foreign/foreign_model.hpp
struct ModelParts;

// The targets of one row, one number for each target column. Targets of many rows are in one vector, row after row; for a task of
// one target that is a number for each row.
using RowTarget = std::span<const double>;
inline RowTarget row_target(std::span<const double> targets, Index row, Index columns) {
  return targets.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
}

// The state of a stream at one row, before its target is known.
struct StreamStep {
  const LevelStream& stream;
  std::span<const double> thresholds;      // for all levels of the stream
  std::span<const std::size_t> positions;  // the positions of the requested levels in `thresholds`
  const KeptRows& kept;
};

// The conformity scores and predictions of some rows by a fitted task.
class ScoredRows {
 public:
  ScoredRows(TableView inputs, Rows which) : x(std::move(inputs)), rows(std::move(which)) {}
  virtual ~ScoredRows() = default;

  TableView x;  // the model's inputs, of all rows of the table
  Rows rows;    // the rows of `x` that are scored

  // The conformity score of target y at the i-th of the rows. `uniform` breaks ties of randomised scores.
  virtual SignedScore score(Index i, RowTarget y, double uniform) const = 0;
  // Numbers that the model computes for each row, for drift checks and groups: rows x Task::n_outputs().
  virtual Matrix outputs() const = 0;
  // Given predictions of the rows, which identify a row together with its inputs. No columns if there are none.
  virtual Matrix given() const { return {}; }

  // Scores of single targets, which are calibrated as score() is: rows x targets. No columns for a task that has none.
  virtual Matrix scores_alone(std::span<const double> /*targets*/) const { return {}; }

  // Adds the region of each requested level to `result`, with the prediction and the target `y` (NaN if it is not known). Fills
  // `record` with what the stream learns from the row.
  virtual void issue(Index i, RowTarget y, const StreamStep& step, Streamed& result, StreamRecord& record) const = 0;

  // A sample of calibration rows for questions about fixed values; empty for tasks without such questions.
  virtual KeptRows kept(std::span<const double> /*targets*/, const RowFacts&, CalibrationKind, Index /*groups*/,
                        const FitOptions&) const {
    return {};
  }
  // The error of another model at the i-th row, on the scale of this model's scores; `by_other` has the same rows. Used when a
  // stream is refitted. The default throws: such a task cannot be refitted.
  virtual SignedScore score_of_error(Index i, RowTarget y, const ScoredRows& by_other) const;
  // Frees memory that only kept() and regions need.
  virtual void free_parameters() {}
};

// The user's options of one task, by their names without dashes.
using TaskOptions = std::map<std::string, std::string, std::less<>>;

// The arguments of Task::fit.
struct FitRequest {
  const TableView& table;
  const FitOptions& options;
  const RowPlan& plan;
  const ExecutionContext& context;
  const ForeignModel* foreign = nullptr;  // f, if a model of another library is imported
  bool is_held_out = false;               // one of several models that must agree on the kinds of columns
  const FitInputs* inputs = nullptr;      // the inputs, if they are prepared already: targets of one table share them
};

class RowDistributions;  // taut/model/parts.hpp

// Rows with known targets, on which a task evaluates its regions. Everything here must outlive the evaluator.
struct EvaluationRequest {
  const ModelParts& parts;
  const TableView& table;
  const ScoredRows& seen;                 // the rows to evaluate
  const RowDistributions& distributions;  // of these rows
  std::span<const double> y;              // see RowTarget
  std::span<const double> levels;
  const ExecutionContext& context;
  bool allow_empty = false;  // see Asking
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::string_view name() const = 0;  // in the list of tasks
  // Decides which words mean a missing target: None is missing among numbers, and may be a class.
  virtual ColumnKind target_kind() const { return ColumnKind::number; }
  // A task with the same options that is not fitted.
  virtual std::unique_ptr<Task> unfitted() const = 0;
  // Throws UsageError for fit options that do not apply to such a target.
  virtual void check(const FitOptions&) const {}
  // Divides the usable rows into training and calibration rows. `n_with_target`: number of rows with a target before --max-rows.
  virtual RowPlan plan(const TableView& table, const Rows& usable, Index n_with_target, const FitOptions& options,
                       bool calibration_elsewhere, const ExecutionContext& context);
  // Fits f and the adaptive part, and fills in the model's inputs, its target and its record.
  virtual void fit(const FitRequest& request, ModelParts& parts) = 0;

  // Columns with predictions of the user's own model, which rows to predict must have.
  virtual std::vector<std::string> given_columns() const { return {}; }
  // `x`: the inputs of the table.
  virtual std::unique_ptr<ScoredRows> see(const TableView& table, TableView x, Rows rows, int threads) const = 0;
  virtual Index n_outputs() const = 0;
  // How many of the outputs are predictions; they come first, and the others are log scales.
  virtual Index n_predictions() const { return 1; }
  // How messages call them: for one target the prediction, then the scales below and above it.
  virtual std::vector<std::string> output_names() const;
  // The targets of rows as numbers, row after row (see RowTarget). `columns` has one column, or several for a task that takes
  // them. Throws Error, with row and column, for a missing or impossible target.
  virtual std::vector<double> targets(const TableView& table, std::span<const Column> columns, RowsView rows) const = 0;
  // Whether no region can contain this target.
  virtual bool is_never_covered(double) const { return false; }
  // The random number of a calibration row, for randomised scores.
  virtual double uniform_of_calibration(Index) const { return 0; }

  // The number of values of the target and their names, for tasks with class-conditional calibration; 0 for other tasks.
  virtual Index n_target_values() const { return 0; }
  virtual std::vector<std::string> target_values() const { return {}; }

  // A calibration score as a finite number, which a stream needs.
  virtual SignedScore stream_score(SignedScore score) const { return score; }
  // Throws if this model cannot be streamed with these options.
  virtual void check_stream(const ModelParts&, const StreamOptions&) const {}
  // Throws UsageError if f cannot be refitted. `option`: the option that requests a refit.
  virtual void check_refit(const std::string& /*option*/) const {}
  virtual std::unique_ptr<Streamed> new_streamed() const { return std::make_unique<Streamed>(); }

  // Problems of the given predictions, or of the targets.
  virtual std::vector<Alarm> alarms_of_given(const TableView&, const FitOptions&) const { return {}; }
  virtual std::vector<Alarm> alarms_of_targets(std::span<const double>, const FitOptions&) const { return {}; }
  // Sentences on the targets of calibration rows, for `calibrate`. `by_value`: the calibration is class-conditional.
  virtual std::vector<std::string> notes_on_targets(std::span<const double>, bool /*by_value*/) const { return {}; }
  // Throws UsageError for a question that does not apply to such a target.
  virtual std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const = 0;
  // Evaluates regions of rows with known targets. The default reports coverage alone.
  virtual std::unique_ptr<RegionEvaluator> judge(const EvaluationRequest& request) const;
  virtual RegionWords region_words() const { return {}; }
  // The columns that a stream writes, with levels as the user wrote them, and their cells.
  virtual std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const = 0;
  virtual std::vector<ResultColumn> stream_cells(const Streamed& streamed) const = 0;

  // Half a sentence on f and the adaptive part, and one on the target.
  virtual std::string describe_parts(const ModelParts& parts) const = 0;
  virtual std::string describe_target(const ModelParts&, std::size_t /*max_names*/) const { return ""; }
  // FitRecord::out_of_fold as half a sentence; empty if nothing is known.
  virtual std::string describe_out_of_fold(const ModelParts&) const { return ""; }
  // The task's part of `info`, as JSON (one of the keys is "parts") and as text.
  virtual Value facts(const ModelParts&) const { return Value::object(); }
  virtual std::string describe_fit(const ModelParts&) const { return ""; }
  // The regions of a model with too few calibration rows: "intervals are the whole line".
  virtual std::string describe_unbounded() const = 0;

  virtual void save(Archive archive) const = 0;
  virtual KeptRows load_kept(const Archive&, Index /*groups*/) const { return {}; }
};

// The user's choice of a task.
struct TaskChoice {
  std::string name = "auto";  // a name of the list of tasks; auto: the first entry that fits the target
  TaskOptions options = {};

  // Throws UsageError for an unknown name and for invalid options. It needs no table.
  void check() const;
  // The same choice, with "auto" replaced by the name of the task that fits this table.
  TaskChoice resolved(const TableView& table, const FitOptions& fit, bool calibration_elsewhere) const;
};

// A task of the list.
struct TaskEntry {
  std::string_view name;     // value of --task
  std::string_view in_file;  // the entry `kind` of a model file; empty: files without that entry
  std::string_view summary;
  // Whether this task fits the target; called for --task auto, in the order of the list. The last entry always fits. Only rows
  // used for model selection may decide.
  bool (*fits)(const TableView& table, const FitOptions& options, const TaskOptions& own, bool calibration_elsewhere);
  std::unique_ptr<Task> (*make)(const TaskOptions& own);
  // The options, inputs and target of `parts` are loaded already.
  std::unique_ptr<Task> (*load)(const Archive& archive, ModelParts& parts);
  // Options that only this task has, and a check of them; null if there are none.
  std::vector<OptionText> (*options)() = nullptr;
  void (*check)(const TaskChoice& choice) = nullptr;
  bool takes_several_targets = false;  // whether --target may name several columns
  std::string_view former_name = {};   // of --task in version 0.1: still understood, shown nowhere
};

// The entries of taut/task/list.cpp. Callers may add their own.
std::vector<TaskEntry>& tasks();
// A name of --task as it is written now.
std::string current_task_name(const std::string& name);

// A split by random rows, by rows in order, or by whole groups, as the options request.
RowPlan plan_of(const TableView& table, const Rows& usable, const FitOptions& options, bool calibration_elsewhere);

}  // namespace taut
