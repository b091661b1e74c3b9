// One member of a predictor, read from its entries of the model file.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/export/exported.hpp>

namespace taut {

bool can_export_predictor(const std::string& predictor);
std::string exported_predictors_in_words();

ExportedMember exported_member(const Archive& archive, const std::string& predictor);
ExportedTrees exported_trees(const Archive& archive, Index outputs);

}  // namespace taut
