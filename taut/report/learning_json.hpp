// The learning curve of a report, where one was asked for.
#pragma once

#include <taut/explain/learning_curve.hpp>
#include <taut/report/json.hpp>

namespace taut {

// Of the first level: points [rows, score, low, high], those that were measured and those that are expected. Null without a
// curve.
Json learning_json(const LearningCurve* curve);

}  // namespace taut
