// The evaluation of a model's regions, as far as it is the same for every task. A task's RegionEvaluator computes the regions and
// their metrics.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/model/held_out.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/row_checks.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace taut {

namespace {

// For a task that only has scores: finds which rows are covered.
class ScoreEvaluator final : public RegionEvaluator {
 public:
  explicit ScoreEvaluator(const EvaluationRequest& request) : request_(request) {}

  EvaluatedRegions regions(std::size_t level) override {
    const ModelParts& parts = request_.parts;
    parts.require_distribution("an evaluation by scores alone needs");
    EvaluatedRegions judged;
    for (Index row = 0; row < std::ssize(request_.seen.rows); ++row) {
      const double level_of_row = request_.levels[level];
      const RowTarget y = row_target(request_.y, row, parts.n_targets());
      const ScoreDistribution distribution =
          parts.by_label ? parts.distribution_of_target_value(static_cast<Index>(y.front())) : request_.distributions[row];
      const bool is_possible = parts.n_targets() > 1 || !parts.task->is_never_covered(y.front());
      const bool is_covered = is_possible && request_.seen.score(row, y, 0).score <= distribution.quantile(level_of_row);
      judged.covered.push_back(is_covered ? 1 : 0);
    }
    judged.sizes.assign(judged.covered.size(), missing);
    judged.losses = judged.sizes;
    covered_ = judged.covered;
    return judged;
  }

  Figures metrics(std::size_t, Judged facts) const override {
    return coverage_figures({"coverage", "coverage_low", "coverage_high"}, covered_, std::move(facts));
  }

  std::unique_ptr<Evaluation> finish() override { return std::make_unique<Evaluation>(); }

 private:
  EvaluationRequest request_;
  std::vector<std::uint8_t> covered_;  // of the last call of regions()
};

std::vector<Alarm> alarms_of_coverage(const std::vector<LevelReport>& levels, bool rounds_up) {
  std::vector<Alarm> alarms;
  for (const auto& level : levels) {
    const bool by_groups = !std::isnan(level.group_coverage);
    const double coverage = level.exact_coverage, low = level.metric("coverage_low"), high = level.metric("coverage_high");
    const bool is_exact = by_groups || coverage == level.metric("coverage");
    if (!(coverage < low || (coverage > high && !rounds_up))) continue;
    alarms.push_back(
        {AlarmKind::coverage,
         format_text("coverage at confidence {}{}{} is {}, outside the band from {} to {} that chance explains: these "
                     "rows are probably not exchangeable with the calibration rows; collect fresh rows like them "
                     "and use 'taut calibrate', or fit anew; if all rows come from one table that is sorted, shuffle it before "
                     "cutting it",
                     print_number(level.confidence), by_groups ? ", each group counting once," : "",
                     is_exact ? "" : ", before empty sets got a label,", print_rounded(coverage), print_rounded(low),
                     print_rounded(high)),
         "",
         {},
         {{"confidence", level.confidence}, {"coverage", coverage}, {"low", low}, {"high", high}}});
  }
  return alarms;
}

Alarm alarm_of_unbounded(Index unbounded, Index rows, double level, const RegionWords& words) {
  return {AlarmKind::too_few_rows,
          format_text("{} of {} at confidence {} are {}: too few calibration rows count for these rows", print_count(unbounded),
                      counted(rows, words.one), print_number(level), words.unbounded),
          "",
          {},
          {{"confidence", level}, {"rows", static_cast<double>(unbounded)}}};
}

// For a class-conditional calibration: labels with too few calibration rows.
std::vector<Alarm> alarms_of_labels(const std::vector<GroupSize>& labels, std::span<const double> levels, double sure) {
  std::vector<Alarm> alarms;
  for (const double level : levels) {
    const auto minimum = min_calibration_rows(level, sure);
    std::vector<std::string> names;
    for (const GroupSize& label : labels)
      if (label.rows < minimum) names.push_back("'" + label.name + "'");
    if (names.empty()) continue;
    alarms.push_back({AlarmKind::too_few_rows,
                      format_text("at confidence {} {} {} too few calibration rows and {} in every set: {}; at least {} are "
                                  "needed",
                                  print_number(level), counted(std::ssize(names), "label"), names.size() == 1 ? "has" : "have",
                                  names.size() == 1 ? "is" : "are", join(names, ", "), print_count(minimum)),
                      "",
                      names,
                      {{"confidence", level}}});
  }
  return alarms;
}

// The coverage that is guaranteed at each level, on average over the rows. The loop makes each row's distribution only once.
std::vector<double> delivered(const ModelParts& parts, const RowDistributions& distributions, Index rows,
                              std::span<const double> y, std::span<const double> levels) {
  std::vector<double> result(levels.size(), missing);
  if (parts.options.is_in_order()) return result;
  const bool is_shared = !parts.held_out.empty() || (distributions.shared() != nullptr && !parts.by_label);
  for (std::size_t level = 0; level < levels.size() && is_shared; ++level)
    result[level] = parts.held_out.empty()
                        ? distributions.shared()->delivered(levels[level])
                        : coverage_held_out(parts.calibration_rows(), std::ssize(parts.held_out), levels[level]);
  if (is_shared) return result;
  std::fill(result.begin(), result.end(), 0.0);
  std::vector<ScoreDistribution> of_labels;
  for (Index label = 0; parts.by_label && label < parts.task->n_target_values(); ++label)
    of_labels.push_back(parts.distribution_of_target_value(label));
  for (Index i = 0; i < rows; ++i) {
    std::optional<ScoreDistribution> own;
    if (!parts.by_label)
      own = distributions[i];
    else if (const double label = y[static_cast<std::size_t>(i)]; !parts.task->is_never_covered(label))
      own = of_labels[static_cast<std::size_t>(label)];
    for (std::size_t level = 0; level < levels.size(); ++level)
      result[level] += ((own ? own->delivered(levels[level]) : 0) - result[level]) / static_cast<double>(i + 1);
  }
  return result;
}

// The weights for an evaluation: the column that the user names, or the one that the model was calibrated by.
WeightedReport weighted_report(const ModelParts& parts, const std::string& asked) {
  const auto names_it = [&](const std::string& column) {
    return parts.reader.is(CalibrationKind::weighted) && find_column(parts.reader.columns_to_predict(), column).has_value();
  };
  WeightedReport report{asked};
  if (asked.empty() && parts.options.calibrate_by_weight && names_it(parts.options.sample_weight))
    report.column = parts.options.sample_weight;
  report.is_guaranteed = !report.column.empty() && names_it(report.column);
  return report;
}

// The distribution of the coverage of as many rows as the weights leave.
WeightedLevel weighted_level(const EvaluatedRegions& judged, const std::vector<double>& weights, double effective_rows,
                             double confidence, const CoverageChance& chance) {
  double sum = 0, covered = 0, size = 0, loss = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    sum += weights[i];
    covered += weights[i] * judged.covered[i];
    size += weights[i] * judged.sizes[i];
    loss += weights[i] * judged.losses[i];
  }
  std::vector<CoverageStratum> strata = chance.strata(confidence, all_rows(std::ssize(weights)));
  for (CoverageStratum& one : strata)
    one.units = static_cast<Index>(static_cast<double>(one.units) * effective_rows / static_cast<double>(weights.size()));
  std::erase_if(strata, [](const CoverageStratum& one) { return one.units == 0; });
  return {confidence, covered / sum, size / sum, loss / sum, strata.empty() ? Band{0, 1} : CoverageSpread(strata).band()};
}

