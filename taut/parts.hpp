// The interfaces of the exchangeable parts and their registries, for users who add their own part.
//
//   taut::transforms().add({"mine", "what it does", [](std::string_view) { return std::make_unique<Mine>(); }});
//
// After that the name "mine" is accepted wherever the name of a built-in part is: in FitOptions and in model files.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/metric/metric.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>
