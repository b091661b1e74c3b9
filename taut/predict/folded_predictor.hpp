// One predictor for each fold, trained on the other folds (cross-fitting), and several such predictors trained concurrently.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/predict/own_loss.hpp>
#include <taut/predict/prediction_limits.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/target_scale.hpp>
#include <taut/predict/training_inputs.hpp>

#include <functional>
#include <optional>

namespace taut {

// One member for each fold, trained on the other folds. The mean of the members predicts new rows. Each member alone predicts the
// rows of its fold, which it was not trained on. Copies share their members.
class FoldedPredictor {
 public:
  FoldedPredictor() = default;
  FoldedPredictor(std::string name, TargetScale scale, StandardUnits units);

  const std::string& name() const { return name_; }
  const std::string& scale_name() const { return scale_.name(); }
  Encoding needs() const { return needs_; }
  std::size_t outputs() const { return outputs_; }
  Index n_members() const { return std::ssize(members_); }
  const Predictor& member(Index which) const { return *members_[static_cast<std::size_t>(which)]; }
  const TargetScale& scale() const { return scale_; }
  const StandardUnits& units() const { return units_; }
  const PredictionLimits& limits() const { return limits_; }
  // Maps the mean prediction of the members to units of the target, within the limits. It is an increasing function.
  double in_units(double standard) const { return limits_.held(scale_.backward(units_.value(standard))); }

  // Call resize() first; then call train_member() once for each fold, in any order and from several threads. It trains the member
  // on the rows outside of its fold and returns its predictions for the fold, rows x outputs. `y` has the targets of all rows.
  void resize(std::size_t folds) { members_.resize(folds); }
  // `loss`: of the caller, or null.
  std::vector<double> train_member(std::size_t fold, const FoldInputs& inputs, std::span<const double> y,
                                   const PredictorSettings& settings, const ExecutionContext& context,
                                   const PointLoss* loss = nullptr);

  // Adds the members of another one, which was trained in the same units on other folds of the same rows.
  void append(const FoldedPredictor& other);

  // Limits all later predictions. Predictions that train_member() has returned are not limited.
  void set_limits(const PredictionLimits& limits) { limits_ = limits; }

  // The mean of the members, rows x outputs, in units of the target.
  std::vector<double> predict(const Inputs& inputs, int threads) const;

  // The predictions of one member, before in_units().
  std::vector<double> predict_member(std::size_t which, const Inputs& inputs, int threads) const;

  void save(Archive archive) const;
  static FoldedPredictor load(const Archive& archive);
  // Loads the members after load(). `inputs` is the number of input columns.
  void load_members(const Archive& archive, Index inputs);

 private:
  std::string name_;
  std::size_t outputs_ = 1;
  Encoding needs_ = Encoding::raw;
  TargetScale scale_;
  StandardUnits units_;  // of the target on its scale
  PredictionLimits limits_;
  std::vector<std::shared_ptr<const Predictor>> members_;
};

// A predictor to train, and the scale on which it learns the target.
struct StackCandidate {
  std::string predictor;
  std::string scale = "as-is";
  bool is_limited = true;  // may get prediction limits, chosen on out-of-fold rows; if false, only on a scale other than as-is
  std::optional<StandardUnits> units{};  // of the target on its scale; without them those of the rows
};

// A candidate trained over folds, with its out-of-fold predictions.
struct TrainedCandidate {
  FoldedPredictor predictor;
  std::vector<double> held_out{};  // rows x outputs
  double seconds = 0;              // training time, summed over folds
};

// Rows with their targets and folds. Targets and folds are in the order of `rows`, which must outlive this.
struct StackRows {
  const TableView& x;
  RowsView rows;
  std::vector<double> y;
  std::vector<TrainingPart> folds;
  bool in_order = false;            // folds are blocks of time
  std::vector<double> weights{};    // in the order of `rows`; empty: every row counts once
  const PointLoss* loss = nullptr;  // of the caller; folds are then trained one after another, by the thread that calls
};

// Trains several candidates over the same folds, concurrently. Jobs of a candidate that is no longer wanted are skipped.
class FoldTraining {
 public:
  struct Job {
    std::size_t candidate, fold;
  };

  // `inputs` were made from the same rows. All arguments must outlive this.
  FoldTraining(const std::vector<StackCandidate>& candidates, const StackRows& rows, FoldInputs& inputs,
               const PredictorSettings& settings, const ExecutionContext& context);

  // Runs the jobs concurrently, started in this order. A job is skipped if is_wanted() is false when it would start. done() is
  // called after every job that ran. Both functions are called from several threads.
  void train(const std::vector<Job>& jobs, const std::function<bool(Job)>& is_wanted, const std::function<void(Job)>& done);
  // Predictions of all candidates for the rows of a fold, rows x candidates. All candidates must have been trained for the fold.
  Matrix held_out(std::size_t fold) const;
  // Moves out the candidates to keep, which must have been trained for every fold.
  std::vector<TrainedCandidate> taken(const std::vector<bool>& kept) &&;

 private:
  const StackRows& rows_;
  FoldInputs& inputs_;
  PredictorSettings settings_;
  const ExecutionContext& context_;
  void limit(TrainedCandidate& candidate) const;

  std::vector<TrainedCandidate> candidates_;
  std::vector<bool> are_limited_;
  std::vector<std::vector<std::vector<double>>> held_out_;  // by candidate, by fold
};

// Trains every candidate over all folds, concurrently. `inputs` were made from the same rows.
std::vector<TrainedCandidate> train_over_folds(const std::vector<StackCandidate>& candidates, const StackRows& rows,
                                               FoldInputs& inputs, const PredictorSettings& settings,
                                               const ExecutionContext& context);

}  // namespace taut
