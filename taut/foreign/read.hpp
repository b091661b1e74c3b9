// Reads model files of XGBoost, LightGBM and CatBoost.
#pragma once

#include <taut/foreign/foreign_model.hpp>

#include <string_view>

namespace taut {

// The library is recognised by the contents: XGBoost (JSON, UBJSON), LightGBM (text), CatBoost (JSON). An unsupported model
// (another task, linear leaves, several outputs, ...) and a damaged file are Errors. `source` is the name in messages.
ForeignModel read_foreign(std::string_view bytes, const std::string& source);
ForeignModel read_foreign_file(const std::string& path);

}  // namespace taut
