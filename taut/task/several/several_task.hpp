// The task of several numeric targets: one region for all of them at once.
#pragma once

#include <taut/model/parts.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/several/choose_region.hpp>
#include <taut/task/several/dependence.hpp>
#include <taut/task/several/joint_region.hpp>

#include <memory>

namespace taut {

class SeveralTask;

struct SeveralOptions {
  std::string region = "auto";
  std::string y_range;  // see target_ranges.hpp

  bool is_given() const { return region != "auto" || !y_range.empty(); }
  void check() const;
  static SeveralOptions from(const TaskOptions& own);
};

// Rows that select the model and have one of the targets, with f and g that were not trained on them.
struct OutOfFoldTarget {
  std::unique_ptr<NumberRows> rows;
  std::vector<double> y;

  std::vector<SignedScore> scores() const;
};

// Rows with f and g of each target.
class SeveralRows final : public ScoredRows {
 public:
  SeveralRows(const SeveralTask& of, TableView inputs, Rows which, std::vector<std::unique_ptr<NumberRows>> targets,
              Matrix dependence_of_rows);

  std::vector<std::unique_ptr<NumberRows>> of_target;
  Matrix dependence;  // of the rows; see dependence.hpp

  JointRow at(Index i) const;
  SignedScore score(Index i, RowTarget y, double uniform) const override;
  // The predictions of all targets, then the log scales of each.
  Matrix outputs() const override;
  // The sizes of common scores.
  Matrix scores_alone(std::span<const double> y) const override;
  void issue(Index i, RowTarget y, const StreamStep& step, Streamed& result, StreamRecord& record) const override;
  // The common scores of calibration rows, for intervals of single targets, random values and linear combinations.
  KeptRows kept(std::span<const double> y, const RowFacts& facts, CalibrationKind kind, Index groups,
                const FitOptions& options) const override;

 private:
  // The numbers of a row that a model keeps: common scores, and whitened ones if the correlation depends on x.
  std::vector<double> numbers_of(Index i, RowTarget y) const;

  const SeveralTask& task_;
};

class SeveralTask final : public Task {
 public:
  static constexpr std::string_view listed_name = "several", in_file = "several";

  explicit SeveralTask(SeveralOptions chosen = {}) : options(std::move(chosen)) {}

  SeveralOptions options;
  std::vector<std::unique_ptr<NumberTask>> of_target;
  std::vector<FitRecord> records;  // of each target
  JointTargets joint;
  std::string region_name;
  std::unique_ptr<JointRegion> region;
  Dependence dependence;            // unused by a box
  std::vector<RegionTrial> trials;  // the regions that validation rows compared

  Index targets_count() const { return joint.count(); }
  // Whether the correlation of targets depends on x. Kept rows then have whitened scores too.
  bool has_local_correlation() const { return !region->is_box() && !dependence.is_constant(); }
  Index kept_columns() const { return (has_local_correlation() ? 2 : 1) * joint.count(); }

  std::string_view name() const override { return listed_name; }
  std::unique_ptr<Task> unfitted() const override { return std::make_unique<SeveralTask>(options); }
  void check(const FitOptions& shared) const override;
  RowPlan plan(const TableView& table, const Rows& usable, Index n_with_target, const FitOptions& shared,
               bool calibration_elsewhere, const ExecutionContext& context) override;
  void fit(const FitRequest& request, ModelParts& parts) override;

  std::unique_ptr<ScoredRows> see(const TableView& table, TableView x, Rows rows, int threads) const override;
  Index n_outputs() const override;
  std::vector<std::string> output_names() const override;
  Index n_predictions() const override { return targets_count(); }
  std::vector<double> targets(const TableView& table, std::span<const Column> columns, RowsView rows) const override;
  SignedScore stream_score(SignedScore score) const override;
  void check_stream(const ModelParts& parts, const StreamOptions& asked) const override;
  void check_refit(const std::string& option) const override;
  std::unique_ptr<Streamed> new_streamed() const override;

  std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const override;
  std::unique_ptr<RegionEvaluator> judge(const EvaluationRequest& request) const override;
  RegionWords region_words() const override;
  std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const override;
  std::vector<ResultColumn> stream_cells(const Streamed& streamed) const override;
  std::string describe_parts(const ModelParts& parts) const override;
  std::string describe_target(const ModelParts& parts, std::size_t max_names) const override;
  std::string describe_out_of_fold(const ModelParts& parts) const override;
  Value facts(const ModelParts& parts) const override;
  std::string describe_fit(const ModelParts& parts) const override;
  std::string describe_unbounded() const override { return "regions are unbounded"; }

  void save(Archive archive) const override;
  static std::unique_ptr<Task> load(const Archive& archive, ModelParts& parts);
  KeptRows load_kept(const Archive& archive, Index groups) const override;

 private:
  void fit_joint(const FitRequest& request, const TableView& x, std::vector<OutOfFoldTarget> targets);
};

TaskEntry several_entry();

// The options of a fit of one target: the others are no inputs.
FitOptions options_of_target(const FitOptions& shared, const std::string& y_range, const std::vector<std::string>& names,
                             std::size_t target);
// Predictions in units of each target's spread, as inputs of the dependence.
Matrix scaled_predictions(const std::vector<std::unique_ptr<NumberRows>>& rows, const JointTargets& joint);

// Throws Error if the model is not one of several targets.
const SeveralTask& several_task(const ModelParts& parts);

}  // namespace taut
