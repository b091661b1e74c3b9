// Learning curves: is it worth collecting more rows? The same fit is repeated on growing parts of a table and evaluated on
// held-out rows: random rows, whole groups with --keep-together, later rows with --in-order.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/explain/row_budget.hpp>
#include <taut/model/task.hpp>
#include <taut/options/options.hpp>

#include <string>
#include <vector>

namespace taut {

struct LearningCurveOptions {
  FitOptions fit = {};
  TaskChoice task = {};
  std::vector<double> levels = {0.9};
  Index repeats = 3;  // 2 to 5, with disjoint test rows
  Index parts = 4;    // 2 to 6; 4 means an eighth, a quarter, a half and all of the training rows
};

// Results for one level and one number of training rows: means over the repeats and their standard errors. The errors are for
// comparisons between numbers of rows; LevelCurve::common_error affects all of them alike.
struct CurveRow {
  Index rows = 0;
  double coverage = 0;
  double width = 0, width_error = 0;
  double score = 0, score_error = 0;  // the interval score; for other regions the mean size again
};

struct LevelCurve {
  double confidence = 0;
  std::vector<CurveRow> found;
  double common_error = 0;                // relative error of all scores together, because repeats have different test rows
  double repeat_error = 0;                // the same error of a single repeat
  std::vector<Extrapolated> scores = {};  // for 1, 2, 4 and 10 times the rows of the table
  std::vector<Extrapolated> widths = {};
};

struct LearningCurve {
  Index rows = 0;       // of the table
  Index test_rows = 0;  // in a repeat
  Index repeats = 0;
  double seconds = 0;
  double band_probability = 0.9;
  RegionWords words = {};
  bool in_time = false;  // each part is the rows just before its test block
  Index groups = 0;      // of --keep-together; 0 without
  std::vector<LevelCurve> levels = {};
};

// Throws an Error if there are too few rows for at least two parts.
LearningCurve learning_curve(const TableView& table, const LearningCurveOptions& options, const ExecutionContext& context);

// A sentence that says how much twice and ten times as many rows would improve the score.
std::string describe_worth(const LevelCurve& level, const RegionWords& words);

}  // namespace taut
