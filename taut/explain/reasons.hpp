// The largest shares of a row, in words.
#pragma once

#include <taut/explain/explanation.hpp>

namespace taut {

// "prediction 231.4, usually 180.2: rooms +32.1, age -8; width 54.2, 1.3 times the usual: lot size makes it 1.4 times as wide,
// age 0.9 times". At most `top` columns of each; `width`: the interval's, in units of the target, NaN where it has none.
std::string reasons_in_words(const Explanation& explanation, Index row, Index top, double width);

// The columns of a row with the largest shares, the largest first. Those without a share are left out.
std::vector<Index> largest_shares(const Attribution& attribution, Index row, Index top);

}  // namespace taut
