// The exact law of how two groups of rows mix by chance.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

// P(X >= least) for the number X of marked things among `drawn` of `all`, `marked` of which are marked:
//
//   P(X = x) = C(marked, x) C(all − marked, drawn − x) / C(all, drawn)
//
// Callers care about small probabilities only: the sum ends where it exceeds `enough`, and is then a lower bound.
double hypergeometric_tail(Index least, Index all, Index marked, Index drawn, double enough = 1);

}  // namespace taut
