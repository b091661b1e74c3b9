// How many rows are needed, before anything is fitted: what so many rows deliver, exactly.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/model/options.hpp>

#include <optional>
#include <vector>

namespace taut {

// One level with so many rows. The coverage of the intervals on all rows there could be is a random number, because calibration
// rows are drawn: its law is Beta(rank, calibration rows + 1 − rank).
struct LevelBudget {
  double confidence = 0;
  Index rank = 0;        // above the calibration rows: intervals are the whole line
  double delivered = 0;  // rank / (calibration rows + 1): the mean of that law
  Band band = {};        // where the coverage lies with the band's probability
};

struct RowBudget {
  Index rows = 0, calibration_rows = 0;
  std::vector<LevelBudget> levels;
};

struct BudgetQuestion {
  FitOptions options = {};          // how rows are split
  std::vector<double> levels = {};  // of confidence
  double probability = 0.99;        // of bands
  Index test_rows = 0;              // 0: bands of the coverage on any number of rows; else of what is found on so many
};

// An Error where there are too few rows to fit anything.
RowBudget row_budget(Index rows, const BudgetQuestion& question);

// The fewest rows whose intervals at this level are not the whole line; and those whose band reaches no further than `reach` from
// the level on either side. Nothing where no more than `most` rows do.
Index least_rows(double confidence, const FitOptions& options);
std::optional<Index> rows_for_band(double confidence, double reach, const BudgetQuestion& question, Index most);

}  // namespace taut
