// φ of a student: its scale and its curve learn known quantiles, those of a teacher, instead of residuals.
#pragma once

#include <taut/fit/score_model.hpp>

namespace taut {

struct TaughtScores {
  const TableView& x;            // inputs of the rows that teach
  const std::vector<double>& f;  // the student's own predictions of these rows
  Matrix quantiles;              // of y, by the teacher: rows x taught_probabilities()
  double unit = 0;               // of the teacher's residuals, if it is wider beyond its training rows; otherwise 0
  bool has_shape = true;         // false: all rows have the same distribution but for its scale, so no curve is trained
};

// The probabilities of the quantiles, ascending.
std::vector<double> taught_probabilities();

// Trees of log s, and of the quantiles of (y − f) / s, where f and s are the student's own: so the curve corrects their errors.
// Rows should be in random order: the last tenth only stops the training.
ScoreModel imitate_score(const TaughtScores& taught, const ScoreScale& scale, std::uint64_t seed,
                         const ExecutionContext& context);

}  // namespace taut
