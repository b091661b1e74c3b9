// XGBoost's saved model -> Forest.
#pragma once

#include <taut/trees/forest.hpp>

#include <string_view>

namespace taut {

// `bytes`: a model in universal binary JSON. Its trees go behind those of `forest`.
void add_trees(std::string_view bytes, Forest& forest);

}  // namespace taut
