// Of very many rows a fit uses some.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>

namespace taut {

// Four fifths of them train, one fifth calibrates. More rows change interval scores by less than half of a per cent
// (docs/scale.md), while time and memory would grow with them.
inline constexpr Index most_rows_of_fit = 3'000'000;

// So many of the rows at most, in their order; every choice is as likely as any other. Which rows they are depends on their
// number and the seed alone, never on what is in them: calibration stays exact.
Rows drawn_rows(Rows rows, Index most, std::uint64_t seed);

}  // namespace taut
