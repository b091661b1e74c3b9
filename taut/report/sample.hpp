// A random sample of rows for charts, because a page cannot contain all of them. All other numbers use all rows.
#pragma once

#include <taut/report/json.hpp>
#include <taut/task/number/regressor.hpp>

#include <optional>
#include <vector>

namespace taut {

// Test rows whose targets are numbers.
struct TestNumbers {
  const Regressor& model;
  const TableView& table;
  std::span<const double> y, f;
};

// Data from which the page computes the intervals of sampled rows at any level of its slider.
struct Sample {
  Rows rows;  // of the test table, in random order

  // For a scale family: half-width = e^(log factor of the level + log scale of the row and side). Exact up to rounding.
  bool has_closed_form = false;
  std::vector<double> log_factor;  // per level
  Matrix log_scale;                // row x side

  // Otherwise: the two half-widths at some levels; the page interpolates between them.
  std::vector<std::size_t> knots;  // positions among the levels
  Matrix below, above;             // row x knot; negative if the set is empty

  // Per row: the position of the first level from which on it is covered; the number of levels if there is none.
  std::vector<std::size_t> covered_from;
};

// These rows of a test table, with the columns that predictions need.
Table chosen_rows(const Regressor& model, const TableView& test, const Rows& rows);

Sample draw_sample(const TestNumbers& test, std::span<const double> levels, Index maximum, const ExecutionContext& context);
// The first `count` rows of the sample.
Json sample_json(const TestNumbers& test, const Sample& sample, std::size_t count);

// A bound in a scale family, the same for all rows: exp(log_factor) times the scale of the row from f, on this side of it.
struct ScaledBound {
  Side side;
  double log_factor;  // −infinity at f itself
};

// The predictive distribution at each sampled row, as one-sided bounds at every level of the slider. The bounds at 0.5 to 0.99
// are the quantiles from 1 to 99 %.
struct DistributionSample {
  bool is_known = false;  // model files of version 0.1 do not store the sides of scores
  bool has_closed_form = false;
  std::vector<std::optional<ScaledBound>> lower, upper;  // per level; empty if there are too few calibration rows

  // Otherwise: distances from f at some levels for the first rows of the sample; the page interpolates between them.
  std::vector<std::size_t> knots;     // positions among the levels
  Matrix lower_from_f, upper_from_f;  // row x knot; infinite if there are too few calibration rows
};

DistributionSample draw_distribution(const TestNumbers& test, const Sample& sample, std::span<const double> levels,
                                     const ExecutionContext& context);
Json distribution_json(const DistributionSample& distribution, std::size_t count);

}  // namespace taut
