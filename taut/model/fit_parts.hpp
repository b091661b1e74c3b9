// From a table and a plan for its rows to a model that lacks nothing but calibration.
#pragma once

#include <taut/model/parts.hpp>
#include <taut/model/row_plan.hpp>

namespace taut {

// `foreign`: f, where a model of another library is taken over.
std::unique_ptr<ModelParts> fit_parts(const TableView& table, const FitOptions& options, const RowPlan& plan,
                                      const ExecutionContext& context, const ForeignModel* foreign = nullptr);

}  // namespace taut
