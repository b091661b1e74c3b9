// How good a model's intervals are on rows whose target is known.
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/held_out_intervals.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double LevelReport::metric(std::string_view name) const {
  for (const auto& [own, value] : metrics)
    if (own == name) return value;
  throw UsageError("no metric is called '" + std::string(name) + "'");
}

Matrix Regressor::log_scales(const TableView& table, const ExecutionContext& context) const {
  const NumberRows seen = see_numbers(*parts_, table, context.threads);
  if (!transform().is_scale() || models_held_out() > 0) return Matrix(table.rows(), 0);
  const double log_unit = std::log(number().score.unit());
  if (transform().n_params() == 0 && seen.predicted.has_ends()) return Matrix(table.rows(), 0);
  if (transform().n_params() == 0) return Matrix::Constant(table.rows(), 1, log_unit);
  return number().score.log_scales(seen.g).array() + log_unit;
}

namespace {

// Where the target's range restricts, intervals may be rounded up to a possible value: too much coverage is no alarm then.
std::vector<Alarm> coverage_alarms(const Evaluation& evaluation, bool range_restricts) {
  std::vector<Alarm> alarms;
  for (const auto& level : evaluation.levels) {
    const bool by_groups = !std::isnan(level.group_coverage);
    const double coverage = by_groups ? level.group_coverage : level.metric("coverage"), low = level.metric("coverage_low"),
                 high = level.metric("coverage_high");
    if (!(coverage < low || (coverage > high && !range_restricts))) continue;
    alarms.push_back({AlarmKind::coverage,
                      "coverage at confidence " + print_number(level.confidence) +
                          (by_groups ? ", each group counting once," : "") + " is " + print_rounded(coverage) +
                          ", outside the band from " + print_rounded(low) + " to " + print_rounded(high) +
                          " that chance explains: these rows are probably not exchangeable with the calibration rows; "
                          "collect fresh rows like them and use 'taut calibrate', or fit anew",
                      "",
                      {},
                      {{"confidence", level.confidence}, {"coverage", coverage}, {"low", low}, {"high", high}}});
  }
  return alarms;
}

// Where rows have laws of their own.
std::vector<Alarm> alarms_of_infinite(const Evaluation& evaluation) {
  std::vector<Alarm> alarms;
  for (const auto& level : evaluation.levels)
    if (const auto infinite = static_cast<Index>(level.metric("infinite")); infinite > 0)
      alarms.push_back({AlarmKind::too_few_rows,
                        print_count(infinite) + " of " + counted(evaluation.rows, "interval") + " at confidence " +
                            print_number(level.confidence) + " are the whole line: too few calibration rows count for these rows",
                        "",
                        {},
                        {{"confidence", level.confidence}, {"rows", static_cast<double>(infinite)}}});
  return alarms;
}

// One alarm for all quantiles, whose bands hold together. Where intervals raise one, they have said it already. P-values raise
// none: the share of those up to a is what intervals at 1 − a do not cover. Where the target's range restricts, only broken
// promises are an alarm, as for intervals: too many rows below a low quantile, or above a high one.
std::vector<Alarm> quantile_alarms(const LawReport& law, bool range_restricts) {
  for (const QuantileReport& quantile : law.quantiles) {
    if (quantile.chance_explains()) continue;
    const bool too_many = quantile.below > quantile.expected.high;
    const bool breaks_promise = too_many ? quantile.p < 0.5 : quantile.p > 0.5;
    if (range_restricts && !breaks_promise) continue;
    const double share = too_many ? quantile.below : quantile.at_or_below;
    return {{AlarmKind::coverage,
             "the share of rows " + std::string(too_many ? "below" : "at or below") + " the quantile " +
                 print_number(quantile.p) + " is " + print_rounded(share) + ", outside the band from " +
                 print_rounded(quantile.expected.low) + " to " + print_rounded(quantile.expected.high) +
                 " that chance explains: these rows are probably not exchangeable with the calibration rows, even if intervals "
                 "cover them; collect fresh rows like them and use 'taut calibrate', or fit anew",
             "",
             {},
             {{"quantile", quantile.p}, {"share", share}, {"low", quantile.expected.low}, {"high", quantile.expected.high}}}};
  }
  return {};
}

}  // namespace

