#pragma once

#include <taut/model/parts.hpp>

namespace taut {

// The alarms of Model::alarms_of_rows() about some rows of a table, which have targets.
std::vector<Alarm> alarms_of_rows(const ModelParts& parts, const TableView& table, const Rows& rows, int threads);

}  // namespace taut
