// The parts of a model. This header is internal to the library.
#pragma once

#include <taut/fit/kept_rows.hpp>
#include <taut/guard/drift/drift_check.hpp>
#include <taut/guard/outside_rows.hpp>
#include <taut/guard/seen_rows.hpp>
#include <taut/guard/unusable_columns.hpp>
#include <taut/model/fact_reader.hpp>
#include <taut/model/model.hpp>
#include <taut/model/refit.hpp>
#include <taut/time/past_inputs.hpp>

namespace taut {

// Pieces of a model file that tasks need too.
void save_schema(Archive archive, const std::vector<Column>& schema);
std::vector<Column> load_schema(const Archive& archive);
void save_record(Archive archive, const FitRecord& record);
FitRecord load_record(const Archive& archive);

// The result of a calibration. ModelParts::take replaces all of it at once, so that a failure leaves the model unchanged.
struct CalibratedScores {
  // `sure`: for all groups at once if there are groups. `target_values`: the number of values of the target if the calibration is
  // class-conditional, else 0. Then facts.groups are these values; one more group is for values that no training row had.
  CalibratedScores(const FactReader& reader, Index target_values, double sure, std::vector<SignedScore> scores, RowFacts facts);

  ScoreDistribution distribution;
  RowFacts facts;
  std::unique_ptr<Calibration> calibration;
  ScoreDistribution shared;

  // The distribution that all rows have in common; null if rows have different ones.
  const ScoreDistribution* of_every_row() const;
};

// The calibration of single targets: the scores of all calibration rows, calibrated as those of all targets together.
struct CalibratedAlone {
  Matrix scores = {};                            // calibration rows, in the order of their facts, x targets
  std::vector<CalibratedScores> of_target = {};  // none if the task has no scores of single targets

  CalibratedAlone() = default;
  CalibratedAlone(const FactReader& reader, double sure, Matrix of_rows, const RowFacts& facts);
  bool empty() const { return of_target.empty(); }
};

// The score distributions of rows to predict. They must not outlive the model.
class RowDistributions {
 public:
  explicit RowDistributions(const ScoreDistribution& shared) : shared_(&shared) {}
  RowDistributions(const Calibration& calibration, RowFacts facts) : calibration_(&calibration), facts_(std::move(facts)) {}

  // The row's group; KeptRows::every_row if there are no groups or the row is in none.
  Index group(Index row) const {
    return facts_.groups.empty() ? KeptRows::every_row : facts_.groups[static_cast<std::size_t>(row)];
  }
  // The distribution that all rows have in common; null if rows have different ones.
  const ScoreDistribution* shared() const { return shared_; }
  ScoreDistribution operator[](Index row) const {
    return shared_ != nullptr ? *shared_ : calibration_->distribution(facts_, row);
  }
  // The distribution of another score that is calibrated in the same way.
  ScoreDistribution of(const CalibratedScores& other, Index row) const {
    const ScoreDistribution* const all = other.of_every_row();
    return all != nullptr ? *all : other.calibration->distribution(facts_, row);
  }

 private:
  const ScoreDistribution* shared_ = nullptr;
  const Calibration* calibration_ = nullptr;
  RowFacts facts_;
};

struct ModelParts {
  FitOptions options;
  FitRecord record;
  std::unique_ptr<Task> task;
  std::vector<Column> schema;          // input columns in the order of training
  std::vector<Column> target_columns;  // one or more, with the formats of their cells; for labels the categories
  Column time;                         // the column of --order-by; its name is empty if there is none
  double latest = -infinity;           // the latest time that the model has seen
  bool by_label = false;               // class-conditional: each value of the target has its own calibration scores
  ScoreDistribution distribution;      // of all calibration rows, with equal weights
  double sure = 0;                     // --sure: for all groups at once if there are groups
  FactReader reader;
  RowFacts calibration_facts;                // in the order of scores; with by_label the groups are values of the target
  std::unique_ptr<Calibration> calibration;  // null for a plain calibration
  ScoreDistribution shared_distribution;     // of every row, if `calibration` gives all rows the same
  CalibratedAlone alone;                     // of single targets; none after a stream, which has other scores
  std::vector<std::string> notes;            // sentences for the user on the calibration
  // The random numbers of a new row depend on this secret and on its inputs. A model without calibration rows has none: smoothing
  // then depends on the row's number, and a neighbourhood on its place.
  std::optional<std::uint64_t> secret;
  TrainingSample training;
  InputSummary calibration_inputs;
  KeptRows kept;
  InputSummary population;  // the rows that --check-shift compares with, if not calibration_inputs; see population.hpp
  SeenRows seen_rows;
  std::vector<std::unique_ptr<ModelParts>> held_out;  // CV+: a model for each part of the rows; see held_out.hpp
  PastInputs past;                                    // inputs made from earlier rows; may be empty
  std::optional<RowHistory> history;                  // training rows of a stream with refits
  // The state of a stream. Calibration rows in order create it, or else the first call that streams.
  std::optional<LevelStream> stream;
  std::unique_ptr<BackgroundFit> beside;  // the next refit, if it has begun; not saved
  std::unique_ptr<ModelParts> replaced;   // the parts before a refit, until the call that refitted succeeds; see StreamRollback
  std::vector<Alarm> alarms_of_fit;       // not saved

