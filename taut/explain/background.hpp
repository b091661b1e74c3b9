// Rows to compare with where nothing exact is known: drawn from what the model file remembers of the calibration rows.
#pragma once

#include <taut/data/column.hpp>
#include <taut/drift/input_summary.hpp>

namespace taut {

// `count` rows of cells. Each column is spread evenly over the values that calibration rows had, independently of the others.
Matrix background_rows(const InputSummary& summary, const std::vector<Column>& schema, Index count, std::uint64_t seed);

}  // namespace taut
