// The rows of a fit of several numbers, and rows with f and g of each target.
#include <taut/task/several/several_task.hpp>

#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/choose_kept.hpp>
#include <taut/task/several/target_ranges.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// As a fit of one target does. The first cell of the table, row by row, that holds no target is named.
void refuse_missing_targets(const TableView& table, std::span<const Column> targets) {
  const Rows all = all_rows(table.rows()), whole = rows_with_targets(table, targets, all, HasTargets::all);
  if (whole.size() == all.size()) return;
  const auto first = static_cast<Index>(std::mismatch(whole.begin(), whole.end(), all.begin()).first - whole.begin());
  for (const Column& target : targets)
    if (rows_with_targets(table, std::span(&target, 1), std::span(&first, 1), HasTargets::all).empty())
      (void)numbers_of(table, target, std::span(&first, 1), "target");
}

}  // namespace

FitOptions options_of_target(const FitOptions& shared, const std::string& y_range, const std::vector<std::string>& names,
                             std::size_t target) {
  FitOptions own = shared;
  own.target = names[target];
  own.skip_missing_target = true;  // a row without this target serves the others
  for (std::size_t other = 0; other < names.size(); ++other)
    if (other != target) own.drop.push_back(names[other]);
  apply_target_range(y_range, names, target, own);
  return own;
}

std::vector<SignedScore> OutOfFoldTarget::scores() const {
  std::vector<SignedScore> scores;
  for (Index i = 0; i < std::ssize(y); ++i) scores.push_back(rows->score(i, row_target(y, i, 1), 0));
  return scores;
}

void SeveralOptions::check() const {
  if (region != "auto") joint_regions().make(region);
}

SeveralOptions SeveralOptions::from(const TaskOptions& own) {
  SeveralOptions options;
  if (const auto found = own.find("region"); found != own.end()) options.region = found->second;
  if (const auto found = own.find("y-range"); found != own.end()) options.y_range = found->second;
  return options;
}

void SeveralTask::check(const FitOptions& shared) const {
  options.check();
  const auto refuse = [](const std::string& option, const std::string& why) {
    throw UsageError(format_text("--{} is not for several targets: {}", option, why));
  };
  if (shared.has_given_predictions())
    refuse("prediction", "predictions of your own would be needed for each of them; leave it out, or fit each target alone");
  if (!shared.quantile_columns.empty() || !shared.sample_columns.empty())
    refuse(shared.quantile_columns.empty() ? "sample-columns" : "quantile-columns",
           "distributions of your own would be needed for each of them; leave it out, or fit each target alone");
  if (is_imported(shared)) refuse("model", "an imported model predicts one number; leave it out, or fit each target alone");
  if (shared.holds_out()) refuse("split " + shared.split, "its intervals are of one target; leave it out, or give shares");
  if (shared.has_past())
    refuse(shared.lags.empty() ? "rolling" : "lags", "leave it out, and give columns of the rows before as inputs of your own");
  if (shared.focus > 0) refuse("focus", "the confidence of each target is above that of the region; leave it out");
  if (shared.has_time()) refuse("time", "targets are fitted at the same time; give --repeats or --effort instead");
  if (!shared.exposure.empty()) refuse("exposure", "it is about one target; leave it out, or fit each target alone");
  if (!shared.sample_weight.empty())
    refuse("sample-weight", "what is learnt of targets together counts each row once; leave it out, or fit each target alone");
  if (shared.is_monotone())
    refuse(shared.increasing.empty() ? "decreasing" : "increasing",
           "the order of ends is ensured for one target; leave it out, or fit each target alone");
}