std::vector<Alarm> alarms_of_weighted_coverage(const WeightedReport& weighted, bool rounds_up) {
  std::vector<Alarm> alarms;
  for (const WeightedLevel& one : weighted.levels) {
    if (!(one.coverage < one.band.low || (one.coverage > one.band.high && !rounds_up))) continue;
    alarms.push_back(
        {AlarmKind::coverage,
         format_text("coverage at confidence {} by the weights in '{}' is {}, outside the band from {} to {} that "
                     "chance explains: these rows are probably not exchangeable with the calibration rows; collect "
                     "fresh rows like them and use 'taut calibrate', or fit anew",
                     print_number(one.confidence), weighted.column, print_rounded(one.coverage), print_rounded(one.band.low),
                     print_rounded(one.band.high)),
         weighted.column,
         {},
         {{"confidence", one.confidence}, {"coverage", one.coverage}, {"low", one.band.low}, {"high", one.band.high}}});
  }
  return alarms;
}

}  // namespace

std::unique_ptr<RegionEvaluator> Task::judge(const EvaluationRequest& request) const {
  return std::make_unique<ScoreEvaluator>(request);
}

std::vector<EvaluatedRegions> Model::judge(const TableView& given, std::span<const double> levels,
                                           const ExecutionContext& context) const {
  const TableView table = given.with_missing(options().na);
  const Rows rows = usable_rows(table, options(), targets(), HasTargets::all);
  const auto y = parts_->targets(table, rows);
  const auto seen = parts_->see(table, rows, context.threads);
  const RowDistributions distributions = parts_->distributions_of(table, *seen, context.threads);
  const auto judge = task().judge({*parts_, table, *seen, distributions, y, levels, context});
  std::vector<EvaluatedRegions> judged;
  for (std::size_t i = 0; i < levels.size(); ++i) judged.push_back(judge->regions(i));
  return judged;
}

