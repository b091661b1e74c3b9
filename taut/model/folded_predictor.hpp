// One predictor for each fold, trained on the others. Together, as a mean, they predict new rows; alone, each predicts the rows
// of its fold, which it has not seen.
#pragma once

#include <taut/model/fold_inputs.hpp>
#include <taut/model/prediction_limits.hpp>
#include <taut/model/standard_units.hpp>
#include <taut/model/target_scale.hpp>
#include <taut/predict/predictor.hpp>

namespace taut {

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

}  // namespace taut
