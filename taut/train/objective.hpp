// What training minimises: a pure function of the residuals and of g, with its gradient and a curvature.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// Some rows as an objective sees them. With two `sides` row i of `g` holds the parameters for below, then those for above; with
// one both sides share them.
struct ObjectiveRows {
  std::span<const double> residual;  // in units of their mean over the training rows
  std::span<const Side> side;
  const Transform& transform;
  const Matrix& g;
  int sides = 1;
  bool sample = false;  // a mini-batch: use the form whose expectation does not depend on its size
  int threads = 1;

  Index rows() const { return static_cast<Index>(residual.size()); }
  const double* params(Index row, Side which) const {
    return g.row(row).data() + (sides == 2 ? static_cast<Index>(which) * transform.n_params() : 0);
  }
};

class Objective {
 public:
  virtual ~Objective() = default;

  // Its policy: what a plan needs to know about it. See plan.cpp.

  // Whether it can train this class; some need a scale.
  virtual bool fits(const Transform&) const { return true; }
  // The confidence levels that it aims at; none: all of them.
  virtual std::vector<double> levels() const { return {}; }
  // Whether it finds a good g only from a good start, because it is not convex: another objective then trains a first stage.
  virtual bool needs_warm_up() const { return false; }
  // Objectives with a similar aim that compete with it where there are two sides and the user has named none.
  virtual std::vector<std::string> two_sided_companions() const { return {}; }

  // The e of its minimiser s ∝ E[r|x]^e, where it has one of this form: then s may be fitted as E[r|x] and raised to e.
  virtual std::optional<double> scale_exponent() const { return {}; }

  // The least number of rows in an update for which the objective is meaningful.
  virtual Index least_batch() const { return 2; }

  // What a split of a tree must gain, in the objective's own units: twice the fall of the loss, summed over rows. Useful
  // only where these units allow telling signal from noise.
  virtual double least_gain() const { return 0; }

  // The loss; ∂loss/∂g and a positive diagonal curvature into the two matrices, shaped like g, unless null.
  virtual double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const = 0;

  // Whether that is the interval score over all levels, and not a width or one level: then a curve may follow the scale.
  virtual bool judged_by_interval_score() const { return false; }

  // What candidates (one side or two, trained or fixed) are compared by on validation rows: smaller is better. It must be the
  // same quantity for one side and for two: the loss itself, unless that differs between them.
  virtual double validation_loss(const ObjectiveRows& rows) const { return evaluate(rows, nullptr, nullptr); }
};

Registry<Objective>& objectives();

}  // namespace taut
