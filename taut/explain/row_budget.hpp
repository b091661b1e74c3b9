// How many rows are needed: the exact coverage for a number of rows, and the extrapolation of a learning curve.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/options/options.hpp>

#include <optional>
#include <span>
#include <vector>

namespace taut {

// One level with a given number of rows. The coverage given the calibration set is random, because calibration rows are sampled:
// its distribution is Beta(rank, calibration rows + 1 − rank). Nothing has to be fitted to know it.
struct LevelBudget {
  double confidence = 0;
  Index rank = 0;        // above the number of calibration rows: intervals are unbounded
  double delivered = 0;  // rank / (calibration rows + 1): the mean coverage
  Band band = {};        // contains the coverage with the probability BudgetQuestion::probability
};

struct RowBudget {
  Index rows = 0, calibration_rows = 0;
  std::vector<LevelBudget> levels;
};

struct BudgetQuestion {
  FitOptions options = {};          // how rows are split
  std::vector<double> levels = {};  // confidence levels
  double probability = 0.99;        // of bands
  Index test_rows = 0;              // 0: bands of the true coverage; else of the coverage measured on `test_rows` rows
};

// Throws an Error if there are too few rows for a fit.
RowBudget row_budget(Index rows, const BudgetQuestion& question);

// The smallest number of rows with bounded intervals at this level.
Index min_rows(double confidence, const FitOptions& options);
// The smallest number of rows whose band lies within `reach` of the level on either side; nothing if that takes more than
// `maximum` rows.
std::optional<Index> rows_for_band(double confidence, double reach, const BudgetQuestion& question, Index maximum);

// One measured point of a learning curve.
struct CurvePoint {
  double rows = 0;
  double value = 0;
  double error = 0;  // standard error for comparisons with the other points
};

struct Extrapolated {
  double rows = 0;
  double value = 0;  // the median
  double low = 0, high = 0;
};

// Extrapolates a score that falls with the number of rows n from a few noisy points, with a band. It samples curves
// a + b n^(−c) with a, b >= 0 in proportion to their likelihood. The prior of c is log-uniform on [0.05, 1.5]. Real learning
// curves are not exact power laws, because trees grow deeper with more rows. The slope of each curve therefore changes at random
// beyond the points.
class PowerLaws {
 public:
  // Needs at least two points with positive values, else throws an Error. `common_error` is the relative error that all points
  // share because they were measured on the same rows.
  PowerLaws(std::span<const CurvePoint> points, double common_error, std::uint64_t seed);

  // The score at `rows` rows, in a band with this probability. `own_error` is the relative error of a new measurement there; with
  // 0 the band is for the curve itself.
  Extrapolated at(double rows, double probability, double own_error = 0) const;
  // The limit of the score for infinitely many rows.
  Extrapolated floor(double probability) const;

 private:
  struct Curve {
    double a, b, c;
    double turn;              // standard normal: the change of slope beyond the points
    double noise, own_noise;  // standard normal: the common error and the error of a new measurement
  };
  template <class ValueOf>
  Extrapolated band(double rows, double probability, ValueOf value_of) const;

  double common_error_;
  double unit_;  // the largest number of rows of a point; rows are measured in it
  std::vector<Curve> curves_;
};

}  // namespace taut
