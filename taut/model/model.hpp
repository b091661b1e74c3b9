// One model for every kind of target: fit, calibrate, stream, check, save, load. What depends on the target, the regions that it
// predicts first of all, is said by its task: Regressor (taut/task/number) and Classifier (taut/task/label) add that.
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

// What a column of the training table was taken for, where it was not a plain number.
struct ColumnNote {
  std::string column;
  std::string taken_for;  // "date", "category", "id", ...
  std::string words;      // a line for the user
  bool is_left_out = false;
};

struct FitRecord {
  std::string source;
  std::vector<ColumnNote> columns{};
  Index skipped_rows = 0;  // without a target
  Index rows = 0, predictor_rows = 0, transform_rows = 0, validation_rows = 0;
  StackRecord stack{};     // the predictors that were tried; empty unless several were
  bool fell_back = false;  // φ did not beat `fixed` on validation rows
  std::vector<CandidateRecord> candidates;
  std::vector<double> validation_curve;  // of the first member
  Index best_epoch = 0;
  std::string version{};  // of the Taut that wrote the file; empty for a model that was not read from one
};

struct ModelParts;
class EmptyColumns;  // taut/guard/empty_columns.hpp

class Model {
 public:
  // From a table: options name the target. Calibration rows come from `calibration` where given, else from the table. One without
  // rows leaves the model uncalibrated: until calibrate() its regions are unbounded.
  static Model fit(const TableView& table, const FitOptions& options, const TaskChoice& choice = {},
                   const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {},
                   const ForeignModel* foreign = nullptr);

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const Task& task() const;

  // The same f and adaptive part with new calibration rows, which must have played no part in the fit: signs that they did are
  // alarms. `how` says which calibration rows count for a new row; without it that stays as it is.
  std::vector<Alarm> calibrate(const TableView& table, const ExecutionContext& context = {}, const CalibrationOptions& how = {});

