// Objectives by name: confidence levels in names, and which objective suits which transformation.
#pragma once

#include <taut/train/objective.hpp>

#include <string>
#include <string_view>

namespace taut {

// Parses a confidence level of an objective such as level:0.9 or pinball:alpha=0.1. "0.9" and "confidence=0.9" are the level,
// "alpha=0.1" is its complement. Throws UsageError naming `what`.
double parse_confidence(std::string_view text, std::string_view what);

// The name of the objective that minimises the width at one confidence level.
std::string level_objective(double confidence);

// In Taut 0.1 a plain number below one half was alpha; now it is a confidence. Model files therefore never have such a plain
// number: it is written as confidence=0.3, and in a file of version 0.1 it is read as alpha=0.3. The same holds for names of
// candidates ("level:0.3 ^ 1.2").
enum class Spelling { confidence, alpha };
std::string spell_out_levels(const std::string& name, Spelling spelling);

// A note to the user if a plain level below one half was probably meant as alpha; otherwise empty.
std::string level_hint(const std::string& objective);

enum class Aim { equal_coverage, narrow };

// The objective for a class if the user names none.
std::string default_objective(const Transform& transform, Aim aim);

// Throws UsageError if the objective cannot train the transformation. The message lists what is compatible with each of them.
void require_fit(const std::string& objective, const std::string& transform);

}  // namespace taut
