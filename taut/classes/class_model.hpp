// Sets of labels behind one type, as Model is for intervals: fit, calibrate, predict_sets, evaluate, save, load.
#pragma once

#include <taut/classes/class_options.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/model/model.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace taut {

// Probabilities and sets of many rows, for every level asked for.
struct PredictedSets {
  Matrix probabilities;               // rows x labels
  std::vector<Index> prediction;      // the most probable label
  std::vector<double> levels;
  std::vector<std::uint8_t> members;  // rows x levels x labels: 1 where the set holds the label
  UnseenGroups unseen = {};           // rows of groups without calibration rows

  Index classes() const { return probabilities.cols(); }
  std::span<const std::uint8_t> set(Index row, std::size_t level) const {
    const auto labels = static_cast<std::size_t>(classes());
    return std::span(members).subspan((static_cast<std::size_t>(row) * levels.size() + level) * labels, labels);
  }
  Index size(Index row, std::size_t level) const;
};

// The rows of one true label, or those whose sets have one size.
struct SetLine {
  std::string name;
  Index rows = 0, covered = 0;
  double mean_size = missing;
  Band band{missing, missing};  // where the coverage lies, 99 times in 100 (Clopper and Pearson, exact)

  double coverage() const { return rows > 0 ? static_cast<double>(covered) / static_cast<double>(rows) : missing; }
};

struct SetLevelReport {
  double confidence = 0;
  Index rank = 0;        // 0 where rows have laws of their own
  double delivered = 0;  // the coverage that calibration guarantees; NaN where rows were fitted in order
  std::vector<std::pair<std::string, double>> metrics;  // see set_metrics.hpp
  double group_coverage = missing;  // --keep-together: the mean over groups of their coverage, which the band is about
  std::vector<SetLine> by_label, by_size;
  // Rows of a true label whose sets hold another: labels x labels, shares of the rows of the first.
  Matrix confusion;

  double metric(std::string_view name) const;
};

struct SetEvaluation {
  Index rows = 0, calibration_rows = 0, unknown_labels = 0;
  std::vector<std::pair<std::string, double>> probabilities;  // how good they are: accuracy, log loss, ...
  std::vector<SetLevelReport> levels;
  std::vector<std::pair<double, std::vector<SetLine>>> groups = {};  // of each level, where groups were asked for
  std::vector<Alarm> alarms = {};
};

struct SetAskOptions {
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are drawn, so that coverage is exact on average
  Index first_row = 0;                          // of one batch of many, in models of earlier versions
};

// What a stream said of each row before its label was learnt. As intervals as long as the set, which hold the target 1/2 where
// the set holds the label, so that whatever judges and keeps streams of numbers does the same for labels.
struct StreamedSets : Streamed {
  PredictedSets sets;
  std::vector<Index> labels;  // -1: not known; classes() and more: one that the model does not know

  static Interval interval_of(const PredictedSets& sets, Index row, std::size_t level, Index label);
};

// What was chosen on rows that may choose.
struct ClassRecord {
  double inverse_temperature = 1;  // of logits as they are given or, where they are mended, after that
  bool mended = false;             // given probabilities, by boosted trees
  double loss_without = missing, loss_with = missing, loss_error = missing;  // see MendedLogits::Fitted, ClassPredictor::Fitted
  bool trained = false;            // g, and kept
  std::string objective;           // that g was trained by: size, conditional; empty: nothing to train
  double without = missing, with = missing, error = missing;  // see SetShift::Fitted
};

struct ClassParts;

class ClassModel {
 public:
  // As Model::fit; predicts_classes() says whether a table is for this one.
  static ClassModel fit(const TableView& table, const FitOptions& options, const ClassOptions& class_options,
                        const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});

  ClassModel(ClassModel&&) noexcept;
  ClassModel& operator=(ClassModel&&) noexcept;
  ~ClassModel();

  std::vector<Alarm> calibrate(const TableView& table, const ExecutionContext& context = {}, const CalibrationOptions& how = {},
                               std::optional<bool> by_label = {});
  Matrix probabilities(const TableView& table, const ExecutionContext& context = {}) const;
  PredictedSets predict_sets(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             const SetAskOptions& asked = {}) const;
  SetEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                         const std::vector<std::string>& by = {}) const;
  // The groups of rows that columns make, written as in --by.
  GroupedTable group_rows(const TableView& table, const std::vector<std::string>& by, const ExecutionContext& context = {}) const;

  // Rows that come one after another, as Model::stream: levels move, scores are those of the true labels; see class_stream.cpp.
  StreamedSets stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                      const ExecutionContext& context = {});
  StreamedSets update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                      std::span<const double> levels = {});
  void begin_stream(std::span<const double> levels, const StreamOptions& options = {});
  void replay(std::span<const StreamRecord> rows);
  void end_stream();
  const LevelStream* stream_state() const;
  std::vector<Column> stream_schema() const;  // the target, the last, may be absent
  // As those of Model.
  const Column& time() const;
  double latest_time() const;

  DriftCheck begin_drift_check() const;
  void add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context = {}) const;
  void add_rows(EmptyColumns& empty, const TableView& table) const;
  std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches = {}) const;
  const std::vector<Alarm>& alarms_of_fit() const;
  std::vector<Alarm> alarms_of_groups(const UnseenGroups& unseen, const Mismatches& mismatches = {}) const;

  std::vector<Column> input_schema() const;
  std::vector<Column> prediction_schema() const;
  std::vector<Column> evaluation_schema() const;
  std::vector<Column> calibration_schema() const;

  const FitOptions& options() const;
  const ClassOptions& class_options() const;
  const std::vector<std::string>& labels() const;
  const Column& target() const;
  const FitRecord& record() const;
  const ClassRecord& class_record() const;
  Index trees() const;    // of f; 0 where probabilities are given
  // Members of f and how much each counts: boost, and where they are better together logistic and boost_from_logistic.
  std::vector<std::pair<std::string, double>> predictor_members() const;
  std::string predictor_in_words() const;  // "boosted trees (550 trees)"; empty where probabilities are given
  Index mended_trees() const;  // of those that mend given probabilities; 0: none
  Index members() const;  // of g; 0: none
  bool by_label() const;
  const Law& law() const;  // of all calibration rows together
  double sure() const;     // --sure of the calibration, 0 without; that of each group or label is law().sure()
  const std::string& calibration_kind() const;
  const std::vector<std::string>& calibration_notes() const;
  // Groups, or labels, and how many calibration rows each has.
  std::vector<GroupSize> calibration_groups() const;
  std::string groups_in_words() const;

  void save(const std::string& path) const;
  static ClassModel load(const std::string& path);
  std::string to_bytes() const;
  static ClassModel from_bytes(std::string_view bytes);

  const ClassParts& parts() const { return *parts_; }  // inside the library

 private:
  explicit ClassModel(std::unique_ptr<ClassParts> parts);

  std::unique_ptr<ClassParts> parts_;
};

// A model of either kind, for commands that take both.
using AnyModel = std::variant<Model, ClassModel>;
AnyModel load_any_model(const std::string& path);

}  // namespace taut
