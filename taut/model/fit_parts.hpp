// From a table and a plan for its rows to a model that lacks nothing but calibration.
#pragma once

#include <taut/model/parts.hpp>
#include <taut/model/row_plan.hpp>

namespace taut {

std::unique_ptr<ModelParts> fit_parts(const TableView& table, const FitOptions& options, const RowPlan& plan,
                                      const ExecutionContext& context);

}  // namespace taut
