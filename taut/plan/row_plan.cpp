#include <taut/plan/row_plan.hpp>

#include <taut/core/fault.hpp>
#include <taut/data/split.hpp>
#include <taut/plan/row_shares.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Unit single_rows{"rows", false}, whole_groups{"groups of --keep-together", true};

// Replaces the groups of a plan by their rows, in their order.
class Expansion {
 public:
  explicit Expansion(std::span<const Index> groups) {
    for (std::size_t row = 0; row < groups.size(); ++row) {
      if (groups[row] >= std::ssize(members_)) members_.resize(static_cast<std::size_t>(groups[row]) + 1);
      members_[static_cast<std::size_t>(groups[row])].push_back(static_cast<Index>(row));
    }
  }
  Index groups() const { return std::ssize(members_); }

  RowPlan operator()(const RowPlan& of_groups) const {
    RowPlan plan;
    plan.predictor = rows_of(of_groups.predictor);
    plan.transform = rows_of(of_groups.transform);
    plan.calibration = rows_of(of_groups.calibration);
    for (const Index group : of_groups.predictor)
      plan.groups.insert(plan.groups.end(), members_[static_cast<std::size_t>(group)].size(), group);
    for (const auto& part : of_groups.parts) plan.parts.push_back(part_of(of_groups.transform, part));
    for (const auto& fold : of_groups.folds) plan.folds.push_back(part_of(of_groups.predictor, fold));
    return plan;
  }

 private:
  Rows rows_of(RowsView groups) const {
    Rows rows;
    for (const Index group : groups) {
      const Rows& own = members_[static_cast<std::size_t>(group)];
      rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
  }
  Index count(RowsView groups) const { return std::ssize(rows_of(groups)); }
  TrainingPart part_of(RowsView groups, const TrainingPart& part) const {
    return {count(groups), count(groups.first(static_cast<std::size_t>(part.begin))),
            count(groups.first(static_cast<std::size_t>(part.end)))};
  }

  std::vector<Rows> members_;
};

RowPlan plan_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source,
                    const Unit& unit) {
  const auto shares = checked_shares(rows, options, calibration_elsewhere, source, unit);
  Random random(static_cast<std::uint64_t>(options.seed));
  auto cut = parts(rows, shares, random);
  RowPlan plan;
  if (fault("training-rows-shares") && !cut[0].empty()) cut[3] = cut[0];
  plan.predictor = std::move(cut[0]);
  plan.transform = std::move(cut[1]);
  const Index train = std::ssize(plan.transform);
  plan.transform.insert(plan.transform.end(), cut[2].begin(), cut[2].end());
  plan.parts = {{std::ssize(plan.transform), train, std::ssize(plan.transform)}};
  plan.calibration = std::move(cut[3]);
  if (fault("leaked-row-shares") && !calibration_elsewhere) plan.calibration.front() = cut[2].front();
  return plan;
}

RowPlan all_calibrate(Index rows, const std::string& source, const Unit& unit) {
  if (rows < 1) throw_too_few(source, rows, 1, "calibration", unit.name);
  RowPlan plan;
  for (Index row = 0; row < rows; ++row) plan.calibration.push_back(row);
  return plan;
}

// f and φ have the same folds: each member is validated on rows that trained neither its f nor its g.
RowPlan plan_cross(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                   const std::string& source, const Unit& unit) {
  const Index minimum = calibration_elsewhere ? min_rows_of_cross : min_rows_of_cross + 1;
  if (rows < minimum) throw_too_few(source, rows, minimum, "--split cross", unit.name);
  Random random(static_cast<std::uint64_t>(options.seed));
  const double held = calibration_elsewhere ? 0 : calibration_share(rows, options);
  auto cut = parts(rows, std::array{1 - held, held}, random);
  RowPlan plan;
  plan.calibration = fault("training-rows-cross") ? cut[0] : std::move(cut[1]);
  if (fault("leaked-row-cross") && held > 0) plan.calibration.front() = cut[0].front();
  for (const auto& fold : folds(cut[0], std::min(folds_of_cross, std::ssize(cut[0])), random)) {
    const Index begin = std::ssize(plan.transform);
    plan.transform.insert(plan.transform.end(), fold.begin(), fold.end());
    plan.parts.push_back({std::ssize(cut[0]), begin, std::ssize(plan.transform)});
  }
  if (!options.has_f()) {
    plan.predictor = plan.transform;
    plan.folds = plan.parts;
  }
  if (!localizer_crosses) plan.parts.resize(1);
  return plan;
}

}  // namespace

void RowPlan::place(const Rows& rows) {
  for (Rows* part : {&predictor, &transform, &calibration})
    for (Index& row : *part) row = rows[static_cast<std::size_t>(row)];
}

Rows RowPlan::selection_rows() const {
  Rows rows = predictor;
  if (fault("calibration-rows-choose")) rows.insert(rows.end(), calibration.begin(), calibration.end());
  if (folds.empty()) rows.insert(rows.end(), transform.begin(), transform.end());  // with folds both are the same rows
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rows RowPlan::describing() const {
  Rows rows = selection_rows();
  if (!rows.empty()) return rows;
  rows = calibration;
  std::sort(rows.begin(), rows.end());
  return rows;
}

Index RowPlan::transform_training_rows() const {
  return static_cast<Index>(transform.size()) - (parts.size() == 1 ? validation_rows() : 0);
}

Index RowPlan::validation_rows() const { return count_validation_rows(parts); }

namespace {

RowPlan plan_units(Index count, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                   const std::string& source, const Unit& unit) {
  if (can_all_rows_calibrate(options) && !calibration_elsewhere) return all_calibrate(count, source, unit);
  return options.crosses() ? plan_cross(count, options, localizer_crosses, calibration_elsewhere, source, unit)
                           : plan_shares(count, options, calibration_elsewhere, source, unit);
}

}  // namespace

RowPlan plan_rows(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                  const std::string& source) {
  const bool all_rows_calibrate = can_all_rows_calibrate(options) && !calibration_elsewhere;
  if (options.is_in_order() && !all_rows_calibrate)
    return plan_in_order(rows, options, localizer_crosses, calibration_elsewhere, source);
  return plan_units(rows, options, localizer_crosses, calibration_elsewhere, source, single_rows);
}

RowPlan plan_groups(std::span<const Index> groups, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                    const std::string& source) {
  const Rows torn_apart = fault("groups-torn-apart") ? all_rows(std::ssize(groups)) : Rows();
  const Expansion expand(torn_apart.empty() ? groups : torn_apart);
  return expand(plan_units(expand.groups(), options, localizer_crosses, calibration_elsewhere, source, whole_groups));
}

Index count_calibration_rows(Index rows, const FitOptions& options) {
  if (options.holds_out() || can_all_rows_calibrate(options)) return rows;
  const auto n = static_cast<double>(rows);
  // The same rounding as in parts(): the calibration rows begin at the rounded sum of the shares before them.
  if (options.crosses()) return rows <= min_rows_of_cross ? 0 : rows - std::llround((1 - calibration_share(rows, options)) * n);
  const auto shares = read_shares(options);
  if (shares[3] * n < 1) return 0;
  const double before = shares[0] + shares[1] + shares[2], all = before + shares[3];
  return (std::abs(all - 1) <= 1e-9 ? rows : std::min<Index>(std::llround(all * n), rows)) - std::llround(before * n);
}

}  // namespace taut
