// Random splits of rows: shares, folds, and cross-fitting parts with their training and validation rows.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// A random permutation of 0 ... count - 1 that depends on the seed only.
Rows shuffled(Index count, std::uint64_t seed);

// Cuts a permutation of 0 ... count - 1 into consecutive parts with the given shares. Each boundary is rounded, not each part,
// so shares that sum to 1 use every row. A share below 0, or a sum above 1, is a UsageError.
std::vector<Rows> parts(Index count, std::span<const double> shares, Random& random);

// A permutation of `rows` cut into k folds whose sizes differ by one at most.
std::vector<Rows> folds(RowsView rows, Index k, Random& random);

// The training and validation rows of one member of g. Rows `begin` ... `end` − 1 of the `rows` rows validate; the others train.
// For rows in temporal order, `gap` rows on each side of the validation rows do neither, so that a member does not learn from
// neighbours in time. Cross-fitting has one part per fold; the validation rows of different parts never overlap. Lists of rows
// are made on demand: those of all parts together would take more memory than three columns of the table.
struct TrainingPart {
  Index rows = 0;
  Index begin = 0, end = 0;
  Index gap = 0;

  Index validation_rows() const { return end - begin; }
  Rows validation() const;
  Rows train() const;
};

// The number of validation rows in all of these parts together.
Index count_validation_rows(std::span<const TrainingPart> parts);

// `count` parts whose sizes differ by one row at most. Every row validates in exactly one part.
std::vector<TrainingPart> equal_parts(Index rows, Index count, Index gap = 0);

}  // namespace taut
