// Rows in time order are split into blocks, never at random: a random row would lie between neighbours in time that reveal its
// value.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/plan/row_shares.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Unit rows_in_order{"rows", false};

Rows stretch(Index begin, Index end) {
  Rows rows;
  for (Index row = begin; row < end; ++row) rows.push_back(row);
  return rows;
}

std::string with_gap(const std::string& what, Index gap) { return gap == 0 ? what : format_text("{} with --gap {}", what, gap); }

// Predictor, transformation, validation, calibration: each begins `gap` rows after the end of the previous one.
RowPlan shares_in_order(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source) {
  const auto shares = checked_shares(rows, options, calibration_elsewhere, source, rows_in_order);
  const Index gap = options.gap;
  std::array<Rows, 4> cut;
  double before = 0;
  Index begin = 0;
  for (std::size_t job = 0; job < cut.size(); ++job) {
    before += shares[job];
    const auto end = std::min(rows, static_cast<Index>(std::llround(before * static_cast<double>(rows))));
    const Index first = begin == 0 ? 0 : begin + gap;
    if (shares[job] > 0 && first >= end)
      throw_too_few(source, rows, rows + first + 1 - end, with_gap("--split " + options.split, gap));
    cut[job] = stretch(first, end);
    begin = end;
  }
  RowPlan plan;
  plan.predictor = std::move(cut[0]);
  plan.transform = std::move(cut[1]);
  const Index train = std::ssize(plan.transform);
  plan.transform.insert(plan.transform.end(), cut[2].begin(), cut[2].end());
  plan.parts = {{std::ssize(plan.transform), train, std::ssize(plan.transform)}};
  plan.calibration = std::move(cut[3]);
  return plan;
}

RowPlan cross_in_order(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                       const std::string& source) {
  const Index gap = options.gap;
  // A fold of one row in the middle loses a gap on each side and leaves two training rows. A calibration row needs another gap.
  const Index minimum = calibration_elsewhere ? min_rows_of_cross + 2 * gap : min_rows_of_cross + 1 + 3 * gap;
  if (rows < minimum) throw_too_few(source, rows, minimum, with_gap("--in-order", gap));
  const auto held = calibration_elsewhere
                        ? Index{0}
                        : static_cast<Index>(std::llround(calibration_share(rows, options) * static_cast<double>(rows)));
  const Index trained = rows - held - (calibration_elsewhere ? 0 : gap);
  const Index blocks = std::min(folds_of_cross, trained);
  RowPlan plan;
  plan.calibration = stretch(rows - held, rows);
  plan.transform = stretch(0, trained);
  for (Index fold = 0; fold < blocks; ++fold) {
    plan.parts.push_back({trained, fold * trained / blocks, (fold + 1) * trained / blocks, gap});
    if (plan.parts.back().train().size() < 2) throw_too_few(source, rows, rows + 2 * gap + 2, with_gap("--in-order", gap));
  }
  if (!options.has_f()) {
    plan.predictor = plan.transform;
    plan.folds = plan.parts;
  }
  if (!localizer_crosses) plan.parts = {plan.parts.back()};  // validate on the latest rows
  return plan;
}

}  // namespace

RowPlan plan_in_order(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                      const std::string& source) {
  return options.crosses() ? cross_in_order(rows, options, localizer_crosses, calibration_elsewhere, source)
                           : shares_in_order(rows, options, calibration_elsewhere, source);
}

}  // namespace taut
