// The objective of training: a pure function of the residuals and of g, with its gradient and a curvature.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// The rows that an objective is evaluated on. With two `sides`, row i of `g` has the parameters for below, then those for above;
// with one, both sides share them.
struct ObjectiveRows {
  std::span<const double> residual;  // in units of their mean over the training rows
  std::span<const Side> side;
  const Transform& transform;
  const Matrix& g;
  int sides = 1;
  bool sample = false;  // these rows are a mini-batch: use the form whose expectation does not depend on its size
  int threads = 1;
  // How much each row counts; with `sample` their mean over all training rows is 1. Gradients and curvatures are those of one row
  // of weight 1, so ∂loss/∂g is the gradient times the weight.
  RowWeights weight{};

  double weight_of(Index row) const { return taut::weight_of(weight, row); }
  // What sums over rows are divided by.
  double total() const { return sample ? static_cast<double>(rows()) : total_weight(weight, rows()); }

  Index rows() const { return static_cast<Index>(residual.size()); }
  const double* params(Index row, Side which) const {
    return g.row(row).data() + (sides == 2 ? static_cast<Index>(which) * transform.n_params() : 0);
  }
};

class Objective {
 public:
  virtual ~Objective() = default;

  // Properties for the training plan (plan.cpp).

  // True if it can train this class; some objectives need a scale.
  virtual bool fits(const Transform&) const { return true; }
  // The confidence levels that it optimises; empty if it optimises all levels.
  virtual std::vector<double> levels() const { return {}; }
  // True if it needs a good start because it is not convex. Another objective then trains a first stage.
  virtual bool needs_warm_up() const { return false; }
  // Objectives with a similar aim that compete with it if there are two sides and the user has not named an objective.
  virtual std::vector<std::string> two_sided_companions() const { return {}; }

  // If its minimiser has the form s ∝ E[r|x]^e, this e. Then s may be fitted as E[r|x] and raised to e.
  virtual std::optional<double> scale_exponent() const { return {}; }

  // The minimum number of rows in an update for which the objective is meaningful.
  virtual Index min_batch() const { return 2; }

  // The minimum gain of a split of a tree: twice the decrease of the loss, summed over rows, in units of the objective. Positive
  // only if these units allow telling signal from noise.
  virtual double min_gain() const { return 0; }

  // Returns the loss. Writes ∂loss/∂g, divided by the weight of the row, and a positive diagonal curvature to the two matrices,
  // shaped like g, unless they are null.
  virtual double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const = 0;

  // True if validation_loss() is the interval score over several levels, not a width or a single level. Then a curve may follow
  // the scale.
  virtual bool validates_by_interval_score() const { return false; }

  // The loss that compares candidates (one side or two, trained or fixed) on validation rows; lower is better. It must be the
  // same quantity for one side and for two. By default it is the training loss.
  virtual double validation_loss(const ObjectiveRows& rows) const { return evaluate(rows, nullptr, nullptr); }
};

Registry<Objective>& objectives();

}  // namespace taut
