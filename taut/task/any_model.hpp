// A model of either kind, for commands that take both.
#pragma once

#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>

#include <variant>

namespace taut {

using AnyModel = std::variant<Regressor, Classifier>;
AnyModel load_any_model(const std::string& path);

}  // namespace taut
