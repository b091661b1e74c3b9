// What a target is. A task is the only part of a model that knows whether it predicts numbers, labels or something else: it reads
// the target, fits f and the adaptive part, scores a row together with a target, and turns thresholds of scores into regions.
// Everything else, calibration, groups, shift, time, streams, the file, is written once, in Model.
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

// What is asked of every row of a table; the answers are columns, for every task.
struct Asking {
  std::vector<std::string> levels = {};         // confidence levels of regions, as they were written: "0.90"
  std::vector<std::string> questions = {};      // further ones, by their names in the list of questions: "upper:0.95"
  std::string value_column = {};                // for questions about a given value
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are random, so that coverage is exact on average
  std::uint64_t seed = 0;                       // of samples
  bool band = false;                            // probabilities with the two ends between which they are known
  bool wide = false;                            // a set as a column of 0 and 1 for each label
};

struct AnswerColumn {
  std::string name;
  bool is_text = false;
};

// Answers batch by batch. The model must outlive it.
class Answering {
 public:
  virtual ~Answering() = default;

  virtual std::vector<AnswerColumn> columns() const = 0;
  // The columns that rows must have.
  virtual std::vector<Column> schema() const = 0;
  virtual Index batch_rows() const { return 1 << 14; }
  // Of the next rows, a column for each of columns().
  virtual std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) = 0;

  // Before the first row: what the model lacks for these questions. After the last: what should be known of the answers.
  virtual std::vector<std::string> warnings() const { return {}; }
  virtual std::vector<std::string> remarks() const { return {}; }
  virtual std::vector<Alarm> alarms() const = 0;
  // Rows of groups without calibration rows.
  const UnseenGroups& unseen() const { return unseen_; }

 protected:
  UnseenGroups unseen_;
};

struct FitRecord;
struct ForeignModel;  // taut/foreign/foreign_model.hpp
struct ModelParts;

// One row of a stream, before its target is learnt from.
struct StreamStep {
  const LevelStream& stream;
  std::span<const double> thresholds;      // of all levels of the stream
  std::span<const std::size_t> positions;  // of the levels that are asked for, among these
  const KeptRows& kept;
};

// Some rows as a fitted task sees them.
class ScoredRows {
 public:
  ScoredRows(TableView inputs, Rows which) : x(std::move(inputs)), rows(std::move(which)) {}
  virtual ~ScoredRows() = default;

  TableView x;  // the model's inputs, of all rows of the table
  Rows rows;    // which of them these are

  // The conformity score of target y at the i-th of the rows. `uniform` breaks ties of scores that are randomised.
  virtual SignedScore score(Index i, double y, double uniform) const = 0;
  // What drift checks and groups know of a row besides its inputs: rows x Task::n_outputs().
  virtual Matrix outputs() const = 0;
  // Predictions that came with the rows, which identify a row as its inputs do. No columns where there are none.
  virtual Matrix given() const { return {}; }

  // The region of each level asked for is added to `result`, with the prediction and the target `y`, NaN where it is not known;
  // `record` gets what the stream learns from it.
  virtual void issue(Index i, double y, const StreamStep& step, Streamed& result, StreamRecord& record) const = 0;

  // A sample of calibration rows for questions about fixed values; none for tasks without such questions.
  virtual KeptRows kept(std::span<const double>, const RowFacts&, CalibrationKind, Index /*groups*/, const FitOptions&) const {
    return {};
  }
  // The error that another model, which saw the same rows, made at the i-th of them, as a score of this one. For streams that
  // train anew, which tasks without this refuse.
  virtual SignedScore score_of_error(Index i, double y, const ScoredRows& by_other) const;
  // Frees what only kept() and regions look at.
  virtual void free_parameters() {}
};

// What a user says about one task, by the names of its options without dashes.
using TaskOptions = std::map<std::string, std::string, std::less<>>;

// What a task is fitted to.
struct FitRequest {
  const TableView& table;
  const FitOptions& options;
  const RowPlan& plan;
  const ExecutionContext& context;
  const ForeignModel* foreign = nullptr;  // f, where a model of another library is taken over
};

class LawsOfRows;  // taut/model/parts.hpp

// Rows with known targets, whose regions a task is to judge. Everything outlives the judge.
struct JudgeRequest {
  const ModelParts& parts;
  const TableView& table;
  const ScoredRows& seen;  // the rows that are judged
  const LawsOfRows& laws;  // of these
  std::span<const double> y;
  std::span<const double> levels;
  const ExecutionContext& context;
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::string_view name() const = 0;  // in the list of tasks
  // Of the same kind and options, and not fitted.
  virtual std::unique_ptr<Task> unfitted() const = 0;
  // Throws UsageError for options of a fit that make no sense for such a target.
  virtual void check(const FitOptions&) const {}
  // Which of the usable rows do what. `n_with_target`: how many there were before --max-rows.
  virtual RowPlan plan(const TableView& table, const Rows& usable, Index n_with_target, const FitOptions& options,
                       bool calibration_elsewhere, const ExecutionContext& context);
  // Fits f and the adaptive part, and fills in the model's inputs, its target and its record.
  virtual void fit(const FitRequest& request, ModelParts& parts) = 0;

