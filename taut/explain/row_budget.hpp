// How many rows are needed: what a number of rows delivers exactly, and where a falling score goes.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/options/options.hpp>

#include <optional>
#include <span>
#include <vector>

namespace taut {

// How many rows are needed, before anything is fitted: what so many rows deliver, exactly.

// One level with so many rows. The coverage of the intervals on all rows there could be is a random number, because calibration
// rows are drawn: its law is Beta(rank, calibration rows + 1 − rank).
struct LevelBudget {
  double confidence = 0;
  Index rank = 0;        // above the calibration rows: intervals are the whole line
  double delivered = 0;  // rank / (calibration rows + 1): the mean of that law
  Band band = {};        // where the coverage lies with the band's probability
};

struct RowBudget {
  Index rows = 0, calibration_rows = 0;
  std::vector<LevelBudget> levels;
};

struct BudgetQuestion {
  FitOptions options = {};          // how rows are split
  std::vector<double> levels = {};  // of confidence
  double probability = 0.99;        // of bands
  Index test_rows = 0;              // 0: bands of the coverage on any number of rows; else of what is found on so many
};

// An Error where there are too few rows to fit anything.
RowBudget row_budget(Index rows, const BudgetQuestion& question);

// The fewest rows whose intervals at this level are not the whole line; and those whose band reaches no further than `reach` from
// the level on either side. Nothing where no more than `most` rows do.
Index least_rows(double confidence, const FitOptions& options);
std::optional<Index> rows_for_band(double confidence, double reach, const BudgetQuestion& question, Index most);

// A score that falls with the number of rows, score ≈ a + b n^(−c), from a few noisy points: where it goes, and how sure that is.

// What was measured with so many rows.
struct CurvePoint {
  double rows = 0;
  double value = 0;
  double error = 0;  // standard error, compared with the other points
};

struct Extrapolated {
  double rows = 0;
  double value = 0;  // the median
  double low = 0, high = 0;
};

// Curves a + b n^(−c) with a, b >= 0, drawn in proportion to how well they fit the points; before the points are seen c lies in
// [0.05, 1.5], every ratio of two exponents alike: flat curves are as common as steep ones. Beyond the points a curve may bend:
// real ones are no power laws, trees grow deeper when rows allow it, so the slope of each drawn curve is turned a little, at
// random.
class PowerLaws {
 public:
  // At least two points with positive values. `common_error`: relative, of all points together, because they were measured on
  // the same rows.
  PowerLaws(std::span<const CurvePoint> points, double common_error, std::uint64_t seed);

  // The band holds with this probability. `own_error`: relative, of the measurement that it is for; 0: of the curve itself.
  Extrapolated at(double rows, double probability, double own_error = 0) const;
  // What infinitely many rows would leave.
  Extrapolated floor(double probability) const;

 private:
  struct Curve {
    double a, b, c;
    double turn;              // standard normal draws: of the slope beyond the points,
    double noise, own_noise;  // and for the errors
  };
  template <class ValueOf>
  Extrapolated band(double rows, double probability, ValueOf value_of) const;

  double common_error_;
  double unit_;  // of rows
  std::vector<Curve> curves_;
};

}  // namespace taut
