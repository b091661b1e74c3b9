// How good a model's sets are on rows whose labels are known.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/label/set_metrics.hpp>

#include <algorithm>

namespace taut {

namespace {

Alarm coverage_alarm(const SetLevelReport& level, const std::string& of, double coverage, double low, double high) {
  return {AlarmKind::coverage,
          "coverage " + of + "at confidence " + print_number(level.confidence) + " is " + print_rounded(coverage) +
              ", outside the band from " + print_rounded(low) + " to " + print_rounded(high) +
              " that chance explains: these rows are probably not exchangeable with the calibration rows; collect fresh rows "
              "like them and use 'taut calibrate', or fit anew",
          "",
          {},
          {{"confidence", level.confidence}, {"coverage", coverage}, {"low", low}, {"high", high}}};
}

std::vector<Alarm> alarms_of_labels(const Classifier& model, std::span<const double> levels) {
  std::vector<Alarm> alarms;
  for (const double level : levels) {
    const auto least = least_calibration_rows(level, model.law().sure());
    std::vector<std::string> names;
    for (const GroupSize& label : model.calibration_groups())
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

}  // namespace

SetEvaluation Classifier::evaluate(const TableView& given, std::span<const double> levels, const ExecutionContext& context,
                                   const std::vector<std::string>& by) const {
  const LabelledRows known(*this, given, context.threads);
  const TableView& table = known.table;
  const std::vector<Index>& labels = known.labels;
  const MatrixF& encoded = known.inputs;
  const Rows rows = all_rows(table.rows());
  const Inputs inputs(encoded);
  const PredictedSets sets = predict_sets(table, levels, context);
  const auto seed = static_cast<std::uint64_t>(options().seed);

  SetEvaluation result;
  result.rows = std::ssize(rows);
  result.calibration_rows = law().rows();
  for (const Index label : labels) result.unknown_labels += label >= std::ssize(this->labels()) ? 1 : 0;
  result.probabilities = probability_metrics(sets.probabilities, labels, seed);
  GroupedTable groups;
  if (!by.empty()) groups = group_rows(table, by, context);
  result.alarms = alarms_of_rows(table, context);
  const bool explained = std::any_of(result.alarms.begin(), result.alarms.end(), [](const Alarm& alarm) {
    return alarm.kind == AlarmKind::training_rows || alarm.kind == AlarmKind::calibration_rows;
  });
  const bool is_plain = !parts_->calibration;
  const CoverageChance chance = known.chance(*this, context.threads);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    context.report("evaluating", static_cast<double>(level) / static_cast<double>(levels.size()));
    SetLevelReport report;
    report.confidence = levels[level];
    report.rank = is_plain ? law().rank(levels[level]) : 0;
    report.delivered = options().is_in_order() ? missing : is_plain ? law().delivered(levels[level]) : levels[level];
    const JudgedSets judged{sets,
                            level,
                            labels,
                            encoded.cols() > 0 ? &inputs : nullptr,
                            law().rows(),
                            report.rank,
                            is_plain ? law().last_rank(levels[level]) : 0,
                            seed,
                            context.threads,
                            is_plain ? std::nullopt : std::optional(chance.at(levels[level]).band())};
    report.metrics = set_metrics(judged);
    if (chance.counts_groups()) {
      std::vector<std::uint8_t> covered;
      for (Index row = 0; row < result.rows; ++row) covered.push_back(judged.covered(row) ? 1 : 0);
      report.group_coverage = chance.coverage(covered, rows);
    }
    report.by_label = lines_by_label(judged, this->labels());
    report.by_size = lines_by_size(judged);
    report.confusion = set_confusion(judged);
    if (!by.empty()) result.groups.emplace_back(levels[level], lines_by_group(judged, groups));
    const bool by_groups = chance.counts_groups();
    const double coverage = by_groups ? report.group_coverage : report.metric("coverage"), low = report.metric("coverage_low"),
                 high = report.metric("coverage_high");
    if (!explained && (coverage < low || coverage > high))
      result.alarms.push_back(coverage_alarm(report, by_groups ? "of groups, each counting once, " : "", coverage, low, high));
    result.levels.push_back(std::move(report));
  }
  const auto too_few = by_label() ? alarms_of_labels(*this, levels)
                       : is_plain ? alarms_of_too_few_rows(law().rows(), levels, law().sure())
                                  : std::vector<Alarm>{};
  for (const auto& more : {too_few, alarms_of_groups(sets.unseen)})
    result.alarms.insert(result.alarms.end(), more.begin(), more.end());
  return result;
}

}  // namespace taut
