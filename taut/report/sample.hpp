// The rows that the page draws: a random choice, since a page cannot carry them all. All other numbers use all rows.
#pragma once

#include <taut/report/test_rows.hpp>

#include <vector>

namespace taut {

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
// Half-width over scale at a score, which a scale family has in common for all rows.
double log_factor_of(const Regressor& model, double score);

Sample draw_sample(const TestRows& rows, const TableView& test, std::span<const double> levels, Index most,
                   const ExecutionContext& context);

}  // namespace taut
