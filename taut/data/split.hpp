// Rows cut into shares, folds, and parts that validate while the others train.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Random permutations of rows, cut into shares or folds.

// All of 0 ... count - 1 in an order that depends on the seed only.
Rows shuffled(Index count, std::uint64_t seed);

// Cuts a permutation of 0 ... count - 1 into consecutive parts with the given shares. Each boundary is rounded, not each part,
// so shares that sum to 1 use every row. A share below 0, or a sum above 1, is a UsageError.
std::vector<Rows> parts(Index count, std::span<const double> shares, Random& random);

// A permutation of `rows` cut into k folds whose sizes differ by one at most.
std::vector<Rows> folds(RowsView rows, Index k, Random& random);

// Which rows train a member of g, and which of them only validate it.

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
