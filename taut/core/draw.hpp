// Some of many rows, drawn at random.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

namespace taut {

// `most` of the numbers 0 ... count − 1, ascending, every choice as likely as any other; all of them where there are no more.
Rows draw(Index count, Index most, Random random);

}  // namespace taut
