// Which objective suits which transformation.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

enum class Aim { equal_coverage, narrow };

// What trains a class when the user names nothing.
std::string default_objective(const Transform& transform, Aim aim);

// Throws UsageError where the objective cannot train the transformation, and says what goes with each of them.
void require_fit(const std::string& objective, const std::string& transform);

}  // namespace taut
