// One predictor for each fold, trained on the other folds, and several predictors side by side.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/predict/prediction_limits.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/target_scale.hpp>
#include <taut/predict/training_inputs.hpp>

#include <functional>

namespace taut {

// One predictor for each fold, trained on the others. Together, as a mean, they predict new rows; alone, each predicts the rows
// of its fold, which it has not seen.

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
  // In units of the target, within the limits: an increasing function of what the members predict on average.
  double in_units(double standard) const { return limits_.held(scale_.backward(units_.value(standard))); }

  // As many untrained members as there are folds, then one after the other, in any order and from several threads: trains it on
  // the targets `y` of all rows and gives what it predicts for its fold, rows x outputs.
  void resize(std::size_t folds) { members_.resize(folds); }
  std::vector<double> train_member(std::size_t fold, const FoldInputs& inputs, std::span<const double> y,
                                   const PredictorSettings& settings, const ExecutionContext& context);

  // Of predictions from here on; those of train_member() are not held.
  void set_limits(const PredictionLimits& limits) { limits_ = limits; }

  // The mean of the members, rows x outputs, in units of the target.
  std::vector<double> predict(const Inputs& inputs, int threads) const;

  void save(Archive archive) const;
  static FoldedPredictor load(const Archive& archive);
  // Its members need to know how many inputs there are.
  void load_members(const Archive& archive, Index inputs);

 private:
  std::string name_;
  std::size_t outputs_ = 1;
  Encoding needs_ = Encoding::raw;
  TargetScale scale_;
  StandardUnits units_;  // of the target on its scale
  PredictionLimits limits_;
  std::vector<std::unique_ptr<Predictor>> members_;
};

// Predictors trained over the same folds, side by side. Those that turn out not to be worth it are left out of what is not begun.

// What may be trained: a predictor, and the scale on which it learns the target.
struct StackCandidate {
  std::string predictor;
  std::string scale = "as-is";
  bool is_limited = true;  // predictions stay near the training targets where out-of-fold rows say so; else only on another scale
};

// A candidate trained over folds, with its predictions of the rows that it has not seen.
struct TrainedCandidate {
  FoldedPredictor predictor;
  std::vector<double> held_out{};  // rows x outputs
  double seconds = 0;              // that its training took on one thread or more
};

// Rows with their targets and folds. Targets and folds are in the order of `rows`, which must outlive this.
struct StackRows {
  const TableView& x;
  RowsView rows;
  std::vector<double> y;
  std::vector<TrainingPart> folds;
  bool in_order = false;  // folds are blocks of time
};

class FoldTraining {
 public:
  struct Job {
    std::size_t candidate, fold;
  };

  // `inputs` were made from the same rows. All that is named here must outlive this.
  FoldTraining(const std::vector<StackCandidate>& candidates, const StackRows& rows, FoldInputs& inputs,
               const PredictorSettings& settings, const ExecutionContext& context);

  // Side by side, begun in this order. A job is left out if it is not wanted when its turn comes; `done` hears of the others.
  // Both are called from several threads.
  void train(const std::vector<Job>& jobs, const std::function<bool(Job)>& is_wanted, const std::function<void(Job)>& done);
  // What every candidate predicts for the rows of a fold, once all are trained on it: rows x candidates.
  Matrix held_out(std::size_t fold) const;
  // Those that are to be kept, all of them trained on every fold.
  std::vector<TrainedCandidate> taken(const std::vector<bool>& kept) &&;

 private:
  const StackRows& rows_;
  FoldInputs& inputs_;
  PredictorSettings settings_;
  const ExecutionContext& context_;
  void limit(TrainedCandidate& candidate) const;

  std::vector<TrainedCandidate> candidates_;
  std::vector<bool> are_limited_;
  std::vector<std::vector<std::vector<double>>> held_out_;  // of each candidate, of each fold
};

// Each candidate over all folds, side by side. `inputs` were made from the same rows.
std::vector<TrainedCandidate> train_over_folds(const std::vector<StackCandidate>& candidates, const StackRows& rows,
                                               FoldInputs& inputs, const PredictorSettings& settings,
                                               const ExecutionContext& context);

}  // namespace taut
