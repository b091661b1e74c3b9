// One reader for each library; inside this room only.
#pragma once

#include <taut/foreign/document.hpp>
#include <taut/foreign/foreign_model.hpp>

namespace taut {

ForeignModel read_xgboost(const Document& document);
ForeignModel read_lightgbm(std::string_view text);
ForeignModel read_catboost(const Document& document);

// "XGBoost's objective 'binary:logistic' ...": one way to say that a model is of another task.
[[noreturn]] void refuse_objective(const std::string& library, const std::string& objective, const std::string& why);

// Set or category numbers as bits.
std::vector<std::uint32_t> set_of(const std::vector<std::int64_t>& categories);

}  // namespace taut
