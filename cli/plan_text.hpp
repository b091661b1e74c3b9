// Plans for readers and for programs.
#pragma once

#include <taut/explain/learning_curve.hpp>
#include <taut/explain/row_budget.hpp>

#include <string>

namespace taut {

std::string budget_in_words(Index rows, const BudgetQuestion& question);
std::string budget_json(Index rows, const BudgetQuestion& question);
std::string curve_in_words(const LearningCurve& curve);
std::string curve_json(const LearningCurve& curve);

}  // namespace taut
