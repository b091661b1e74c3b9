// What a model of labels is made of; inside the library only.
#pragma once

#include <taut/classes/class_model.hpp>
#include <taut/classes/class_predictor.hpp>
#include <taut/classes/class_score.hpp>
#include <taut/classes/set_shift.hpp>
#include <taut/drift/input_summary.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/model/fact_reader.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/seen_rows.hpp>

namespace taut {

// Some rows as the model sees them: their inputs, the probabilities of labels, and g.
struct SeenSets {
  TableView x;
  Rows rows;
  Matrix p;
  std::vector<double> g;
};

struct ClassParts {
  FitOptions options;
  ClassOptions class_options;
  FitRecord record;
  ClassRecord class_record;
  std::vector<Column> schema;      // input columns in the order of training
  Column target;                   // its categories are the labels
  std::vector<std::string> given;  // columns with probabilities; empty: the predictor gives them
  ClassPredictor predictor;
  MendedLogits mended;  // of given probabilities
  std::unique_ptr<ClassScore> score;
  SetShift shift;
  bool by_label = false;  // each label has a law of its own
  Law law;                // of all calibration rows, each counting alike
  double sure = 0;        // --sure: for all groups, or labels, at once
  FactReader reader;
  RowFacts calibration_facts;                // in the order of scores; with by_label the groups are labels
  std::unique_ptr<Calibration> calibration;  // none where it is plain
  Law shared_law;                            // of every row, where all have the same
  std::vector<std::string> notes;            // on how it was calibrated, for people
  std::optional<std::uint64_t> secret;       // as in ModelParts
  TrainingSample training;
  InputSummary calibration_inputs;
  InputSummary population;  // what new rows are compared with, where it is not these; see population.hpp
  SeenRows seen_rows;
  Column time;                        // of the rows; without a name where there is none
  double latest = -infinity;          // time that the model has seen
  std::optional<LevelStream> stream;  // what moves with time; made by the first row that is streamed
  std::vector<Alarm> alarms_of_fit;   // no file has them

  Index classes() const { return std::ssize(target.categories); }
  TableView inputs_of(const TableView& table) const { return table.matched(schema); }
  Matrix probabilities(const TableView& table, const TableView& x, RowsView rows, int threads) const;
  SeenSets see(const TableView& table, Rows rows, int threads) const;
  // Scores of all labels at a row, as calibrated: φ(a; g).
  void scores(std::span<const double> p, double g, double uniform, std::span<double> out) const;
  // The draw of a row, for scores that draw. Calibration rows and new rows draw from streams of their own.
  enum class Draws : std::uint64_t { calibration = 1, prediction = 2 };
  double draw(Draws stream, std::uint64_t row) const;
  // What rows draw their random numbers by; none for models without a secret.
  std::vector<std::uint64_t> keys_of(const SeenSets& seen, int threads) const;

  // The largest probability and, where g is trained, g: columns that drift checks and groups know besides the inputs.
  Matrix outputs(const SeenSets& seen) const;
  Index n_outputs() const { return shift.empty() ? 1 : 2; }
  GroupedRows grouped(const TableView& table, const SeenSets& seen, const Matrix& made) const {
    return {table, seen.x, seen.rows, made};
  }
  LawsOfRows laws_of(const TableView& table, const SeenSets& seen, int threads, UnseenGroups* unseen = nullptr) const;
  Law law_of_label(Index label) const;  // with by_label
  // What chance makes of the coverage of all rows of the table; `labels` are theirs.
  CoverageChance chance_of(const TableView& table, std::span<const Index> labels, int threads) const;

  std::vector<Column> prediction_schema() const;
  std::vector<Alarm> calibrate(const TableView& table, Rows rows, const CalibrationOptions& how, bool by_each_label,
                               const Rows& choosing, const ExecutionContext& context);
  void remember(const TableView& table, const Rows& trained, int threads);
  // Scores of calibration rows, oldest first.
  LevelStream started_stream(const StreamSettings& settings, std::span<const double> scores) const;
  // The scores of true labels as a stream takes them.
  std::vector<SignedScore> bounded_scores(std::span<const double> scores) const;
  // `facts.groups` are labels with by_label.
  void set_law(std::vector<double> scores, RowFacts facts);
  LawParts law_of(const FactReader& by, bool by_each_label, double of_all, std::vector<double> scores,
                  RowFacts facts) const;
  void take(LawParts made);
  // As those of ModelParts.
  std::vector<Alarm> alarms_of_inputs(const TableView& x) const;
  std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const;
};

}  // namespace taut
