// What a choice compares by.
#pragma once

#include <cmath>

namespace taut {

// Whether a candidate's loss wins over that of the best before it. A loss that is not finite never wins, and any finite one wins
// over it: NaN compares with nothing, and −infinity is the result of an overflow or of 0 rows, not of a good candidate.
inline bool is_lower_loss(double loss, double best) { return std::isfinite(loss) && (!std::isfinite(best) || loss < best); }

}  // namespace taut
