// Random permutations of rows, cut into shares or folds.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// All of 0 ... count - 1 in an order that depends on the seed only.
Rows shuffled(Index count, std::uint64_t seed);

// Cuts a permutation of 0 ... count - 1 into consecutive parts with the given shares. Each boundary is rounded, not each part,
// so shares that sum to 1 use every row. A share below 0, or a sum above 1, is a UsageError.
std::vector<Rows> parts(Index count, std::span<const double> shares, Random& random);

// A permutation of `rows` cut into k folds whose sizes differ by one at most.
std::vector<Rows> folds(RowsView rows, Index k, Random& random);

}  // namespace taut
