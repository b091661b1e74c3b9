// Two groups of rows thrown together: what chance explains of how they lie among one another, exactly.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

// P(X >= least) for the number X of marked things among `drawn` of `all`, `marked` of which are marked:
//
//   P(X = x) = C(marked, x) C(all − marked, drawn − x) / C(all, drawn)
//
// Only small probabilities matter to those who ask: the sum ends where it exceeds `enough`, and is then a lower bound.
double hypergeometric_tail(Index least, Index all, Index marked, Index drawn, double enough = 1);

}  // namespace taut
