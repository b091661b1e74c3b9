// One root finder for all transformations without a closed inverse.
#pragma once

#include <functional>

namespace taut {

// The largest a >= 0 with value(a) <= target, for a continuous strictly increasing function: Newton steps inside a shrinking
// bracket, in log a, so that 1e-300 and 1e300 cost the same. Relative error at most 1e-12, at most 60 evaluations.
// 0 when value exceeds the target for every positive a, +infinity when it never does.
double increasing_root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target);

}  // namespace taut
