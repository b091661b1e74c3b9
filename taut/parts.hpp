// The contracts of exchangeable parts, and their lists: for those who write a part of their own.
//
//   taut::transforms().add({"mine", "what it does", [](std::string_view) { return std::make_unique<Mine>(); }});
//
// From then on "mine" can be named wherever a listed part can: in FitOptions, in a model file.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/metric/metric.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>
