// Is it worth collecting more rows? The same fit on growing parts of a table, judged on rows that none of them has seen: random
// ones, whole groups with --keep-together, later ones with --in-order.
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
  Index repeats = 3;  // each with test rows of its own, 2 to 5
  Index parts = 4;    // an eighth, a quarter, a half and all of the rows that are not for testing; 2 to 6
};

// What was found at one level with one number of rows: means over the repeats and their standard errors, which compare numbers of
// rows with one another; all of them together have common_error besides.
struct CurveRow {
  Index rows = 0;
  double coverage = 0;
  double width = 0, width_error = 0;
  double score = 0, score_error = 0;  // the interval score; of other regions their size once more
};

struct LevelCurve {
  double confidence = 0;
  std::vector<CurveRow> found;
  double common_error = 0;                // relative, of the scores: because test rows differ between repeats
  double repeat_error = 0;                // the same for a single repeat
  std::vector<Extrapolated> scores = {};  // with all rows, twice, four and ten times as many
  std::vector<Extrapolated> widths = {};
};

struct LearningCurve {
  Index rows = 0;       // of the table
  Index test_rows = 0;  // in a repeat
  Index repeats = 0;
  double seconds = 0;
  double band_probability = 0.9;
  RegionWords words = {};
  bool in_time = false;  // parts are rows just before a block that tests
  Index groups = 0;      // of --keep-together, which stay whole; 0 without
  std::vector<LevelCurve> levels = {};
};

// An Error where there are too few rows to learn from a part of them.
LearningCurve learning_curve(const TableView& table, const LearningCurveOptions& options, const ExecutionContext& context);

// What twice and ten times as many rows would buy, said plainly.
std::string worth_in_words(const LevelCurve& level, const RegionWords& words);

}  // namespace taut
