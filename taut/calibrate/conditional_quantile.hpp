// Quantile regression of calibration scores, for a cut-off that is valid in every group of a list at once.
#pragma once

#include <taut/calibrate/regression_rows.hpp>

#include <memory>

namespace taut {

// Quantile regression by the dual simplex method, for right-hand sides that change.

// Each calibration row i has a dual variable z_i in [0, 1]: 0 if its score lies below the fitted quantile, 1 if it lies above,
// and any value for the rows of the basis, through which the fit passes. The problem is to maximise Σ z_i S_i subject to
//   Σ z_i Φ_i = target.
// For any basis, the signs of the residuals determine z of the other rows. The basis is optimal if z of its rows then lies
// in [0, 1]. So the optimum for one target is a starting point for every other target. The basis row with z farthest outside
// leaves the basis. The fit turns until enough residuals have changed sign to bring z back (a long step); there a new row enters.
class QuantileBasis {
 public:
  // Starts with any basis; `solve` finds the optimal one.
  QuantileBasis(const RegressionRows& rows, std::span<const double> target);

  void move_target(double factor, std::span<const double> direction);

  // From now on only the residuals of the rows nearest to the fit are followed, that is updated in each step. The other rows are
  // checked before `solve` ends, and those that have crossed the fit are then followed too. This saves time and does not change
  // the result.
  void follow_nearest_rows();

  enum class Outcome { solved, impossible, given_up };  // impossible: no z meets the target
  // With a direction the basis is also optimal for target + ε · direction, for all sufficiently small ε. This selects a side if
  // the fit is not unique.
  Outcome solve(std::span<const double> direction = {});

  // The fitted quantile of a row, computed from the scores as given. It may be −infinity or infinity.
  double fitted(std::span<const double> row) const;

 private:
  enum class Place : std::uint8_t { below, above, basis };
  // A basis row that must leave, the bound that it moves to, and how far its z lies beyond that bound.
  struct Leaving {
    std::size_t slot;
    Place end;
    double excess;
  };
  // A row whose residual changes its sign when the fit has turned by `turn`; `at`: its index among the followed rows.
  struct Crossing {
    double turn, slope;
    std::size_t at;
  };

  std::size_t rank() const { return basis_.size(); }
  double* inverse_row(std::size_t slot) { return inverse_.data() + slot * rank(); }
  const double* inverse_row(std::size_t slot) const { return inverse_.data() + slot * rank(); }

  std::optional<Leaving> leaving(std::span<const double> direction) const;
  std::optional<Crossing> entering(const Leaving& leaving);
  void exchange(const Leaving& leaving, const Crossing& entering);
  void put(std::size_t row, Place place);

  bool follow_rows_that_crossed();
  bool follow_all_rows();
  void follow(std::vector<std::size_t> rows);

  std::vector<double> coefficients() const;
  void start_anew();
  void invert();
  void compute_residuals();

  const RegressionRows* rows_;
  std::vector<Place> places_;
  std::vector<std::size_t> basis_;  // rows
  std::vector<double> inverse_;     // transposed and row-major: row k gives the coefficient of basis row k
  std::vector<double> left_;        // target − Σ of rows above: the sum that the basis rows must have

  std::vector<std::size_t> followed_;  // rows
  std::vector<double> residuals_, slopes_;
  std::vector<Crossing> crossings_;
  std::size_t pivots_ = 0, since_inverted_ = 0;
};

// A cut-off for the score of a new row that is valid for every group of a list at once, even if groups overlap, and for every
// function of a class (Gibbs, Cherian and Candès 2023).

// The scores are regressed on the class at quantile `level`, with the new row included. The score of the new row is unknown, but
// η, the slope of the loss at its residual, rises with it from level − 1 to level, and Σ η f(x) over all rows is 0 for every f of
// the class. If rows are exchangeable, the set of scores with η <= U, U uniform on [level − 1, level], satisfies
//   E[f(x) (1{covered} − level)] = 0
// for every f of the class: coverage is exactly the level in every group. The set of scores with η below `level` needs no random
// number and covers at least as often. Ties among scores can only enlarge both sets.
//
// The largest such score is the fitted quantile at the new row with its η fixed at U. Each new row starts from the regression on
// the calibration rows alone, which needs only a small change.
class ConditionalQuantile {
 public:
  ConditionalQuantile(std::shared_ptr<const RegressionRows> rows, double level);

  // Scores up to the cut-off are in the set. It is infinite if the row is in a group with too few calibration rows for the level,
  // or none.
  double cut_off(std::span<const double> functions) const;
  // Randomised so that coverage is exact; `uniform` in [0, 1) is the random number of the row. Returns nothing for the empty set;
  // −infinity is a score.
  std::optional<double> smoothed_cut_off(std::span<const double> functions, double uniform) const;

  const RegressionRows& rows() const { return *rows_; }
  double level() const { return level_; }

 private:
  std::optional<double> fitted(std::span<const double> functions, double own, bool from_below) const;

  std::shared_ptr<const RegressionRows> rows_;
  double level_;
  QuantileBasis start_;  // solved for the calibration rows alone
};

}  // namespace taut
