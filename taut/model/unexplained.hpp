// What is left of a target for categories to explain.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/train/training_part.hpp>

namespace taut {

// y minus what the other columns predict, by quick trees that have not seen the row. A mean of y itself by category would hold
// what goes along with the category: better diamonds are smaller, so their mean price is lower. The parts are positions in
// `rows`, and so is y. Without other columns, y.
std::vector<double> unexplained_by_other_columns(const TableView& x, RowsView rows, std::span<const double> y,
                                                 const std::vector<TrainingPart>& parts, std::uint64_t seed,
                                                 const ExecutionContext& context);

}  // namespace taut
