// The objectives of g: the smoothed mean size of sets at a level, or coverage that is equal across x.
//
// Let v_ik be the log odds of the score of label k at row i. The set of row i at a cut-off c contains the labels with
// v_ik ≤ c + g_i. With the logistic function σ, a bandwidth h and t_i = c + g_i,
//   C_i = σ((t_i − v_iy) / h)      is 1 if the set contains the true label, smoothed
//   S_i = Σ_k σ((t_i − v_ik) / h)  is the size of the set, smoothed
// and the cut-off c solves mean C_i = level. Therefore dc = −Σ C_i' dg_i / Σ C_i'.
//
// size:         J = mean S_i,  ∂J/∂g_i = (S_i' − λ C_i') / n,  λ = Σ S_j' / Σ C_j', the price of coverage in labels.
// conditional:  J = mean of h log(1 + e^((t_i − v_iy) / h)) − level · t_i, the pinball loss of the quantile of v_iy given x,
//               smoothed; c minimises it over constant shifts, so ∂J/∂g_i = (C_i − level) / n: the coverage is right for every x.
// With several levels J is the mean over them, and each level has its own cut-off.
#pragma once

#include <taut/core/types.hpp>
#include <taut/task/label/row_labels.hpp>

#include <span>
#include <vector>

namespace taut {

struct SetRows {
  const Matrix& v;   // rows x labels, finite
  RowLabels labels;  // below v.cols()
};

struct SetObjective {
  enum class Goal { size, conditional };
  Goal goal = Goal::size;
  std::vector<double> levels = {0.9};
  double bandwidth = 0.5;

  // J at g, which has one number for each row; means are over rows with their weights, and gradient and curvature are those of a
  // row of weight 1. Gradient and curvature (rows x 1; an upper bound of the diagonal of the Hessian with c fixed) may be null.
  double value(const SetRows& rows, std::span<const double> g, Matrix* gradient, Matrix* curvature, int threads) const;
  // The cut-off c with mean C_i = level.
  double cut_off(const SetRows& rows, std::span<const double> g, double level) const;
};

}  // namespace taut
