// How good a model's regions are: what is the same for every task. A task's judge knows the regions and their metrics.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/model/held_out.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace taut {

namespace {

// Of a task that says no more than scores: which rows are covered.
class ScoreJudge final : public Judge {
 public:
  explicit ScoreJudge(const JudgeRequest& request) : request_(request) {}

  JudgedRegions regions(std::size_t level) override {
    const ModelParts& parts = request_.parts;
    parts.require_law("an evaluation by scores alone needs");
    JudgedRegions judged;
    for (std::size_t i = 0; i < request_.y.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const double level_of_row = request_.levels[level], y = request_.y[i];
      const Law law = parts.by_label ? parts.law_of_target_value(static_cast<Index>(y)) : request_.laws[row];
      const bool is_possible = !parts.task->is_never_covered(y);
      judged.covered.push_back(is_possible && request_.seen.score(row, y, 0).score <= law.quantile(level_of_row) ? 1 : 0);
    }
    judged.sizes.assign(judged.covered.size(), missing);
    judged.losses = judged.sizes;
    covered_ = judged.covered;
    return judged;
  }

  // Intervals from 0 to 1 that hold 1/2 where a row is covered.
  Figures metrics(std::size_t, Judged facts) const override {
    const std::vector<Interval> intervals(covered_.size(), Interval{0, 1});
    std::vector<double> y;
    for (const auto is_covered : covered_) y.push_back(is_covered != 0 ? 0.5 : -1);
    facts.intervals = intervals;
    facts.y = y;
    Figures figures;
    for (const std::string name : {"coverage", "coverage_low", "coverage_high"})
      figures.emplace_back(name, taut::metrics().make(name)->value(facts));
    return figures;
  }

  std::unique_ptr<Evaluation> finish() override { return std::make_unique<Evaluation>(); }

