// XGBoost's saved model -> Forest.
#pragma once

#include <taut/trees/forest.hpp>

#include <string_view>

namespace taut {

// `bytes`: a model in universal binary JSON, grown with base score 0.
Forest read_forest(std::string_view bytes, Index inputs, Index groups);

}  // namespace taut
