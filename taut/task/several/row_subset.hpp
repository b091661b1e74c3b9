// A plan of rows for some of the rows.
#pragma once

#include <taut/plan/row_plan.hpp>

#include <functional>

namespace taut {

// The plan without the training and selection rows that `kept` leaves out; it returns those of some rows to keep, in their order.
// Folds and parts keep their other rows. Calibration rows stay as they are.
RowPlan restricted(const RowPlan& plan, const std::function<Rows(const Rows&)>& kept);

}  // namespace taut
