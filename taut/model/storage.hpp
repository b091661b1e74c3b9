// Pieces of a model file that tasks need too; inside the library only.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/column.hpp>

namespace taut {

struct FitRecord;

void save_schema(Archive archive, const std::vector<Column>& schema);
std::vector<Column> load_schema(const Archive& archive);
void save_record(Archive archive, const FitRecord& record);
FitRecord load_record(const Archive& archive);

}  // namespace taut