  // Number of calibration rows.
  Index calibration_rows() const;
  const std::string& calibration_kind() const;
  // Throws UsageError for a model of CV+, which has intervals but no score distribution. `what`: "'taut explain' needs".
  void require_distribution(const std::string& what) const;
  // Throws UsageError for a model with --exposure. `what`: "'taut explain'".
  void refuse_exposure(const std::string& what) const;
  TableView inputs_of(const TableView& table) const { return (past.empty() ? table : with_past(table)).matched(schema); }
  // Adds the inputs that are made from earlier rows. The rows of the table come after those that the model has seen. They are in
  // the order of their times if the model has a time column, else in the order of the table.
  TableView with_past(const TableView& table) const;
  const Column& target() const { return target_columns.front(); }  // of a task of one target
  Index n_targets() const { return std::ssize(target_columns); }
  // The targets of rows, row after row; see RowTarget.
  std::vector<double> targets(const TableView& table, RowsView rows) const { return task->targets(table, target_columns, rows); }
  // The rows that have all targets. A model of one target is trained on no others.
  Rows rows_with_all_targets(const TableView& table, RowsView rows) const;
  // The targets of all rows; NaN for rows without one, or without one of several.
  std::vector<double> known_targets(const TableView& table) const;

  std::unique_ptr<ScoredRows> see(const TableView& table, Rows rows, int threads) const {
    return task->see(table, inputs_of(table), std::move(rows), threads);
  }
  std::unique_ptr<ScoredRows> see(const TableView& table, int threads) const {
    return see(table, all_rows(table.rows()), threads);
  }
  GroupedRows grouped(const TableView& table, const ScoredRows& seen, const Matrix& made) const {
    return {table, seen.x, seen.rows, made, task->n_predictions()};
  }
  // Groups these rows by any columns, not only those of the calibration.
  GroupedTable group_rows(const TableView& table, const ScoredRows& seen, const std::vector<std::string>& by) const;
  RowDistributions distributions_of(const TableView& table, const ScoredRows& seen, int threads,
                                    UnseenGroups* unseen = nullptr) const;
  ScoreDistribution distribution_of_target_value(Index value) const;  // with by_label
  // The keys of the rows' random numbers; empty for a model without a secret.
  std::vector<std::uint64_t> keys_of(const ScoredRows& seen, int threads) const;

  // Inputs and given predictions.
  std::vector<Column> columns_of_task() const;
  // The same, and the columns that the kind of calibration needs.
  std::vector<Column> prediction_schema() const;

  // Calibrates with rows that were not used for training or model selection. `selection_rows`: rows of the same table that were
  // used, if any. Returns alarms for the user. The model changes only in the last steps, which cannot fail.
  std::vector<Alarm> calibrate(const TableView& table, Rows rows, const CalibrationOptions& how, const Rows& selection_rows,
                               const ExecutionContext& context);
  // Keeps a sample of the training rows.
  void remember(const TableView& table, const Rows& trained, int threads);
  void begin_stream(const StreamOptions& options);
  void remember_row(const StreamRecord& row);
  // Sets the score distributions from the scores and the facts of the calibration rows.
  void set_distribution(std::vector<SignedScore> scores, RowFacts facts);
  void take(CalibratedScores made);
  // Problems of the inputs of rows: cells that do not match their columns, columns that are empty.
  std::vector<Alarm> alarms_of_inputs(const TableView& x) const;
  std::vector<Alarm> alarms_of_columns(const UsableColumns& usable, const Mismatches& mismatches) const;
  OutsideRows begin_outside_check() const;
  // The same of rows that do not calibrate, with an alarm for those outside of the calibration rows.
  std::vector<Alarm> alarms_of_new_inputs(const TableView& x) const;
};

}  // namespace taut
