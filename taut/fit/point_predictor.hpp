// What is predicted at x in the user's units, f or two ends: by one predictor, or a weighted mean of several. Each is trained
// once or once for every fold.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/fit/imported.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>

#include <map>

namespace taut {

class PointPredictor {
 public:
  PointPredictor() = default;
  explicit PointPredictor(ImportedPredictor imported) : imported_(std::make_shared<ImportedPredictor>(std::move(imported))) {}

  // Trained on plan.predictor, with predictions of every row of plan.transform by a predictor that has not seen it: with folds,
  // the members that the other folds trained.
  struct Fitted;
  static Fitted fit(const TableView& x, std::span<const double> y, const RowPlan& plan, const FitOptions& options,
                    const ExecutionContext& context);

  RowPredictions predict(const TableView& x, RowsView rows, int threads) const;
  RowPrediction predict_row(const double* row) const;

  // f of another library, which has no parts of ours; nullptr where Taut trained it.
  const ImportedPredictor* imported() const { return imported_.get(); }

  // What it is made of, for those who explain it.
  struct Part {
    FoldedPredictor predictor;
    double weight = 1;
  };
  const std::vector<Part>& parts() const { return parts_; }
  const Encoder& encoder(Encoding encoding) const { return encoders_.at(encoding); }

  void save(Archive archive) const;
  static PointPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  // Its inputs have been prepared.
  void add(FoldedPredictor predictor, double weight, const FoldInputs& inputs);
  std::size_t outputs() const { return parts_.front().predictor.outputs(); }
  template <class InputsOf>
  RowPredictions weighted_mean(Index rows, InputsOf inputs_of, int threads) const;
  static PointPredictor load_stack(const Archive& archive, const std::vector<Column>& schema);

  std::shared_ptr<const ImportedPredictor> imported_;
  std::vector<Part> parts_;
  std::map<Encoding, Encoder> encoders_;  // those that a part needs
};

struct PointPredictor::Fitted {
  PointPredictor predictor;
  RowPredictions out_of_sample;  // of plan.transform
  StackRecord stack;             // empty for a single predictor
};

}  // namespace taut
