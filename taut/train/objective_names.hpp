// Objectives by name: confidence levels in names, and which objective suits which transformation.
#pragma once

#include <taut/train/objective.hpp>

#include <string>
#include <string_view>

namespace taut {

// Confidence levels in the names of objectives: level:0.9, pinball:alpha=0.1.

// "0.9" and "confidence=0.9" are a confidence level, "alpha=0.1" is its complement. Throws UsageError naming `what`.
double parse_confidence(std::string_view text, std::string_view what);

// The objective that is narrowest at one confidence level.
std::string level_objective(double confidence);

// Taut 0.1 took a plain number below one half for alpha; today it is a confidence. So model files never hold such a plain number:
// it is written as confidence=0.3, and in a file of 0.1 it is read as alpha=0.3. Names of candidates ("level:0.3 ^ 1.2") are
// treated alike.
enum class Spelling { confidence, alpha };
std::string spell_out_levels(const std::string& name, Spelling spelling);

// A sentence where a plain level below one half was probably meant as alpha; else empty.
std::string level_hint(const std::string& objective);

// Which objective suits which transformation.

enum class Aim { equal_coverage, narrow };

// What trains a class when the user names nothing.
std::string default_objective(const Transform& transform, Aim aim);

// Throws UsageError where the objective cannot train the transformation, and says what goes with each of them.
void require_fit(const std::string& objective, const std::string& transform);

}  // namespace taut
