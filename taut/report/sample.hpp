// The rows that the page draws: a random choice, since a page cannot carry them all. All other numbers use all rows.
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

// What the page computes the intervals of a row from, at any level of its slider.
struct Sample {
  Rows rows;  // of the test table, in random order

  // A scale family: half-width = e^(log factor of the level + log scale of the row and side). Exact but for rounding.
  bool has_closed_form = false;
  std::vector<double> log_factor;  // per level
  Matrix log_scale;                // row x side

  // Otherwise: the two half-widths at some levels, between which the page interpolates.
  std::vector<std::size_t> knots;  // positions among the levels
  Matrix below, above;             // row x knot, negative where the set is empty

  std::vector<std::size_t> covered_from;  // per row: the first level that covers it, their number where none does
};

// Some rows of a test table with the columns that predicting needs.
Table chosen_rows(const Regressor& model, const TableView& test, const Rows& rows);

Sample draw_sample(const TestNumbers& test, std::span<const double> levels, Index most, const ExecutionContext& context);
// The first `count` rows.
Json sample_json(const TestNumbers& test, const Sample& sample, std::size_t count);

// The law of y at each drawn row, as the page draws it: one-sided bounds at every level of the slider. Those at 0.5 to 0.99 are
// the quantiles from 1 to 99 percent.

// A bound of a scale family, the same for all rows: so many scales (their log) from f, on this side of it.
struct ScaledBound {
  Side side;
  double log_factor;  // −infinity at f itself
};

struct LawSample {
  bool is_known = false;  // a model file of 0.1 does not know the sides
  bool has_closed_form = false;
  std::vector<std::optional<ScaledBound>> lower, upper;  // per level; nothing where there are too few rows

  // Otherwise: distances from f at some levels for the first rows of the sample, between which the page interpolates.
  std::vector<std::size_t> knots;     // positions among the levels
  Matrix lower_from_f, upper_from_f;  // row x knot, infinite where there are too few rows
};

LawSample draw_law(const TestNumbers& test, const Sample& sample, std::span<const double> levels,
                   const ExecutionContext& context);
Json law_json(const LawSample& law, std::size_t count);

}  // namespace taut
