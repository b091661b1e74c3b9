// Quantile regression on calibration rows, for a threshold that holds in every group of a list at once.
#pragma once

#include <taut/calibrate/scored_rows.hpp>

#include <memory>

namespace taut {

// Quantile regression by the dual simplex method, for right-hand sides that change.

// Each calibration row i has a number z_i from 0 to 1: 0 where its score lies below the fitted quantile, 1 where it lies above,
// anything between for the rows of the basis, through which the fit passes. Wanted are the z with the largest Σ z_i S_i and
//   Σ z_i Φ_i = target.
// Whatever the basis, the signs of the residuals give the other rows their z, and the basis is optimal if its own z then lie
// between 0 and 1. So the optimum for one target is a start for every other: the farther z leaves the basis, and the fit turns
// until as many residuals have changed their signs as it takes to bring z back (a long step), where a new row enters.
class QuantileBasis {
 public:
  // Any basis; `solve` finds the best one.
  QuantileBasis(const ScoredRows& rows, std::span<const double> target);

  void move_target(double factor, std::span<const double> direction);

  // From now on the residuals of the rows nearest to the fit are followed. The others are looked at when the end seems to be
  // reached, and those on the other side by then are followed too: nothing but the time changes.
  void follow_nearest_rows();

  enum class Outcome { solved, impossible, given_up };  // impossible: no z meets the target
  // With a direction the basis is also optimal for target + ε · direction, for all ε that are
  // small enough: this tells which side is meant where the fit is not unique.
  Outcome solve(std::span<const double> direction = {});

  // The fitted quantile of a row, from the scores as they were given; −infinity and infinity as these are.
  double fitted(std::span<const double> row) const;

 private:
  enum class Place : std::uint8_t { below, above, basis };
  // A row of the basis that has to leave, to which end, and how far it is beyond.
  struct Leaving {
    std::size_t slot;
    Place end;
    double excess;
  };
  // A row whose residual changes its sign when the fit has turned by `turn`; `at`: its number among the followed rows.
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

  const ScoredRows* rows_;
  std::vector<Place> places_;
  std::vector<std::size_t> basis_;  // rows
  std::vector<double> inverse_;     // transposed and row-major: row k gives the coefficient of basis row k
  std::vector<double> left_;        // target − Σ of rows above: what the rows of the basis have to make up

  std::vector<std::size_t> followed_;  // rows
  std::vector<double> residuals_, slopes_;
  std::vector<Crossing> crossings_;
  std::size_t pivots_ = 0, since_inverted_ = 0;
};

// A cut-off for the score of a new row that keeps its promise for every group of a list at once, overlapping ones too, and for
// every function of a class (Gibbs, Cherian and Candès 2023).

// Quantile regression at `level` of the scores on the class, with the new row among the rows. Its own score is unknown, but
// η, the slope of the loss at its residual, rises with it from level − 1 to level, and Σ η f(x) over all rows is 0 for every
// f of the class. Rows being exchangeable, the set of scores with η <= U, U uniform from level − 1 to level, has
//   E[f(x) (1{covered} − level)] = 0
// for every f of the class: coverage is exactly the level in every group, averaged over nothing else. The set of scores whose η
// is below `level` needs no draw and covers at least. Ties among scores can only add to both.
//
// The largest such score is the fitted quantile at the new row where its η is held at U: one small change to the regression on
// the calibration rows alone, from which each row starts.
class ConditionalQuantile {
 public:
  ConditionalQuantile(std::shared_ptr<const ScoredRows> rows, double level);

  // Scores up to this one are in the set. Infinity is the whole line: the row is in a group that has too few calibration rows for
  // the level, or none.
  double cut_off(std::span<const double> functions) const;
  // Drawn so that coverage is exact; `uniform` from [0, 1) belongs to the row. Nothing means the empty set; −infinity is a score.
  std::optional<double> smoothed_cut_off(std::span<const double> functions, double uniform) const;

  const ScoredRows& rows() const { return *rows_; }
  double level() const { return level_; }

 private:
  std::optional<double> fitted(std::span<const double> functions, double own, bool from_below) const;

  std::shared_ptr<const ScoredRows> rows_;
  double level_;
  QuantileBasis start_;  // of the calibration rows alone
};

}  // namespace taut