  // Rows that come one after another: each is predicted at levels that move, so that in the long run they hold whatever the rows
  // do, and learnt from once its target is known. Rows without a target are predicted only. f and g stay. A batch at a time, or a
  // row.
  std::unique_ptr<Streamed> stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                                   const ExecutionContext& context = {});
  // The same for rows whose intervals nobody waits for; at the end questions know the recent scores. Rows
  // that are older than those that the model has seen are an Error unless allowed. Without levels: those of the stream so far, or
  // 0.9.
  std::unique_ptr<Streamed> update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                                   std::span<const double> levels = {});
  // What stream() does before the first row, for those who save the model in between.
  void begin_stream(std::span<const double> levels, const StreamOptions& options = {});
  // Learns again from rows of a stream that this model has begun.
  void replay(std::span<const StreamRecord> rows, const ExecutionContext& context = {});
  std::size_t cells_of_record() const;  // in StreamRecord::cells
  // Recent scores become the calibration scores that all questions read.
  void end_stream();
  // What has moved; none where nothing was streamed.
  const LevelStream* stream_state() const;
  // Of options().order_by: how it is read, with an empty name where there is none, and the latest that the model has seen.
  const Column& time() const;
  double latest_time() const;
  // The columns of rows to stream; the target, the last, may be absent.
  std::vector<Column> stream_schema() const;
  // Where inputs are made from the past (--lags, --rolling): the table with these, its rows coming after those that the model has
  // seen. Any other table, and one that has them already, is given back.
  TableView with_past(const TableView& table) const;
  bool has_past() const;
  // For a stream that trains anew (StreamOptions::refit_every): rows that came before those that will be streamed.
  void remember_rows(const TableView& rows, const StreamOptions& options);
  // Before the first row is streamed: trains f and g once on all of these rows, those of the fit for example, of which the
  // model's own f has not seen the newest. What a stream promises holds for every f; what predict() promises of rows that could
  // be exchanged does not hold then.
  void train_on(const TableView& rows, const StreamOptions& options, const ExecutionContext& context = {});
  Index refits() const;  // so many times it has

  // Answers to what is asked of rows, as columns: regions at levels and the questions of the task.
  std::unique_ptr<Answering> answering(const Asking& asking) const;
  // How good the regions are on rows that the model has not seen. `by`: groups of rows to be judged by themselves, written as in
  // --by.
  std::unique_ptr<Evaluation> evaluate(const TableView& table, std::span<const double> levels,
                                       const ExecutionContext& context = {}, const std::vector<std::string>& by = {}) const;
  // Row by row, for each level: whether the region holds the target, and how large it is.
  std::vector<JudgedRegions> judge(const TableView& table, std::span<const double> levels,
                                   const ExecutionContext& context = {}) const;
  // The groups of rows by such columns, numbered in the order of their names. `by`: written as in --by.
  GroupedTable group_rows(const TableView& table, const std::vector<std::string>& by, const ExecutionContext& context = {}) const;
  // What should be known of rows with targets before anything is concluded from them: cells that do not fit, rows that the model
  // has had. Evaluations say it too.
  std::vector<Alarm> alarms_of_rows(const TableView& table, const ExecutionContext& context = {}) const;
  // Do rows to predict look like the calibration rows? Begin, add rows batch by batch, ask for findings. An Error where the model
  // file is older than this check.
  DriftCheck begin_drift_check() const;
  void add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context = {}) const;
  // Columns that are empty in all rows to predict: rows are added batch by batch. `mismatches`: those of all these rows.
  void add_rows(EmptyColumns& empty, const TableView& table) const;
  std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches = {}) const;
  // Signs that what fit() promises does not hold; none for a model that was read from a file.
  const std::vector<Alarm>& alarms_of_fit() const;

  // The inputs; the columns that rows to predict must have: inputs, given predictions, and what the kind of calibration asks
  // for; and those that evaluating and calibrating need.
  std::vector<Column> input_schema() const;
  std::vector<Column> input_and_given_schema() const;  // with columns of given predictions
  std::vector<Column> prediction_schema() const;
  std::vector<Column> evaluation_schema() const;
  std::vector<Column> calibration_schema() const;

  const FitOptions& options() const;
  const Column& target() const;
  const FitRecord& record() const;
  // The calibration scores, and the ranks that levels ask of them. Where rows have distributions of their own, this is the one of
  // all calibration rows together.
  const Law& law() const;
  double sure() const;  // --sure of the calibration, 0 without; that of each group is law().sure()
  // How many rows calibrate; with --split cv+ all of them do.
  Index calibration_rows() const;
  // "plain", "by-group", "by-label", "cv+", ...: which calibration rows count for a new row; sentences on what calibrating found;
  // and with groups their names and numbers of calibration rows.
  const std::string& calibration_kind() const;
  const std::vector<std::string>& calibration_notes() const;
  std::vector<GroupSize> calibration_groups() const;
  std::string groups_in_words() const;  // "region, age:5"
  Index models_held_out() const;        // --split cv+: the models that score the calibration rows
  // What is promised at this level whatever the distribution of the rows: the level itself but for --split cv+.
  double worst_coverage(double confidence) const;

  // What f and the adaptive part came out as, and the target, each in half a sentence; and what else `info` shows of a fit, for
  // readers and for programs. All of them are the task's own words.
  std::string describe_parts() const;
  std::string describe_target(std::size_t max_names) const;
  std::string describe_fit() const;
  Value facts() const;
  // One for all rows of groups without calibration rows, or none. `mismatches` know the texts of rows that were read in batches.
  std::vector<Alarm> alarms_of_groups(const UnseenGroups& unseen, const Mismatches& mismatches = {}) const;

  void save(const std::string& path) const;
  static Model load(const std::string& path);
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  const ModelParts& parts() const {
    return *parts_;
  }  // for folders of the library that look inside: reports, explanations, exports

 protected:
  explicit Model(std::unique_ptr<ModelParts> parts);
  // An unfitted task.
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
  Index rows_to_next_refit() const;  // until one begins or is due
  Model fitted_anew(const ExecutionContext& context);
  void take_over(Model next);
  static Model fit_on_all(std::unique_ptr<Task> task, const Table& rows, const FitOptions& options,
                          const ExecutionContext& context);
  void refuse_seen_rows(const TableView& table, const StreamOptions& options, const ExecutionContext& context) const;
};

}  // namespace taut
