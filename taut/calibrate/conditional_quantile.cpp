#include <taut/calibrate/conditional_quantile.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

namespace taut {

namespace {

// z = η + 1 − level goes from 0 to 1 and sums to (1 − level) times the sums of the functions.
std::vector<double> target_of_calibration_rows(const ScoredRows& rows, double level) {
  check_confidence(level);
  std::vector<double> target = rows.sums();
  for (double& value : target) value *= 1 - level;
  return target;
}

}  // namespace

ConditionalQuantile::ConditionalQuantile(std::shared_ptr<const ScoredRows> rows, double level)
    : rows_(std::move(rows)), level_(level), start_(*rows_, target_of_calibration_rows(*rows_, level)) {
  if (start_.solve() != QuantileBasis::Outcome::solved)
    throw Error(
        "overlapping groups: the quantile regression of the calibration scores did not come to an end; look for columns that are "
        "almost the same");
  start_.follow_nearest_rows();
}

double ConditionalQuantile::cut_off(std::span<const double> functions) const {
  return fitted(functions, 1, true).value_or(infinity);
}

std::optional<double> ConditionalQuantile::smoothed_cut_off(std::span<const double> functions, double uniform) const {
  if (!(uniform >= 0 && uniform < 1))
    throw UsageError("overlapping groups: the draw of a row must lie in [0, 1), got " + print_number(uniform));
  return fitted(functions, uniform, false);
}

// Where the new row's z is `own`: as it comes from below, or goes on upward. Without a solution the new row cannot have this z.
// It can have 1 − level, where the calibration rows balance alone; so it never gets as far as one above, and is always beyond one
// below.
std::optional<double> ConditionalQuantile::fitted(std::span<const double> functions, double own, bool from_below) const {
  const std::optional<double> beyond = own >= 1 - level_ ? std::optional(infinity) : std::nullopt;
  const auto row = rows_->express(functions);
  if (!row) return beyond;
  QuantileBasis basis = start_;
  basis.move_target(1 - level_ - own, *row);
  std::vector<double> direction = *row;
  if (!from_below)
    for (double& value : direction) value = -value;
  switch (basis.solve(direction)) {
    case QuantileBasis::Outcome::solved: return basis.fitted(*row);
    case QuantileBasis::Outcome::impossible: return beyond;
    case QuantileBasis::Outcome::given_up: break;
  }
  return infinity;  // rather too much than too little
}

}  // namespace taut
