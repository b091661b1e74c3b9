#include <taut/explain/row_budget.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/metric/interval.hpp>
#include <taut/model/row_plan.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

Band band_of(Index calibration_rows, Index rank, double probability, Index test_rows) {
  if (rank > calibration_rows) return {1, 1};
  if (test_rows > 0) return coverage_band(test_rows, calibration_rows, rank, probability);
  const auto a = static_cast<double>(rank), b = static_cast<double>(calibration_rows + 1 - rank);
  const double tail = (1 - probability) / 2;
  return {beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b)};
}

LevelBudget level_budget(double confidence, Index calibration_rows, const BudgetQuestion& question) {
  const Index rank = exact_rank(calibration_rows, confidence, question.options.sure);
  const double delivered = rank > calibration_rows ? 1 : static_cast<double>(rank) / (static_cast<double>(calibration_rows) + 1);
  return {confidence, rank, delivered, band_of(calibration_rows, rank, question.probability, question.test_rows)};
}

// The fewest rows that are enough, where more rows always are; at most `most`.
template <class IsEnough>
std::optional<Index> fewest(Index most, IsEnough is_enough) {
  Index high = 1;
  while (!is_enough(high)) {
    if (high >= most) return {};
    high = std::min(most, 2 * high);
  }
  Index low = high / 2;  // not enough
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

RowBudget row_budget(Index rows, const BudgetQuestion& question) {
  RowBudget budget{rows, count_calibration_rows(rows, question.options), {}};
  for (const double confidence : question.levels)
    budget.levels.push_back(level_budget(confidence, budget.calibration_rows, question));
  return budget;
}

Index least_rows(double confidence, const FitOptions& options) {
  const Index needed = least_calibration_rows(confidence, options.sure);
  constexpr Index most = Index{1} << 40;
  return fewest(most, [&](Index rows) { return count_calibration_rows(rows, options) >= needed; }).value_or(most);
}

std::optional<Index> rows_for_band(double confidence, double reach, const BudgetQuestion& question, Index most) {
  return fewest(most, [&](Index rows) {
    const LevelBudget level = level_budget(confidence, count_calibration_rows(rows, question.options), question);
    return level.band.low >= confidence - reach && level.band.high <= confidence + reach;
  });
}

}  // namespace taut
