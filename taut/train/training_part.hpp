// Which rows train a member of g, and which of them only validate it.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Rows `begin` ... `end` − 1 validate, all others of the `rows` rows train, except where rows come in order: `gap` rows on each
// side of those that validate do neither, so that nothing is learnt from their neighbours in time. Cross-fitting has one part per
// fold; the validation rows of different parts never overlap. Rows are listed when asked for: lists of all parts at once would
// take more memory than three columns of the table.
struct TrainingPart {
  Index rows = 0;
  Index begin = 0, end = 0;
  Index gap = 0;

  Index validation_rows() const { return end - begin; }
  Rows validation() const;
  Rows train() const;
};

// In all of these parts together.
Index count_validation_rows(std::span<const TrainingPart> parts);

// Rows in so many parts of equal size, up to one row: each validates once.
std::vector<TrainingPart> equal_parts(Index rows, Index count, Index gap = 0);

}  // namespace taut
