// A loss of the caller that boosted trees of f minimise instead of the pseudo-Huber loss.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/predict/target_scale.hpp>

#include <functional>
#include <span>
#include <vector>

namespace taut {

// Predictions, targets and weights of some rows, in units of the target. A row without a weight has weight 1.
struct LossRows {
  std::span<const double> prediction, y, weight;
};

// For each row the derivatives of its weighted loss l by the prediction f: gradient ∂l/∂f, and curvature ∂²l/∂f² or an upper
// bound of it. `value` is l itself and may be empty.
struct LossSlopes {
  std::vector<double> gradient, curvature, value = {};
};

// The numbers of a row depend on that row alone, and always in the same way. It is called by the thread that fits, one call after
// another. An exception from it ends the fit and reaches the caller unchanged.
using PointLoss = std::function<LossSlopes(const LossRows&)>;

// The loss of these rows, divided by their weights. Throws Error for another number of results than rows, and for a result that
// is not finite.
LossSlopes slopes_at(const PointLoss& loss, std::span<const double> prediction, std::span<const double> y,
                     RowWeights weights = {});

// Compares the curvature with differences of the gradient, and the gradient with differences of the value if there is one, at
// predictions and targets within the range of `y`. Throws Error with the point, what was found and what was expected. A curvature
// may be larger than the differences, as an upper bound is. Kinks are skipped.
void check_loss(const PointLoss& loss, std::span<const double> y, const ExecutionContext& context);

// What a predictor needs besides the standardised targets that it is given.
struct OwnTarget {
  const PointLoss& loss;
  StandardUnits units;
  std::span<const double> y;  // of the training rows, in units of the target: the caller's numbers to the last bit
  RowWeights weights = {};    // of the training rows
};

// The loss as boosting sees it: f = start + unit · margin, and one unit of curvature for an average row, so that the
// regularisation of leaves has its usual meaning whatever the units of the target and of the loss.
class OwnLoss {
 public:
  static constexpr bool sets_leaves = false, is_batched = true;

  // `start` becomes the constant with the smallest loss.
  explicit OwnLoss(const OwnTarget& target);
  double start() const { return start_; }

  // ∂l/∂margin = unit · gradient, ∂²l/∂margin² = unit² · curvature, both divided by the mean of the latter at the start. A
  // curvature below a thousandth of that mean is raised to it: steps where the loss is flat or bends down stay finite.
  // Rows are not weighted here: trees weight them.
  void find_slopes(std::span<const double> margins, std::span<const double> y, RowWeights weights, Matrix& gradient,
                   Matrix& curvature) const;
  // The mean loss of held-out rows, up to a constant. Call it once after every round, from the start. If the loss has no values,
  // its changes are integrals of the gradient by the trapezoidal rule, exact for squared errors.
  double mean_loss(std::span<const double> margins, std::span<const double> y, RowWeights weights);

 private:
  std::vector<double> predictions(std::span<const double> margins) const;

  const PointLoss* loss_;
  double start_ = 0, unit_ = 1, mean_curvature_ = 1;
  std::vector<double> before_, gradient_before_;  // predictions and gradients at the last call of mean_loss()
  double sum_ = 0;
};

}  // namespace taut
