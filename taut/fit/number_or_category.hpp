// Whole numbers that repeat: counts and years, or ids of schools, operators and states, which are categories.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// True for whole numbers with several different values, each in two rows or more on average. `rows` alone decide.
bool are_repeated_numbers(const TableView& table, Index column, RowsView rows);

// A column of numbers that predicts better as a category.
struct BetterAsCategory {
  Column column;    // the category; its texts are the numbers, the most frequent first
  double gain = 0;  // the share by which the out-of-fold error is lower
};

struct NumberTrials {
  const TableView& x;         // the inputs, in which ids are still numbers
  RowsView rows;              // training rows, in an order whose blocks may be folds
  std::span<const double> y;  // their targets
  RowsView describing;        // the rows whose values become categories
  bool squared = false;       // the error is the mean square, for targets of 0 and 1; otherwise the mean absolute error
  std::uint64_t seed = 0;
  RowWeights weights{};  // of `rows`
};

// Those of the columns `candidates` that out-of-fold predictions of training rows prefer as categories by a clear margin.
// Quick predictors are trained without categories first. Their residuals select the columns worth a trial: the mean residual
// by value, from other rows, must explain more than the mean residuals of neighbouring values do. (Neighbouring values of a
// measurement are alike; the id next to an id is another school.)
std::vector<BetterAsCategory> better_as_categories(const NumberTrials& trials, std::vector<Index> candidates,
                                                   const ExecutionContext& context);

}  // namespace taut
