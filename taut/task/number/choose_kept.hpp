// Samples the calibration rows that a model keeps, whatever numbers of a row are kept.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/fit/kept_rows.hpp>
#include <taut/plan/row_plan.hpp>

#include <functional>

namespace taut {

// The facts of the calibration rows, and the kind of calibration.
struct KeptFacts {
  const RowFacts& facts;
  CalibrationKind kind;
  Index groups;
  const FitOptions& options;
};

using KeptNumbers = std::function<std::vector<double>(Index row)>;

// Adds a sample of the calibration rows to `chosen`, with their groups or weights. `by_contents`: the rows in an order that does
// not depend on their order in a file.
KeptRows choose_kept(KeptRows chosen, const Rows& by_contents, const KeptFacts& of, const KeptNumbers& numbers_of);

}  // namespace taut
