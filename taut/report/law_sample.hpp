// The law of y at each drawn row, as the page draws it: one-sided bounds at every level of the slider. Those at 0.5 to 0.99 are
// the quantiles from 1 to 99 percent.
#pragma once

#include <taut/report/sample.hpp>

#include <optional>

namespace taut {

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

LawSample draw_law(const TestRows& rows, const TableView& test, const Sample& sample, std::span<const double> levels,
                   const ExecutionContext& context);

}  // namespace taut
