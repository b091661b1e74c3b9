// The whole of Taut behind one type: fit, calibrate, predict_interval, evaluate, save, load.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/drift/drift_check.hpp>
#include <taut/model/alarm.hpp>
#include <taut/model/fact_reader.hpp>
#include <taut/model/group_report.hpp>
#include <taut/task/number/law_report.hpp>
#include <taut/model/options.hpp>
#include <taut/model/stack_record.hpp>
#include <taut/model/stream.hpp>
#include <taut/train/choice.hpp>
#include <taut/transform/transform.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// Predictions and intervals of many rows, for every level asked for.
struct Predicted {
  std::vector<double> prediction;
  std::vector<double> levels;
  std::vector<Interval> intervals;  // rows x levels, row-major
  UnseenGroups unseen = {};         // rows of groups without calibration rows

  const Interval& at(Index row, std::size_t level) const {
    return intervals[static_cast<std::size_t>(row) * levels.size() + level];
  }
};

// One confidence level as `evaluate` reports it: metrics in the order of their list; NaN where one is not defined.
struct LevelReport {
  double confidence = 0;
  Index rank = 0;        // 0 where rows have laws of their own
  // k / (n + 1), the coverage that calibration guarantees; 1 when the intervals are infinite; NaN where rows were fitted in
  // order, which are not exchangeable with those that follow.
  double delivered = 0;
  std::vector<std::pair<std::string, double>> metrics;
  double group_coverage = missing;  // --keep-together: the mean over groups of their coverage, which the band is about

  double metric(std::string_view name) const;
};

struct Evaluation {
  Index rows = 0;
  Index calibration_rows = 0;
  std::vector<LevelReport> levels;
  LawReport law = {};
  std::vector<Alarm> alarms = {};
  std::vector<GroupReport> groups = {};  // of each level in turn, where groups were asked for
};

// What fitting found out, for `info`.
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

// Rows in arrays instead of a table. Predictions are those of a model of your own on rows that it has not seen: one for each row,
// or a lower and an upper quantile. Without them Taut fits a predictor.
struct Arrays {
  const Matrix& x;
  std::span<const double> y = {};
  std::span<const double> predictions = {};
  std::span<const double> lower_predictions = {}, upper_predictions = {};
};

// A model of your own as a function: f(x) of every row of the inputs.
using PointFunction = std::function<std::vector<double>(const TableView& inputs)>;

// What the questions of a table share.
struct AskOptions {
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are drawn, so that answers are exact on average
  std::uint64_t seed = 0;                       // of draws from the law
  bool band = false;                            // probabilities with the ends between which they are known
  std::span<const double> values = {};          // one a row, where a question is about a given value
  // Of one batch of many: samples depend on the row's number too, and in models of earlier versions all draws.
  Index first_row = 0;
};

// Answers to several questions, a row of numbers for each row of the table.
struct Answers {
  std::vector<double> prediction;
  std::vector<std::string> columns;  // of all questions in turn
  Matrix values;                     // rows x columns
  UnseenGroups unseen = {};          // rows of groups without calibration rows
};

// The law of y at one row.
class PredictedLaw {
 public:
  PredictedLaw(Law law, const TargetRange& range, const RowScore& score, Index params, const ValueProbabilities* values);
  RowLaw law() const { return RowLaw(law_, score(), range_, values_); }

  double prediction() const { return score_.prediction(); }
  Interval interval(double confidence) const { return law().interval(confidence); }
  Interval equal_tailed(double confidence) const { return law().equal_tailed(confidence); }
  double upper(double confidence) const { return law().upper(confidence); }
  double lower(double confidence) const { return law().lower(confidence); }
  double quantile(double p) const { return law().quantile(p); }
  double cdf(double y) const { return law().below(y).value; }
  double p_value(double y) const { return law().p_value(y); }
  double mean() const { return law().mean(); }
  double crps(double y) const { return law().crps(y); }

 private:
  RowScore score() const;

  Law law_;
  const TargetRange& range_;
  const ValueProbabilities* values_;
  RowScore score_;  // whose parameters are those in g_
  std::vector<double> g_;
};

