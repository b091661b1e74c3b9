// The point prediction at x in units of the target, f or two ends: one predictor or a weighted mean of several. Each is trained
// once, or once for every fold.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/fit/imported.hpp>
#include <taut/fit/repeats.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>

#include <map>

namespace taut {

class PointPredictor {
 public:
  PointPredictor() = default;
  explicit PointPredictor(ImportedPredictor imported) : imported_(std::make_shared<ImportedPredictor>(std::move(imported))) {}

  // Trains on plan.predictor, and predicts every row of plan.transform by a predictor that was not trained on it: with folds, by
  // the member that was trained on the other folds. `y` and `weights` are of all rows of the table.
  struct Fitted;
  // `loss`: of the caller, minimised by boosted trees instead of their own; or null. f is trained options.repeats times, or as
  // often as `wants` says.
  static Fitted fit(const TableView& x, std::span<const double> y, const RowPlan& plan, const FitOptions& options,
                    const ExecutionContext& context, RowWeights weights = {}, const PointLoss* loss = nullptr,
                    const WantsRepeat& wants = {});
  // f that imitates known values, those of another model, and predicts a row in few microseconds: predictors are trained once,
  // and weighted by the last rows. `out_of_sample` are predictions for `rows`, which should be in random order.
  static Fitted imitate(const TableView& x, RowsView rows, std::span<const double> values, const FitOptions& options,
                        const ExecutionContext& context);

  RowPredictions predict(const TableView& x, RowsView rows, int threads) const;
  RowPrediction predict_row(const double* row) const;

  // Whether predictions of several parts come with their disagreement.
  void tell_disagreement(bool tells) { tells_disagreement_ = tells; }
  bool may_disagree() const;  // whether there are several parts, each with a member for every fold

  // The imported f of another library, which has no parts(); nullptr if Taut trained f.
  const ImportedPredictor* imported() const { return imported_.get(); }

  // The predictors of the weighted mean, for explanations and export.
  struct Part {
    FoldedPredictor predictor;
    double weight = 1;
  };
  const std::vector<Part>& parts() const { return parts_; }
  const Encoder& encoder(Encoding encoding) const { return encoders_.at(encoding); }

  void save(Archive archive) const;
  static PointPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  // `inputs` must have been prepared for the encoding of the predictor.
  void add(FoldedPredictor predictor, double weight, const FoldInputs& inputs, const InputDirections& directions = {});
  std::size_t outputs() const { return parts_.front().predictor.outputs(); }
  template <class InputsOf>
  RowPredictions weighted_mean(InputsOf inputs_of, int threads) const;
  RowPredictions with_disagreement(const std::map<Encoding, MatrixF>& inputs, int threads) const;
  static PointPredictor load_stack(const Archive& archive, const std::vector<Column>& schema);

  std::shared_ptr<const ImportedPredictor> imported_;
  std::vector<Part> parts_;
  std::map<Encoding, Encoder> encoders_;  // those that the parts need
  bool tells_disagreement_ = false;
};

struct PointPredictor::Fitted {
  PointPredictor predictor;
  RowPredictions out_of_sample;  // of plan.transform
  StackRecord stack;             // empty for a single predictor
  Index repeats = 1;             // how often f was trained
};

}  // namespace taut