  // Columns with predictions of a model of the user's own, which rows to predict must have.
  virtual std::vector<std::string> given_columns() const { return {}; }
  // `x`: the inputs of the table.
  virtual std::unique_ptr<ScoredRows> see(const TableView& table, TableView x, Rows rows, int threads) const = 0;
  virtual Index n_outputs() const = 0;
  // The targets of rows as numbers. One that is missing or impossible is an Error that names its place.
  virtual std::vector<double> targets(const TableView& table, const Column& target, RowsView rows) const = 0;
  // Whether no region can hold this target.
  virtual bool is_never_covered(double) const { return false; }
  // The random number of a calibration row, for scores that are randomised.
  virtual double uniform_of_calibration(Index) const { return 0; }

  // For tasks whose targets take few values, so that each may have calibration scores of its own: how many values there are, and
  // their names.
  virtual Index n_target_values() const { return 0; }
  virtual std::vector<std::string> target_values() const { return {}; }

  // A calibration score as a stream takes it: finite.
  virtual SignedScore stream_score(SignedScore score) const { return score; }
  // Throws for a stream that such a model cannot begin.
  virtual void check_stream(const ModelParts&, const StreamOptions&) const {}
  // Throws UsageError where f cannot be trained anew; `option` asks for it.
  virtual void check_refit(const std::string& /*option*/) const {}
  virtual std::unique_ptr<Streamed> new_streamed() const { return std::make_unique<Streamed>(); }

  // What should be known of the given predictions or the targets of rows.
  virtual std::vector<Alarm> alarms_of_given(const TableView&, const FitOptions&) const { return {}; }
  virtual std::vector<Alarm> alarms_of_targets(std::span<const double>, const FitOptions&) const { return {}; }
  // Sentences on the targets of calibration rows, for `calibrate`; `by_value`: each value has scores of its own.
  virtual std::vector<std::string> notes_on_targets(std::span<const double>, bool /*by_value*/) const { return {}; }
  // Answers to what is asked of rows; UsageError for a question that makes no sense for such a target.
  virtual std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const = 0;
  // Judges regions of rows with known targets; without an override by their coverage alone.
  virtual std::unique_ptr<Judge> judge(const JudgeRequest& request) const;
  virtual RegionWords region_words() const { return {}; }
  // The columns of a stream's answers at levels as they were written, and their cells.
  virtual std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const = 0;
  virtual std::vector<ResultColumn> stream_cells(const Streamed& streamed) const = 0;

  // How f and the adaptive part came out, in half a sentence, and what else the user should see of the target.
  virtual std::string describe_parts(const ModelParts& parts) const = 0;
  virtual std::string describe_target(const ModelParts&, std::size_t /*max_names*/) const { return ""; }
  // What only this task knows of a fit, for `info`: names and values, among them "parts"; and lines for readers.
  virtual Value facts(const ModelParts&) const { return Value::object(); }
  virtual std::string describe_fit(const ModelParts&) const { return ""; }
  // "intervals are the whole line": what regions are where calibration rows are too few.
  virtual std::string describe_unbounded() const = 0;

  virtual void save(Archive archive) const = 0;
  virtual KeptRows load_kept(const Archive&, Index /*groups*/) const { return {}; }
};

// Which task a fit is for.
struct TaskChoice {
  std::string name = "auto";  // of the list of tasks; auto: the first whose entry fits the target
  TaskOptions options = {};

  // Throws UsageError for an unknown name, and for options that make no sense. Before any row is read.
  void check() const;
  // With the name of the task that it means for this table.
  TaskChoice resolved(const TableView& table, const FitOptions& fit, bool calibration_elsewhere) const;
};

// A task of the list.
struct TaskEntry {
  std::string_view name;     // of --task
  std::string_view in_file;  // the entry `kind` of a model file; empty: files without that entry
  std::string_view summary;
  // Whether the target is for this task, where --task does not say. The tasks of the list are asked in turn; the last takes what
  // is left. Rows that may be used for model selection decide.
  bool (*fits)(const TableView& table, const FitOptions& options, const TaskOptions& own, bool calibration_elsewhere);
  std::unique_ptr<Task> (*make)(const TaskOptions& own);
  // `parts` has its options, inputs and target already.
  std::unique_ptr<Task> (*load)(const Archive& archive, ModelParts& parts);
  // Options that only this task has, and a check of them; null where there are none.
  std::vector<OptionText> (*options)() = nullptr;
  void (*check)(const TaskChoice& choice) = nullptr;
};

// Those of taut/task/list.cpp; one of your own may be added.
std::vector<TaskEntry>& tasks();

// Random rows, rows in order, or whole groups, by the options.
RowPlan plan_of(const TableView& table, const Rows& usable, const FitOptions& options, bool calibration_elsewhere);

}  // namespace taut
