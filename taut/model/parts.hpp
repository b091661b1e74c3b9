// What a model is made of; inside the library only.
#pragma once

#include <taut/fit/kept_rows.hpp>
#include <taut/guard/drift/drift_check.hpp>
#include <taut/guard/empty_columns.hpp>
#include <taut/guard/seen_rows.hpp>
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

// The laws of many rows; they must not outlive the model.
class LawsOfRows {
 public:
  explicit LawsOfRows(const Law& shared) : shared_(&shared) {}
  LawsOfRows(const Calibration& calibration, RowFacts facts) : calibration_(&calibration), facts_(std::move(facts)) {}

  // The row's group; KeptRows::every_row where there are no groups or it is of none.
  Index group(Index row) const {
    return facts_.groups.empty() ? KeptRows::every_row : facts_.groups[static_cast<std::size_t>(row)];
  }
  // The one law of all rows, where there is one.
  const Law* shared() const { return shared_; }
  Law operator[](Index row) const { return shared_ != nullptr ? *shared_ : calibration_->law(facts_, row); }

 private:
  const Law* shared_ = nullptr;
  const Calibration* calibration_ = nullptr;
  RowFacts facts_;
};

// What calibration scores make; a whole, so that a model takes it over or stays as it is.
struct LawParts {
  // `sure`: of all groups at once where there are groups. `target_values`: where each value of the target has scores of its own,
  // how many there are, and facts.groups are these; one more stands for values that no training row had.
  LawParts(const FactReader& reader, Index target_values, double sure, std::vector<SignedScore> scores, RowFacts facts);

  Law law;
  RowFacts facts;
  std::unique_ptr<Calibration> calibration;
  Law shared;
};

struct ModelParts {
  FitOptions options;
  FitRecord record;
  std::unique_ptr<Task> task;
  std::vector<Column> schema;  // input columns in the order of training
  Column target;               // how its texts are read; of labels its categories
  Column time;                 // of --order-by; without a name where there is none
  double latest = -infinity;   // of the times that the model has seen
  bool by_label = false;       // each value of the target has calibration scores of its own (class-conditional)
  Law law;                     // of all calibration rows, each counting alike
  double sure = 0;             // --sure: for all groups at once where there are groups
  FactReader reader;
  RowFacts calibration_facts;                // in the order of scores; with by_label the groups are values of the target
  std::unique_ptr<Calibration> calibration;  // none where it is plain
  Law shared_law;                            // of every row, where all have the same
  std::vector<std::string> notes;            // on how it was calibrated, for people
  // Random numbers of new rows are keyed to it and to the row's inputs. None in models without calibration rows, where smoothing
  // is keyed to the row's number and neighbourhoods to its place.
  std::optional<std::uint64_t> secret;
  TrainingSample training;
  InputSummary calibration_inputs;
  KeptRows kept;
  InputSummary population;  // what new rows are compared with, where it is not these; see population.hpp
  SeenRows seen_rows;
  std::vector<std::unique_ptr<ModelParts>> held_out;  // CV+: a model for each part of the rows; see held_out.hpp
  PastInputs past;                                    // inputs made from the rows before; empty where there are none
  std::optional<RowHistory> history;                  // where a stream trains anew
  // What moves with time; made by calibration rows in order, or by the first row that is streamed.
  std::optional<LevelStream> stream;
  std::unique_ptr<FitBeside> beside;     // the next fit where it has begun; no file has it
  std::unique_ptr<ModelParts> replaced;  // by a fit of a stream, until the call that trained has ended well; see StreamRollback
  std::vector<Alarm> alarms_of_fit;      // no file has them

  // How many rows calibrate.
  Index calibration_rows() const;
  const std::string& calibration_kind() const;
  // Throws UsageError for a model without one law: CV+ answers intervals only. `what`: "'taut explain' needs".
  void require_law(const std::string& what) const;
  TableView inputs_of(const TableView& table) const { return (past.empty() ? table : with_past(table)).matched(schema); }
  // With the inputs that are made from the past: rows of the table come after those that the model has seen, by their times where
  // these are known, else in the order of the table.
  TableView with_past(const TableView& table) const;
  std::vector<double> targets(const TableView& table, RowsView rows) const { return task->targets(table, target, rows); }
  // NaN for rows that have none.
  std::vector<double> known_targets(const TableView& table) const;

  std::unique_ptr<ScoredRows> see(const TableView& table, Rows rows, int threads) const {
    return task->see(table, inputs_of(table), std::move(rows), threads);
  }
  std::unique_ptr<ScoredRows> see(const TableView& table, int threads) const {
    return see(table, all_rows(table.rows()), threads);
  }
  GroupedRows grouped(const TableView& table, const ScoredRows& seen, const Matrix& made) const {
    return {table, seen.x, seen.rows, made};
  }
  // The groups of these rows by columns that need not be those of the calibration.
  GroupedTable group_rows(const TableView& table, const ScoredRows& seen, const std::vector<std::string>& by) const;
  LawsOfRows laws_of(const TableView& table, const ScoredRows& seen, int threads, UnseenGroups* unseen = nullptr) const;
  Law law_of_target_value(Index value) const;  // with by_label
  // What rows draw their random numbers by; none for models without a secret.
  std::vector<std::uint64_t> keys_of(const ScoredRows& seen, int threads) const;

  // The inputs and given predictions alone; and with what the kind of calibration asks for.
  std::vector<Column> columns_of_task() const;
  std::vector<Column> prediction_schema() const;

  // Scores of rows that took no part in model selection become the law. `choosing`: rows of the same table that did, if it has
  // any. What the user should know is returned. The model changes in the last steps, which do not fail.
  std::vector<Alarm> calibrate(const TableView& table, Rows rows, const CalibrationOptions& how, const Rows& choosing,
                               const ExecutionContext& context);
  // A few of the rows that trained the model.
  void remember(const TableView& table, const Rows& trained, int threads);
  void begin_stream(const StreamOptions& options);
  void remember_row(const StreamRecord& row);
  // Makes the law from the scores and the facts of the calibration rows.
  void set_law(std::vector<SignedScore> scores, RowFacts facts);
  void take(LawParts made);
  // Of rows as the model sees them: cells that do not fit, columns that are empty.
  std::vector<Alarm> alarms_of_inputs(const TableView& x) const;
  std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const;
};

}  // namespace taut
