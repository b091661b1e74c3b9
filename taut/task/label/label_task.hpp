// The task of targets that are one of a few labels: probabilities, a conformity score of each label, and prediction sets.
#pragma once

#include <taut/model/parts.hpp>
#include <taut/task/label/class_predictor.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/label/row_labels.hpp>
#include <taut/task/label/set_shift.hpp>

namespace taut {

class LabelTask;

// Rows with the probabilities p of labels and the shifts g.
class LabelRows final : public ScoredRows {
 public:
  LabelRows(const LabelTask& of, TableView inputs, Rows which, Matrix probabilities, std::vector<double> shifts)
      : ScoredRows(std::move(inputs), std::move(which)), p(std::move(probabilities)), g(std::move(shifts)), task_(of) {}

  Matrix p;
  std::vector<double> g;

  std::span<const double> probabilities(Index i) const { return {p.row(i).data(), static_cast<std::size_t>(p.cols())}; }
  // Scores of all labels at the i-th row.
  void scores(Index i, double uniform, std::span<double> out) const;
  SignedScore score(Index i, RowTarget label, double uniform) const override;
  // The largest probability and, if g is trained, g.
  Matrix outputs() const override;
  Matrix given() const override;
  void issue(Index i, RowTarget label, const StreamStep& step, Streamed& result, StreamRecord& record) const override;

 private:
  const LabelTask& task_;
};

class LabelTask final : public Task {
 public:
  static constexpr std::string_view listed_name = "classification", in_file = "classes";

  explicit LabelTask(LabelOptions chosen = {}) : options(std::move(chosen)) { options.use_current_names(); }

  LabelOptions options;
  std::uint64_t seed = 0;
  LabelRecord record;
  std::vector<std::string> labels;
  std::vector<std::string> given;  // columns with probabilities; empty: the predictor computes them
  ClassPredictor predictor;
  CorrectedLogits corrected;  // corrects given probabilities
  std::unique_ptr<ClassScore> label_score;
  SetShift shift;

  Index classes() const { return std::ssize(labels); }

  std::string_view name() const override { return listed_name; }
  ColumnKind target_kind() const override { return ColumnKind::category; }
  std::unique_ptr<Task> unfitted() const override { return std::make_unique<LabelTask>(options); }
  void check(const FitOptions& shared) const override;
  RowPlan plan(const TableView& table, const Rows& usable, Index n_with_target, const FitOptions& asked,
               bool calibration_elsewhere, const ExecutionContext& context) override;
  void fit(const FitRequest& request, ModelParts& parts) override;

  std::vector<std::string> given_columns() const override { return given; }
  std::unique_ptr<ScoredRows> see(const TableView& table, TableView x, Rows rows, int threads) const override;
  Index n_outputs() const override { return shift.empty() ? 1 : 2; }
  // The position of each row's label among the labels of training; classes() for any other label.
  std::vector<double> targets(const TableView& table, std::span<const Column> columns, RowsView rows) const override;
  bool is_never_covered(double label) const override { return label >= static_cast<double>(classes()); }
  double uniform_of_calibration(Index row) const override {
    return uniform(UniformsOf::calibration, static_cast<std::uint64_t>(row));
  }
  Index n_target_values() const override { return classes(); }
  std::vector<std::string> target_values() const override { return labels; }

  SignedScore stream_score(SignedScore score) const override { return {Side::above, bounded(score.score)}; }
  void check_stream(const ModelParts& parts, const StreamOptions& asked) const override;
  void check_refit(const std::string& option) const override;
  std::unique_ptr<Streamed> new_streamed() const override { return std::make_unique<StreamedSets>(); }

  std::vector<Alarm> alarms_of_targets(std::span<const double> targets, const FitOptions& shared) const override;
  std::vector<std::string> notes_on_targets(std::span<const double> targets, bool by_value) const override;

  std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const override;
  std::unique_ptr<RegionEvaluator> judge(const EvaluationRequest& request) const override;
  RegionWords region_words() const override;
  std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const override;
  std::vector<ResultColumn> stream_cells(const Streamed& streamed) const override;
  std::string describe_parts(const ModelParts& parts) const override;
  Value facts(const ModelParts& parts) const override;
  std::string describe_fit(const ModelParts& parts) const override;
  std::string describe_target(const ModelParts& parts, std::size_t max_names) const override;
  std::string describe_out_of_fold(const ModelParts& parts) const override;
  std::string describe_unbounded() const override { return "sets hold every label"; }

  void save(Archive archive) const override;
  static std::unique_ptr<Task> load(const Archive& archive, ModelParts& parts);

  Matrix probabilities(const TableView& table, const TableView& x, RowsView rows, int threads) const;
  // The scores of all labels at a row that are calibrated: φ(a; g).
  void scores(std::span<const double> p, double g, double uniform, std::span<double> out) const;
  // Random numbers of randomised scores. Calibration rows and new rows have different random streams.
  enum class UniformsOf : std::uint64_t { calibration = 1, prediction = 2 };
  double uniform(UniformsOf which, std::uint64_t row) const;
  // A finite score for a stream. The score of an unknown label is larger than any other.
  double bounded(double score) const;

 private:
  FitOptions planned_;  // the options of the fit, with the shares that plan() has set
  void learn_shift(const RowsOfShift& rows, const Matrix& v, RowLabels labels_of_rows, const std::vector<TrainingPart>& folds,
                   const ExecutionContext& context);
  void correct_given(const TableView& x, const RowPlan& plan, RowLabels labels_of_rows, Matrix& logits,
                     const ExecutionContext& context);
};

TaskEntry label_entry();

const LabelTask& label_task(const ModelParts& parts);
PredictedSets predict_sets(const ModelParts& parts, const TableView& table, std::span<const double> levels,
                           const SetAskOptions& asked, const ExecutionContext& context);
// The sets of the rows of `seen`. The result has no probabilities, because `seen` has them.
PredictedSets sets_of(const ModelParts& parts, const LabelRows& seen, const RowDistributions& distributions,
                      std::span<const double> levels, const SetAskOptions& asked, const ExecutionContext& context);
LabelRows see_labels(const ModelParts& parts, const TableView& table, Rows rows, int threads);

}  // namespace taut
