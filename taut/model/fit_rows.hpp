// Prepares the rows of a fit, and trains the parts of a model on them.
#pragma once

#include <taut/calibrate/target_range.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/model.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/row_plan.hpp>

namespace taut {

// The rows of a fit. Rows used for model selection determine the kinds of the inputs. The targets are checked.
struct FitRows {
  TableView table;             // as it was given
  std::vector<Column> schema;  // of the inputs
  Column target;
  std::vector<ColumnNote> notes;  // how columns were interpreted
  TableView x;
  TargetRange range;
  std::vector<double> y;        // of every row of the table; NaN for rows that are not usable
  std::vector<double> weights;  // of every row of the table; empty if each counts once
  // With --exposure: of every row of the table, NaN for rows that are not usable; and how much rows count for f, which is a rate.
  std::vector<double> exposure{};
  std::vector<double> weights_of_f{};

  // The targets and the weights of some rows.
  std::vector<double> targets(RowsView rows) const;
  std::vector<double> weights_of(RowsView rows) const;
  std::vector<double> exposures_of(RowsView rows) const;
  // What f is trained on: the targets, or with --exposure the targets per exposure.
  std::vector<double> rates() const;
};

// The inputs alone, for every kind of target. fit_inputs() throws Error if the kind of a column is unclear. If every row
// calibrates, columns of categories are left out unless the user or a foreign model declares their values. No part of the model
// uses such a column, and categories found in calibration rows would make `--check-shift` compare these rows with themselves.
struct FitInputs {
  std::vector<Column> schema;
  std::vector<ColumnNote> notes;
  TableView x;
};
// `foreign`: the columns must be those of this imported model and are encoded as it needs them; `names` receives their names.
FitInputs fit_inputs(const TableView& table, const FitOptions& options, const RowPlan& plan, const ExecutionContext& context = {},
                     const ForeignModel* foreign = nullptr, std::vector<std::string>* names = nullptr);

// Lets out-of-fold predictions of training rows decide whether whole numbers that repeat, such as ids of schools, are numbers or
// categories, and adds notes that name the options. `y` and `weights`: numbers to predict for the rows plan.predictor, and how
// much these rows count. Indicators are 0 and 1.
enum class TargetOfTrials { number, indicator };
void choose_number_or_category(FitInputs& inputs, const FitRequest& request, std::span<const double> y, RowWeights weights,
                               TargetOfTrials target = TargetOfTrials::number);

// Checks everything that a fit needs of a table, and gives the user hints.
FitRows fit_rows(const FitRequest& request, std::vector<std::string>* names = nullptr);

// Trains all parts of a model except its calibration.
std::unique_ptr<ModelParts> fit_parts(std::unique_ptr<Task> task, const FitRequest& request);

}  // namespace taut