struct ModelParts;
class EmptyColumns;   // taut/model/empty_columns.hpp
struct ForeignModel;  // taut/foreign/foreign_model.hpp
struct Explanation;   // taut/explain/explanation.hpp
struct ExplainOptions;

class Model {
 public:
  // From a table: options name the target. Calibration rows come from `calibration` where given, else from the table. One without
  // rows leaves the model uncalibrated: until calibrate() its intervals are the whole line.
  static Model fit(const TableView& table, const FitOptions& options, const ExecutionContext& context = {},
                   const std::optional<TableView>& calibration = {});
  static Model fit(const TableView& table, const FitOptions& options, const ExecutionContext& context, const Table* calibration) {
    return fit(table, options, context, calibration != nullptr ? std::optional<TableView>(*calibration) : std::nullopt);
  }
  // The same around a function of your own, which must not have been fitted to these rows. The model calls it whenever a table
  // has no column of options.prediction ("prediction" unless it is named). A function cannot be saved: a model read back needs
  // the column.
  static Model fit(const TableView& table, FitOptions options, PointFunction function, const ExecutionContext& context = {});
  // Around a model of another library whose trees were read (taut/foreign/read.hpp), which must not have been fitted to these
  // rows. They become part of the model and of its file.
  static Model fit(const TableView& table, const FitOptions& options, const ForeignModel& foreign,
                   const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});
  // From arrays. Such a model predicts with table_of({.x = x, .predictions = predictions}).
  static Model fit(const Arrays& arrays, FitOptions options = {}, const ExecutionContext& context = {});
  static Table table_of(const Arrays& arrays);

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // The same f and φ with new calibration rows, which must have played no part in the fit: signs that they did are alarms.
  // `how` says which calibration rows count for a new row; without it that stays as it is.
  std::vector<Alarm> calibrate(const TableView& table, const ExecutionContext& context = {}, const CalibrationOptions& how = {});

  // Rows that come one after another: each is predicted at levels that move, so that in the long run they hold whatever the rows
  // do, and learnt from once its target is known. Rows without a target are predicted only. f and g stay. A batch at a time, or a
  // row.
  Streamed stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                  const ExecutionContext& context = {});
  // The same for rows whose intervals nobody waits for; at the end predict_interval() and the rest know the recent scores. Rows
  // that are older than those that the model has seen are an Error unless allowed. Without levels: those of the stream so far, or
  // 0.9.
  Streamed update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                  std::span<const double> levels = {});
  // What stream() does before the first row, for those who save the model in between.
  void begin_stream(std::span<const double> levels, const StreamOptions& options = {});
  // Learns again from rows of a stream that this model has begun.
  void replay(std::span<const StreamRecord> rows, const ExecutionContext& context = {});
  std::size_t cells_of_record() const;  // in StreamRecord::cells
  // Recent scores become the law that predict_interval() and the other questions read.
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

  // f(x) alone.
  std::vector<double> predict(const TableView& table, const ExecutionContext& context = {}) const;
  // Any levels in (0, 1), nested. `smoothing` draws ranks so that coverage is exact instead of slightly above (see Law), keyed to
  // the row's inputs; in models of earlier versions to its number, which `first_row` is for in one batch of many.
  Predicted predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             std::optional<std::uint64_t> smoothing = {}, Index first_row = 0) const;
  // Any questions about y at every row: bounds, quantiles, probabilities (see taut/calibrate/question.hpp).
  Answers ask(const TableView& table, std::span<const std::unique_ptr<Question>> questions, const AskOptions& options = {},
              const ExecutionContext& context = {}) const;
  // The same for one row, by hand: law_at(row).quantile(0.9). Cells as in predict_row; the model must outlive the result.
  PredictedLaw law_at(std::span<const double> row) const;
  // One row, for services that predict row by row: its cells in the order of prediction_schema(), a category as its code there,
  // NaN where missing, and any other value as Column::other_code(): where the column tells groups (--by, --overlapping) that is a
  // group without calibration rows. Codes of values that only the calibration rows had follow those of training. One interval per
  // level goes to `out`; the result is f(x). The same bits as predict_interval.
  double predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const;
  // Where φ is a scale in disguise: the log of each row's scale in units of the target, a column for each side. All intervals of
  // a level then reach the same number of scales from f(x), before the target's range cuts them. No columns for other φ.
  Matrix log_scales(const TableView& table, const ExecutionContext& context = {}) const;
  // Why: the share of every column in the prediction and in the width. Include taut/explain/explainer.hpp, whose Explainer is
  // quicker for more than one call.
  Explanation explain(std::span<const double> row) const;
  Explanation explain(const TableView& table, const ExplainOptions& options, const ExecutionContext& context = {}) const;
  // `by`: groups of rows to be judged by themselves, written as in --by.
  Evaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                      const std::vector<std::string>& by = {}) const;
  // The groups of rows by such columns, numbered in the order of their names.
  GroupedTable group_rows(const TableView& table, const std::vector<std::string>& by, const ExecutionContext& context = {}) const;
  // What should be known of rows with targets before anything is concluded from them: cells that do not fit, rows that the model
  // has had. `evaluate` says it too.
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
  std::vector<Column> prediction_schema() const;
  std::vector<Column> evaluation_schema() const;
  std::vector<Column> calibration_schema() const;

  const FitOptions& options() const;
  const Column& target() const;
  // The model of another library that is f; nullptr where it is not one.
  const ForeignModel* imported() const;
  const FitRecord& record() const;
  // The calibration scores, and the ranks that levels ask of them. Where rows have laws of their own, this is the one of all
  // calibration rows together.
  const Law& law() const;
  // How many calibration rows are kept to calibrate probabilities at fixed values (`below`, `cdf`, `samples`). None in a file of
  // an earlier version and after a stream that trains anew: there ranks stand for them.
  Index kept_rows() const;
  double sure() const;  // --sure of the calibration, 0 without; that of each group is law().sure()
  // How many rows calibrate; with --split cv+ all of them do, and models_held_out() counts the models that score them.
  Index calibration_rows() const;
  Index models_held_out() const;
  // What is promised at this level whatever the law of the rows: the level itself but for --split cv+.
  double worst_coverage(double confidence) const;
  // "plain", "by-group", "cv+", ...: which calibration rows count for a new row; sentences on what calibrating found; and with
  // groups their names and numbers of calibration rows.
  const std::string& calibration_kind() const;
  const std::vector<std::string>& calibration_notes() const;
  std::vector<GroupSize> calibration_groups() const;
  std::string groups_in_words() const;  // "region, age:5"
  // One for all rows of groups without calibration rows, or none. `mismatches` know the texts of rows that were read in batches.
  std::vector<Alarm> alarms_of_groups(const UnseenGroups& unseen, const Mismatches& mismatches = {}) const;
  // The possible values of the target, which restrict every interval.
  const TargetRange& target_range() const;
  // The transformation in force: the one asked for, or `fixed`.
  const std::string& transform_name() const;
  const Transform& transform() const;
  // Of the localizer in force: how many trained members are averaged, whether each side of f has parameters of its own, and the
  // exponents of its stages.
  Index members() const;
  int sides() const;
  const std::vector<double>& exponents() const;

  void save(const std::string& path) const;
  static Model load(const std::string& path);
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  const ModelParts& parts() const { return *parts_; }  // inside the library

 private:
  explicit Model(std::unique_ptr<ModelParts> parts);
  void stream_stretch(const TableView& table, Index begin, Index end, Streamed& result, const ExecutionContext& context);
  void begin_stream_anyway(std::span<const double> levels, const StreamOptions& options);
  // Whether begin_stream() would change anything.
  bool would_begin(std::span<const double> levels, const StreamOptions& options) const;
  bool is_refit_due() const;
  void refit(const ExecutionContext& context);
  void begin_refit(const ExecutionContext& context);
  Index rows_to_next_refit() const;  // until one begins or is due
  Model fitted_anew(const ExecutionContext& context);
  void take_over(Model next);
  static Model fit_on_all(const Table& rows, const FitOptions& options, const ExecutionContext& context);
  void refuse_seen_rows(const TableView& table, const StreamOptions& options, const ExecutionContext& context) const;
  static Model fit_around(const TableView& given, const FitOptions& options, const ForeignModel* foreign,
                          const ExecutionContext& context, const std::optional<TableView>& calibration);

  std::unique_ptr<ModelParts> parts_;
};

}  // namespace taut