// Calibration rows must have all targets, because their scores are joint. Rows that lack some are left out of the calibration.
RowPlan SeveralTask::plan(const TableView& table, const Rows& usable, Index, const FitOptions& shared, bool calibration_elsewhere,
                          const ExecutionContext& context) {
  std::vector<Column> columns;
  const auto names = target_names(table, shared);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto& name = names[j];
    FitOptions alone = shared;
    alone.target = name;
    apply_target_range(options.y_range, names, j, alone);
    alone.check_columns();  // no target is dropped, or names groups
    alone.check_order();    // or times
    columns.push_back({.name = name});
  }
  if (!shared.skip_missing_target) refuse_missing_targets(table, columns);
  RowPlan plan = plan_of(table, usable, shared, calibration_elsewhere);
  const Index before = std::ssize(plan.calibration);
  std::vector<bool> is_whole(usable.size());
  std::size_t next = 0;
  for (const Index row : rows_with_targets(table, columns, usable, HasTargets::all)) {
    while (usable[next] != row) ++next;
    is_whole[next] = true;
  }
  std::erase_if(plan.calibration, [&](Index position) { return !is_whole[static_cast<std::size_t>(position)]; });
  const Index left = std::ssize(plan.calibration);
  if (before > 0 && left == 0)
    throw Error(
        format_text("{}: none of the {} has all of the targets {}: a joint region cannot be calibrated; name fewer targets",
                    table.source(), counted(before, "calibration row"), shared.target));
  if (left < before)
    context.tell(
        format_text("{} of {} lack a target and are left out of the calibration: the guarantee is for rows that have all "
                    "targets; rows without some of them train the others",
                    print_count(before - left), counted(before, "calibration row")));
  return plan;
}

std::unique_ptr<ScoredRows> SeveralTask::see(const TableView& table, TableView x, Rows rows, int threads) const {
  std::vector<std::unique_ptr<NumberRows>> seen(of_target.size());
  parallel_blocks(std::ssize(of_target), 1, threads, [&](Index target, Index) {
    const auto j = static_cast<std::size_t>(target);
    seen[j].reset(static_cast<NumberRows*>(of_target[j]->see(table, x, rows, threads).release()));
  });
  Matrix of_rows;
  if (!region->is_box()) of_rows = dependence.params(x, rows, scaled_predictions(seen, joint), threads);
  return std::make_unique<SeveralRows>(*this, std::move(x), std::move(rows), std::move(seen), std::move(of_rows));
}

Index SeveralTask::n_outputs() const {
  Index count = 0;
  for (const auto& task : of_target) count += task->n_outputs();
  return count;
}

std::vector<std::string> SeveralTask::output_names() const {
  if (of_target.size() == 1) return of_target.front()->output_names();
  std::vector<std::string> predictions, scales;
  for (std::size_t j = 0; j < of_target.size(); ++j) {
    const auto own = of_target[j]->output_names();
    for (std::size_t k = 0; k < own.size(); ++k)
      (k == 0 ? predictions : scales).push_back(format_text("{} of '{}'", own[k], joint.names[j]));
  }
  predictions.insert(predictions.end(), scales.begin(), scales.end());
  return predictions;
}

std::vector<double> SeveralTask::targets(const TableView& table, std::span<const Column> columns, RowsView rows) const {
  std::vector<double> all(rows.size() * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto own = of_target[j]->targets(table, columns.subspan(j, 1), rows);
    for (std::size_t i = 0; i < rows.size(); ++i) all[i * columns.size() + j] = own[i];
  }
  return all;
}

SeveralRows::SeveralRows(const SeveralTask& of, TableView inputs, Rows which, std::vector<std::unique_ptr<NumberRows>> targets,
                         Matrix dependence_of_rows)
    : ScoredRows(std::move(inputs), std::move(which)),
      of_target(std::move(targets)),
      dependence(std::move(dependence_of_rows)),
      task_(of) {}

JointRow SeveralRows::at(Index i) const {
  JointRow row{task_.joint, {}};
  row.scores.reserve(of_target.size());
  for (const auto& target : of_target) row.scores.push_back(target->at(i));
  if (dependence.cols() > 0) row.dependence = {dependence.row(i).data(), static_cast<std::size_t>(dependence.cols())};
  return row;
}

SignedScore SeveralRows::score(Index i, RowTarget y, double uniform) const {
  if (of_target.size() == 1 && task_.region->is_box()) return of_target.front()->score(i, y, uniform);
  return {Side::above, task_.region->score(at(i), y)};
}

