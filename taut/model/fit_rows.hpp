// The rows of a fit, and the parts of a model that are trained on them.
#pragma once

#include <taut/calibrate/target_range.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/model.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/row_plan.hpp>

namespace taut {

// The rows of a fit: inputs whose kinds were decided by rows that may choose, and targets that are possible values.

struct FitRows {
  TableView table;             // as it was given
  std::vector<Column> schema;  // of the inputs
  Column target;
  std::vector<ColumnNote> notes;  // what columns were taken for
  TableView x;
  TargetRange range;
  std::vector<double> y;  // of every row of the table; those outside the plan have none

  // The targets of some rows.
  std::vector<double> targets(RowsView rows) const;
};

// The inputs alone, for targets of any kind. What a column is must not be unclear. Where every row calibrates, columns of
// categories are left out unless the user or a foreign model names their values: nothing looks at them, and values that
// calibration rows chose would make `--check-shift` compare these rows with themselves.
struct FitInputs {
  std::vector<Column> schema;
  std::vector<ColumnNote> notes;
  TableView x;
};
// `foreign`: columns must be those of such a model, and are kept as it needs them; `names` become those of its columns.
FitInputs fit_inputs(const TableView& table, const FitOptions& options, const RowPlan& plan, const ExecutionContext& context = {},
                     const ForeignModel* foreign = nullptr, std::vector<std::string>* names = nullptr);

// Checks everything that a fit asks of a table, and tells hints.
FitRows fit_rows(const TableView& table, const FitOptions& options, const RowPlan& plan, const ExecutionContext& context,
                 const ForeignModel* foreign = nullptr, std::vector<std::string>* names = nullptr);

// From a table and a plan for its rows to a model that lacks nothing but calibration.

std::unique_ptr<ModelParts> fit_parts(std::unique_ptr<Task> task, const FitRequest& request);

}  // namespace taut
