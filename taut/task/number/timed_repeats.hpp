// How often f is trained within --time.
#pragma once

#include <taut/fit/point_predictor.hpp>
#include <taut/fit/score_model.hpp>
#include <taut/fit/time_budget.hpp>

#include <functional>
#include <optional>

namespace taut {

// After the first f, g is trained on its residuals. This measures both, and is the result if there is no time for more. Otherwise
// f is trained again as long as there is time for one more f and another g.
class TimedRepeats {
 public:
  using FitG = std::function<ScoreModel::Fitted(const RowPredictions&)>;

  // `budget` and `fit_g` must outlive this.
  TimedRepeats(const TimeBudget& budget, const FitG& fit_g) : budget_(budget), fit_g_(fit_g) {}

  WantsRepeat wants();
  // g of the first f alone.
  ScoreModel::Fitted first_g() { return *std::move(g_); }
  // For the progress: the budget, and when the fit is expected to end.
  std::string describe() const;

 private:
  bool wants_another(const Repeats& repeats, const std::function<RowPredictions()>& out_of_sample);
  double seconds_after_f() const;

  const TimeBudget& budget_;
  const FitG& fit_g_;
  std::optional<ScoreModel::Fitted> g_;
  double seconds_of_g_ = 0, expected_end_ = infinity;
  Index expected_repeats_ = 0;
};

}  // namespace taut
