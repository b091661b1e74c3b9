// From a table and a plan for its rows to a model that lacks nothing but calibration.
#pragma once

#include <taut/model/parts.hpp>

namespace taut {

std::unique_ptr<ModelParts> fit_parts(std::unique_ptr<Task> task, const FitRequest& request);

}  // namespace taut
