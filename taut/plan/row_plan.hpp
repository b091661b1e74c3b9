// The use of each row in a fit. Coverage requires that calibration rows are not used for training or model selection. All other
// rows are used as fully as possible.
#pragma once

#include <taut/data/split.hpp>
#include <taut/options/options.hpp>

namespace taut {

// Rows are positions in the table. `folds` are positions in `predictor`, `parts` are positions in `transform`.
struct RowPlan {
  Rows predictor;                   // training rows of f; empty if f is given
  std::vector<TrainingPart> folds;  // for cross-fitting: the validation rows of a fold are predicted by the f of the other folds
  Rows transform;                   // rows whose out-of-sample residuals φ uses; with folds the same rows as `predictor`
  std::vector<TrainingPart> parts;  // training rows of φ, and validation rows for early stopping and model selection
  Rows calibration;
  Rows groups;  // with groups that stay whole: that of each row of `predictor`; its rows are neighbours

  // The rows for model selection: they determine f and φ, the kinds of columns, their categories, and hints. Never calibration
  // rows. In ascending order.
  Rows selection_rows() const;
  // The rows that describe columns: those for model selection. If every row is a calibration row, there are none, and calibration
  // rows determine only the number format.
  Rows describing() const;
  // For a plan of a subset of a table: replaces positions in `rows` by positions in the whole table.
  void place(const Rows& rows);
  Index transform_training_rows() const;  // rows that train φ in at least one part
  Index validation_rows() const;
};

// `localizer_crosses`: the localizer is cheap enough to be trained once per fold. `calibration_elsewhere`: calibration rows come
// from another file, so all rows of this one are for training and validation. Too few rows are an Error that says how many are
// needed.
RowPlan plan_rows(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                  const std::string& source);
// The same for rows in time order: training before validation before calibration, folds as blocks, and options.gap rows left out
// between them. plan_rows() calls it if the options say so.
RowPlan plan_in_order(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                      const std::string& source);
// The same for rows that belong together: `groups` has the group of each row, numbered from 0. No group is in two parts or folds.
RowPlan plan_groups(std::span<const Index> groups, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                    const std::string& source);

// The number of calibration rows of such a plan, without making it; 0 if there are too few rows for a plan.
Index count_calibration_rows(Index rows, const FitOptions& options);

}  // namespace taut