Evaluation Regressor::evaluate(const TableView& given, std::span<const double> levels, const ExecutionContext& context,
                           const std::vector<std::string>& by) const {
  const TableView table = given.with_missing(options().na);
  const Rows rows = usable_rows(table, options());
  if (rows.empty()) throw Error(table.source() + ": no row has a target");
  const auto y = parts_->targets(table, rows);
  const TargetRange& range = target_range();
  const NumberRows seen = see_numbers(*parts_, table, rows, context.threads);
  const auto score_of_row = [&](Index i) { return seen.at(i); };  // of the i-th of these rows
  const MatrixF encoded = standardised(Encoder(Encoding::raw, seen.x, rows).encode(seen.x, rows, context.threads));
  const Inputs inputs(encoded);

  GroupedTable groups;
  if (!by.empty()) groups = parts_->group_rows(table, seen, by);
  UnseenGroups unseen;
  const LawsOfRows laws = parts_->laws_of(table, seen, context.threads, &unseen);
  const CoverageChance chance(*parts_, table, seen, y, context.threads);
  const Index models = models_held_out();
  const bool is_plain = models == 0 && laws.shared() != nullptr && laws.shared()->is_plain();
  const auto law_of_row = [&](Index i) { return laws[i]; };

  Evaluation result{std::ssize(rows), calibration_rows(), {}};
  const RowUniforms uniforms(static_cast<std::uint64_t>(options().seed), parts_->keys_of(seen, context.threads), 0);
  if (is_plain)
    result.law = judge_law(law(), range, score_of_row, y, uniforms, context.threads, seen.predicted.has_ends());
  else if (models == 0 && laws[0].has_ranks())
    result.law = judge_laws(law_of_row, range, score_of_row, y, uniforms, context.threads);
  std::vector<Interval> intervals(rows.size());
  // Of all levels at once: every model predicts every row for it.
  Predicted held_out;
  if (models > 0) held_out = predict_held_out(*parts_, table, rows, levels, context.threads);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    context.report("evaluating", static_cast<double>(level) / static_cast<double>(levels.size()));
    const double quantile = is_plain ? law().quantile(levels[level]) : missing;
    double delivered = models > 0 ? worst_coverage(levels[level]) : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<Index>(i);
      if (models > 0) {
        intervals[i] = held_out.at(row, level);
        continue;
      }
      double own_quantile = quantile;
      if (!is_plain) {
        const Law own = laws[row];
        own_quantile = own.quantile(levels[level]);
        delivered += (own.delivered(levels[level]) - delivered) / static_cast<double>(i + 1);
      }
      intervals[i] = score_of_row(row).at_most(own_quantile, range);
    }
    const Index rank = is_plain ? law().rank(levels[level]) : 0;
    const Judged judged{intervals,
                        y,
                        levels[level],
                        encoded.cols() > 0 ? &inputs : nullptr,
                        calibration_rows(),
                        rank,
                        is_plain ? law().last_rank(levels[level]) : 0,
                        static_cast<std::uint64_t>(options().seed),
                        context.threads,
                        is_plain || calibration_rows() == 0 ? std::nullopt : std::optional(chance.at(levels[level]).band())};
    LevelReport report{levels[level], rank, is_plain ? law().delivered(levels[level]) : delivered, {}};
    if (options().is_in_order()) report.delivered = missing;
    if (chance.counts_groups()) report.group_coverage = chance.coverage(covered(intervals, y), all_rows(result.rows));
    if (!by.empty()) result.groups.push_back(judge_groups(groups, intervals, y, levels[level], chance));
    for (const auto& entry : metrics().entries())
      report.metrics.emplace_back(entry.name, metrics().make(entry.name)->value(judged));
    result.levels.push_back(std::move(report));
  }
  result.alarms = alarms_of_rows(table, context);
  // Rows that the model has had explain a strange coverage; advice to calibrate with rows like them would be wrong.
  const bool explained = std::any_of(result.alarms.begin(), result.alarms.end(), [](const Alarm& alarm) {
    return alarm.kind == AlarmKind::training_rows || alarm.kind == AlarmKind::calibration_rows;
  });
  std::vector<Alarm> coverage = explained ? std::vector<Alarm>{} : coverage_alarms(result, range.restricts());
  if (!explained && coverage.empty()) coverage = quantile_alarms(result.law, range.restricts());
  for (const auto& alarms : {is_plain ? alarms_of_too_few_rows(calibration_rows(), levels, law().sure()) : alarms_of_infinite(result),
                             alarms_of_groups(unseen), coverage})
    result.alarms.insert(result.alarms.end(), alarms.begin(), alarms.end());
  return result;
}

}  // namespace taut
