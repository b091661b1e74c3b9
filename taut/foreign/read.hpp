// Models of XGBoost, LightGBM and CatBoost from their own files.
#pragma once

#include <taut/foreign/foreign_model.hpp>

#include <string_view>

namespace taut {

// The file tells whose it is: XGBoost (JSON, UBJSON), LightGBM (text), CatBoost (JSON). What cannot be taken over (another task,
// linear leaves, several outputs, ...) is an Error that names it; so is whatever is damaged. `source` is for messages.
ForeignModel read_foreign(std::string_view bytes, const std::string& source);
ForeignModel read_foreign_file(const std::string& path);

}  // namespace taut