 private:
  JudgeRequest request_;
  std::vector<std::uint8_t> covered_;  // of the level that was judged last
};

std::vector<Alarm> alarms_of_coverage(const std::vector<LevelReport>& levels, bool rounds_up) {
  std::vector<Alarm> alarms;
  for (const auto& level : levels) {
    const bool by_groups = !std::isnan(level.group_coverage);
    const double coverage = by_groups ? level.group_coverage : level.metric("coverage"), low = level.metric("coverage_low"),
                 high = level.metric("coverage_high");
    if (!(coverage < low || (coverage > high && !rounds_up))) continue;
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

Alarm alarm_of_unbounded(Index unbounded, Index rows, double level, const RegionWords& words) {
  return {AlarmKind::too_few_rows,
          print_count(unbounded) + " of " + counted(rows, words.one) + " at confidence " + print_number(level) + " are " +
              words.unbounded + ": too few calibration rows count for these rows",
          "",
          {},
          {{"confidence", level}, {"rows", static_cast<double>(unbounded)}}};
}

// Where each label has calibration scores of its own.
std::vector<Alarm> alarms_of_labels(const std::vector<GroupSize>& labels, std::span<const double> levels, double sure) {
  std::vector<Alarm> alarms;
  for (const double level : levels) {
    const auto least = least_calibration_rows(level, sure);
    std::vector<std::string> names;
    for (const GroupSize& label : labels)
      if (label.rows < least) names.push_back("'" + label.name + "'");
    if (names.empty()) continue;
    alarms.push_back({AlarmKind::too_few_rows,
                      "at confidence " + print_number(level) + " " + counted(std::ssize(names), "label") +
                          (names.size() == 1 ? " has" : " have") + " too few calibration rows and " +
                          (names.size() == 1 ? "is" : "are") + " in every set: " + join(names, ", ") + "; at least " +
                          print_count(least) + " are needed",
                      "",
                      names,
                      {{"confidence", level}}});
  }
  return alarms;
}

// The coverage that is guaranteed at each level, on average over the rows. The distribution of a row is made once for all levels.
std::vector<double> delivered(const ModelParts& parts, const LawsOfRows& laws, std::span<const double> y,
                              std::span<const double> levels) {
  std::vector<double> result(levels.size(), missing);
  if (parts.options.is_in_order()) return result;
  const bool is_shared = !parts.held_out.empty() || (laws.shared() != nullptr && !parts.by_label);
  for (std::size_t level = 0; level < levels.size() && is_shared; ++level)
    result[level] = parts.held_out.empty()
                        ? laws.shared()->delivered(levels[level])
                        : coverage_held_out(parts.calibration_rows(), std::ssize(parts.held_out), levels[level]);
  if (is_shared) return result;
  std::fill(result.begin(), result.end(), 0.0);
  std::vector<Law> of_labels;
  for (Index label = 0; parts.by_label && label < parts.task->n_target_values(); ++label)
    of_labels.push_back(parts.law_of_target_value(label));
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::optional<Law> own;
    if (!parts.by_label)
      own = laws[static_cast<Index>(i)];
    else if (!parts.task->is_never_covered(y[i]))
      own = of_labels[static_cast<std::size_t>(y[i])];
    for (std::size_t level = 0; level < levels.size(); ++level)
      result[level] += ((own ? own->delivered(levels[level]) : 0) - result[level]) / static_cast<double>(i + 1);
  }
  return result;
}

}  // namespace

std::unique_ptr<Judge> Task::judge(const JudgeRequest& request) const { return std::make_unique<ScoreJudge>(request); }

std::vector<JudgedRegions> Model::judge(const TableView& given, std::span<const double> levels,
                                        const ExecutionContext& context) const {
  const TableView table = given.with_missing(options().na);
  const Rows rows = usable_rows(table, options());
  const auto y = parts_->targets(table, rows);
  const auto seen = parts_->see(table, rows, context.threads);
  const LawsOfRows laws = parts_->laws_of(table, *seen, context.threads);
  const auto judge = task().judge({*parts_, table, *seen, laws, y, levels, context});
  std::vector<JudgedRegions> judged;
  for (std::size_t i = 0; i < levels.size(); ++i) judged.push_back(judge->regions(i));
  return judged;
}

std::unique_ptr<Evaluation> Model::evaluate(const TableView& given, std::span<const double> levels,
                                            const ExecutionContext& context, const std::vector<std::string>& by) const {
  const TableView table = given.with_missing(options().na);
  const Rows rows = usable_rows(table, options());
  if (rows.empty()) throw Error(table.source() + ": no row has a target");
  if (levels.empty()) throw UsageError("an evaluation needs a confidence level");
  for (const double level : levels) check_confidence(level);
  const auto y = parts_->targets(table, rows);
  const auto seen = parts_->see(table, rows, context.threads);
  const MatrixF encoded = standardised(Encoder(Encoding::raw, seen->x, rows).encode(seen->x, rows, context.threads));
  const Inputs inputs(encoded);
  const GroupedTable groups = by.empty() ? GroupedTable() : parts_->group_rows(table, *seen, by);
  UnseenGroups unseen;
  const LawsOfRows laws = parts_->laws_of(table, *seen, context.threads, &unseen);
  const CoverageChance chance(*parts_, table, *seen, y, context.threads);
  const bool is_plain = parts_->held_out.empty() && !parts_->by_label && laws.shared() != nullptr && laws.shared()->is_plain();
  const auto judge = task().judge({*parts_, table, *seen, laws, y, levels, context});
  const RegionWords words = task().region_words();

  const std::vector<double> promised = delivered(*parts_, laws, y, levels);
  std::vector<LevelReport> reports;
  std::vector<GroupReport> by_group;
  std::vector<Alarm> unbounded;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    context.report("evaluating", static_cast<double>(i) / static_cast<double>(levels.size()));
    const double level = levels[i];
    const JudgedRegions judged = judge->regions(i);
    LevelReport report{.confidence = level, .rank = is_plain ? law().rank(level) : 0, .delivered = promised[i]};
    report.metrics =
        judge->metrics(i, {.intervals = {},
                           .y = {},
                           .confidence = level,
                           .x = encoded.cols() > 0 ? &inputs : nullptr,
                           .calibration_rows = calibration_rows(),
                           .rank = report.rank,
                           .last_rank = is_plain ? law().last_rank(level) : 0,
                           .seed = static_cast<std::uint64_t>(options().seed),
                           .threads = context.threads,
                           .band = is_plain || calibration_rows() == 0 ? std::nullopt : std::optional(chance.at(level).band())});
    if (chance.counts_groups()) report.group_coverage = chance.coverage(judged.covered, all_rows(std::ssize(rows)));
    if (!by.empty()) by_group.push_back(judge_groups(groups, judged, level, chance));
    const auto infinite = std::count_if(judged.sizes.begin(), judged.sizes.end(), [](double size) { return std::isinf(size); });
    if (infinite > 0) unbounded.push_back(alarm_of_unbounded(infinite, std::ssize(rows), level, words));
    reports.push_back(std::move(report));
  }

  std::vector<Alarm> alarms = alarms_of_rows(table, context);
  // Rows that the model has had explain a strange coverage; advice to calibrate with rows like them would be wrong.
  const bool explained = std::any_of(alarms.begin(), alarms.end(), [](const Alarm& alarm) {
    return alarm.kind == AlarmKind::training_rows || alarm.kind == AlarmKind::calibration_rows;
  });
  std::vector<Alarm> coverage = explained ? std::vector<Alarm>{} : alarms_of_coverage(reports, judge->rounds_up());
  if (!explained && coverage.empty()) coverage = judge->further_alarms();
  const std::vector<Alarm> too_few = parts_->by_label ? alarms_of_labels(calibration_groups(), levels, law().sure())
                                     : is_plain       ? alarms_of_too_few_rows(calibration_rows(), levels, law().sure())
                                                      : unbounded;
  for (const auto& more : {too_few, alarms_of_groups(unseen), coverage}) alarms.insert(alarms.end(), more.begin(), more.end());

  std::unique_ptr<Evaluation> result = judge->finish();
  result->rows = std::ssize(rows);
  result->calibration_rows = calibration_rows();
  result->levels = std::move(reports);
  result->groups = std::move(by_group);
  result->alarms = std::move(alarms);
  result->words = words;
  return result;
}

}  // namespace taut
