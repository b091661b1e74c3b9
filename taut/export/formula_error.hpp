// How far a formula may be from the library's when what it is made of is.
#pragma once

#include <taut/core/formula.hpp>

#include <vector>

namespace taut {

// A bound of the error of `formula`, itself a formula of the same variables and of what `errors` are made of: one for each
// variable, never negative. Every operation adds a rounding of its own, because other libraries have another exp.
Formula error_of(const Formula& formula, const std::vector<Formula>& errors);

}  // namespace taut