std::unique_ptr<Evaluation> Model::evaluate(const TableView& given, std::span<const double> levels,
                                            const ExecutionContext& context, const std::vector<std::string>& by, bool allow_empty,
                                            const std::string& sample_weight) const {
  const TableView table = given.with_missing(options().na);
  WeightedReport weighted = weighted_report(*parts_, sample_weight);
  FitOptions asked = options();
  asked.sample_weight = weighted.column;
  if (!sample_weight.empty() && sample_weight == options().target)
    throw UsageError("--sample-weight names the target; name the column with the weights of the rows");
  if (!sample_weight.empty()) table.require(sample_weight);
  const Rows rows = rows_of_calibration(table, asked, targets(), HasTargets::all);  // without those of weight 0
  if (rows.empty()) throw Error(table.source() + ": no row has a target");
  if (levels.empty()) throw UsageError("an evaluation needs a confidence level");
  for (const double level : levels) check_confidence(level);
  GroupColumns::check(by, "--by", table, parts_->schema);
  const auto y = parts_->targets(table, rows);
  const std::vector<double> weights =
      weighted.column.empty() ? std::vector<double>() : sample_weights(table, weighted.column, rows);
  weighted.effective_rows = effective_rows(weights);
  const auto seen = parts_->see(table, rows, context.threads);
  const MatrixF encoded = standardised(Encoder(Encoding::raw, seen->x, rows).encode(seen->x, rows, context.threads));
  const Inputs inputs(encoded);
  const GroupedTable groups = by.empty() ? GroupedTable() : parts_->group_rows(table, *seen, by);
  UnseenGroups unseen;
  const RowDistributions distributions = parts_->distributions_of(table, *seen, context.threads, &unseen);
  const CoverageChance chance(*parts_, table, *seen, y, context.threads);
  const bool is_plain =
      parts_->held_out.empty() && !parts_->by_label && distributions.shared() != nullptr && distributions.shared()->is_plain();
  const auto judge = task().judge({*parts_, table, *seen, distributions, y, levels, context, allow_empty});
  const RegionWords words = task().region_words();

  const std::vector<double> promised = delivered(*parts_, distributions, std::ssize(rows), y, levels);
  std::vector<LevelReport> reports;
  std::vector<GroupReport> by_group;
  std::vector<Alarm> unbounded;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    context.report("evaluating", static_cast<double>(i) / static_cast<double>(levels.size()));
    const double level = levels[i];
    const EvaluatedRegions judged = judge->regions(i);
    LevelReport report{.confidence = level, .rank = is_plain ? distribution().rank(level) : 0, .delivered = promised[i]};
    report.metrics =
        judge->metrics(i, {.intervals = {},
                           .y = {},
                           .confidence = level,
                           .x = encoded.cols() > 0 ? &inputs : nullptr,
                           .calibration_rows = calibration_rows(),
                           .rank = report.rank,
                           .last_rank = is_plain ? distribution().last_rank(level) : 0,
                           .seed = static_cast<std::uint64_t>(options().seed),
                           .threads = context.threads,
                           .band = is_plain || calibration_rows() == 0 ? std::nullopt : std::optional(chance.at(level).band())});
    report.exact_coverage = judged.exactly_covered.empty() && !chance.counts_groups()
                                ? report.metric("coverage")
                                : chance.coverage(judged.covered_by_exact(), all_rows(std::ssize(rows)));
    if (chance.counts_groups()) report.group_coverage = report.exact_coverage;
    if (!weights.empty()) weighted.levels.push_back(weighted_level(judged, weights, weighted.effective_rows, level, chance));
    if (!by.empty()) by_group.push_back(evaluate_groups(groups, judged, level, chance));
    const auto infinite = std::count_if(judged.sizes.begin(), judged.sizes.end(), [](double size) { return std::isinf(size); });
    if (infinite > 0) unbounded.push_back(alarm_of_unbounded(infinite, std::ssize(rows), level, words));
    reports.push_back(std::move(report));
  }

  std::vector<Alarm> alarms = taut::alarms_of_rows(*parts_, table, rows, context.threads);
  // Rows that the model has seen explain an unexpected coverage; the advice to calibrate with such rows would be wrong.
  const bool explained = std::any_of(alarms.begin(), alarms.end(), [](const Alarm& alarm) {
    return alarm.kind == AlarmKind::training_rows || alarm.kind == AlarmKind::calibration_rows;
  });
  std::vector<Alarm> coverage;
  if (!explained && weighted.is_guaranteed) {
    coverage = alarms_of_weighted_coverage(weighted, judge->rounds_up());
  } else if (!explained) {
    coverage = alarms_of_coverage(reports, judge->rounds_up());
    if (coverage.empty()) coverage = judge->further_alarms();
  }
  const std::vector<Alarm> too_few = parts_->by_label ? alarms_of_labels(calibration_groups(), levels, distribution().sure())
                                     : is_plain       ? alarms_of_too_few_rows(calibration_rows(), levels, distribution().sure())
                                                      : unbounded;
  for (const auto& more : {too_few, alarms_of_groups(unseen), coverage}) alarms.insert(alarms.end(), more.begin(), more.end());

  std::unique_ptr<Evaluation> result = judge->finish();
  result->rows = std::ssize(rows);
  result->calibration_rows = calibration_rows();
  result->levels = std::move(reports);
  result->groups = std::move(by_group);
  result->weighted = std::move(weighted);
  result->alarms = std::move(alarms);
  result->words = words;
  return result;
}

}  // namespace taut