Matrix SeveralRows::outputs() const {
  Matrix all(std::ssize(rows), task_.n_outputs());
  Index target = 0, next = task_.n_predictions();
  for (const auto& seen : of_target) {
    const Matrix own = seen->outputs();
    all.col(target++) = own.col(0);
    all.middleCols(next, own.cols() - 1) = own.rightCols(own.cols() - 1);
    next += own.cols() - 1;
  }
  return all;
}

Matrix SeveralRows::scores_alone(std::span<const double> y) const {
  const Index d = task_.targets_count();
  Matrix sizes(std::ssize(rows), d);
  for (Index i = 0; i < sizes.rows(); ++i) {
    const JointRow row = at(i);
    const RowTarget own = row_target(y, i, d);
    for (Index j = 0; j < d; ++j)
      sizes(i, j) = std::min(std::abs(row.common(j, own[static_cast<std::size_t>(j)])), std::numeric_limits<double>::max());
    if (fault("largest-instead-of-each")) sizes.row(i).setConstant(sizes.row(i).maxCoeff());
  }
  return sizes;
}

std::vector<double> SeveralRows::numbers_of(Index i, RowTarget y) const {
  const JointRow row = at(i);
  const auto d = static_cast<std::size_t>(row.count());
  std::vector<double> numbers(static_cast<std::size_t>(task_.kept_columns()), missing);
  if (std::isnan(y.front())) return numbers;
  std::vector<double> normal;
  for (std::size_t j = 0; j < d; ++j) {
    // A score without a finite size is larger than every other.
    numbers[j] = std::clamp(row.common(static_cast<Index>(j), y[j]), std::numeric_limits<double>::lowest(),
                            std::numeric_limits<double>::max());
    normal.push_back(std::clamp(normal_score(numbers[j]), -8.0, 8.0));
  }
  if (numbers.size() > d) Correlation{row.dependence, row.count()}.whiten(normal, std::span(numbers).subspan(d));
  return numbers;
}

KeptRows SeveralRows::kept(std::span<const double> y, const RowFacts& facts, CalibrationKind kind, Index groups,
                           const FitOptions& options) const {
  const Index d = task_.kept_columns(), n = std::ssize(rows);
  Matrix w(n, d);
  for (Index i = 0; i < n; ++i) {
    const auto own = numbers_of(i, row_target(y, i, task_.targets_count()));
    std::copy(own.begin(), own.end(), w.row(i).begin());
  }
  Rows order = all_rows(n);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (Index j = 0; j < d; ++j)
      if (w(a, j) != w(b, j)) return w(a, j) < w(b, j);
    const auto p = static_cast<std::size_t>(a), q = static_cast<std::size_t>(b);
    if (!facts.groups.empty() && facts.groups[p] != facts.groups[q]) return facts.groups[p] < facts.groups[q];
    return !facts.weights.empty() && facts.weights[p] < facts.weights[q];
  });
  return choose_kept(KeptRows(d), order, {facts, kind, groups, options},
                     [&](Index row) { return std::vector<double>(w.row(row).begin(), w.row(row).end()); });
}

SignedScore SeveralTask::stream_score(SignedScore score) const {
  constexpr double largest = std::numeric_limits<double>::max();
  return {score.side, std::clamp(score.score, -largest, largest)};
}

void SeveralTask::check_refit(const std::string& option) const {
  throw UsageError(
      format_text("{}: models of several targets keep their f; fit another one on the rows so far with 'taut fit', "
                  "and stream with that",
                  option));
}

void SeveralTask::check_stream(const ModelParts& parts, const StreamOptions& asked) const {
  if (parts.distribution.rows() == 0)
    throw Error("a stream needs calibration rows, and the model has none: use 'taut calibrate'");
  if (asked.refit_every.value_or(0) > 0 || asked.refit_rows) check_refit("--refit-every and --refit-rows");
  if (asked.recentre.value_or(false))
    throw UsageError("--recentre moves intervals of one number; a model of several targets has regions: leave it out");
}

}  // namespace taut
