// Which rows do what. Validity needs calibration rows that chose nothing; everything else should waste no rows.
#pragma once

#include <taut/data/split.hpp>
#include <taut/options/options.hpp>

namespace taut {

// Rows are positions in the table. The parts of φ count within `transform`.
struct RowPlan {
  Rows predictor;                   // rows that train f; empty where f is given
  std::vector<TrainingPart> folds;  // cross-fitting: the validation rows of a fold are scored by the f that the others trained
  Rows transform;                   // rows whose out-of-sample residuals φ may use; with folds those of f
  std::vector<TrainingPart> parts;  // how φ uses them: for training, and to stop and to choose
  Rows calibration;

  // The rows that may choose: what f and φ are, what columns are, which categories there are, what hints say. Never calibration
  // rows. In ascending order.
  Rows choosing() const;
  // The rows by which columns are described: those that choose. Where every row calibrates there are none, and the calibration
  // rows say in which format numbers are written, nothing more.
  Rows describing() const;
  // Of a plan for some rows of a table: their positions in the whole table.
  void place(const Rows& rows);
  Index transform_training_rows() const;  // rows that train φ without ever validating it
  Index validation_rows() const;
};

// `localizer_crosses`: the localizer is cheap enough to be trained once per fold. `calibration_elsewhere`: calibration rows come
// from another file, so the shares of this one are spread over the other jobs.
// Too few rows are an Error that says how many are needed.
RowPlan plan_rows(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                  const std::string& source);
// The same for rows that come one after another: training before validation before calibration, folds as blocks, and options.gap
// rows left out wherever two of them meet. plan_rows() asks for it where the options do.
RowPlan plan_in_order(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                      const std::string& source);
// The same for rows that belong together: `groups` numbers the group of each row from 0, and no group is in two parts or folds.
RowPlan plan_groups(std::span<const Index> groups, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                    const std::string& source);

// How many calibration rows such a plan has, without making it: 0 where there are too few rows for any plan.
Index count_calibration_rows(Index rows, const FitOptions& options);

}  // namespace taut
