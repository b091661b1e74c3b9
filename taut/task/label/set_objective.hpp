// What g is trained for: the mean size of sets at a level, smoothed, or coverage that is equal across x.
//
// With v_ik the log odds of the score of label k at row i, row i's set at a cut-off c holds the labels with v_ik ≤ c + g_i. For σ
// the logistic function and a bandwidth h, with t_i = c + g_i,
//   C_i = σ((t_i − v_iy) / h)      holds the true label, smoothed
//   S_i = Σ_k σ((t_i − v_ik) / h)  the size of the set, smoothed
// and the cut-off is the one with mean C_i = the level. Its slope follows from that: dc = −Σ C_i' dg_i / Σ C_i'.
//
// size:         J = mean S_i,  ∂J/∂g_i = (S_i' − λ C_i') / n,  λ = Σ S_j' / Σ C_j', the price of coverage in labels.
// conditional:  J = mean of h log(1 + e^((t_i − v_iy) / h)) − level · t_i, the pinball loss of the quantile of v_iy given x,
//               smoothed; c is its minimum over shifts, so ∂J/∂g_i = (C_i − level) / n: nowhere too much coverage or too little.
// With several levels J is the mean over them, each with a cut-off of its own.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

struct SetRows {
  const Matrix& v;                // rows x labels, finite
  std::span<const Index> labels;  // below v.cols()
};

struct SetObjective {
  enum class Goal { size, conditional };
  Goal goal = Goal::size;
  std::vector<double> levels = {0.9};
  double bandwidth = 0.5;

  // J at g, one number a row. Gradient and curvature (rows x 1; an upper bound of the diagonal of the Hessian, c held) where they
  // are asked for.
  double value(const SetRows& rows, std::span<const double> g, Matrix* gradient, Matrix* curvature, int threads) const;
  // The cut-off at a level: mean C_i is the level.
  double cut_off(const SetRows& rows, std::span<const double> g, double level) const;
};

}  // namespace taut
