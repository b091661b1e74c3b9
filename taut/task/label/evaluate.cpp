// Evaluates prediction sets and probabilities on rows with known labels.
#include <taut/core/text.hpp>
#include <taut/metric/metric.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/label/set_metrics.hpp>

#include <algorithm>

namespace taut {

namespace {

class LabelJudge final : public RegionEvaluator {
 public:
  explicit LabelJudge(const EvaluationRequest& request)
      : seen_(static_cast<const LabelRows&>(request.seen)),
        sets_(sets_of(request.parts, seen_, request.distributions, request.levels, {.allow_empty = request.allow_empty},
                      request.context)),
        labels_(request.y.begin(), request.y.end()),
        seed_(static_cast<std::uint64_t>(request.parts.options.seed)) {
    result_.labels = request.parts.task->target_values();
  }

  EvaluatedRegions regions(std::size_t level) override { return EvaluatedSets{sets_, level, labels_}.regions(); }

  Figures metrics(std::size_t level, Judged facts) const override {
    return set_metrics({sets_, level, labels_, facts.x, facts.calibration_rows, facts.rank, facts.last_rank, facts.seed,
                        facts.threads, facts.band});
  }

  std::unique_ptr<Evaluation> finish() override {
    result_.unknown_labels =
        std::count_if(labels_.begin(), labels_.end(), [this](Index label) { return label >= std::ssize(result_.labels); });
    result_.probabilities = probability_metrics(seen_.p, labels_, seed_);
    for (std::size_t level = 0; level < sets_.levels.size(); ++level) {
      const EvaluatedSets judged{sets_, level, labels_};
      result_.breakdowns.push_back({lines_by_label(judged, result_.labels), lines_by_size(judged), set_confusion(judged)});
    }
    return std::make_unique<LabelEvaluation>(std::move(result_));
  }

 private:
  const LabelRows& seen_;
  PredictedSets sets_;
  std::vector<Index> labels_;
  std::uint64_t seed_;
  LabelEvaluation result_;
};

}  // namespace

std::unique_ptr<RegionEvaluator> LabelTask::judge(const EvaluationRequest& request) const {
  return std::make_unique<LabelJudge>(request);
}

RegionWords LabelTask::region_words() const {
  return {.one = "set",
          .size = "size",
          .size_meaning = "labels in a set, on average",
          .covered = "share of labels in their sets",
          .unbounded = "all labels"};
}

LabelEvaluation Classifier::evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                     const std::vector<std::string>& by, bool allow_empty) const {
  return std::move(static_cast<LabelEvaluation&>(*Model::evaluate(table, levels, context, by, allow_empty)));
}

std::string LabelEvaluation::metric_summary(const std::string& name) const { return std::string(set_metric_summary(name)); }

void LabelEvaluation::add_facts(Value& evaluation) const {
  Value of_probabilities = Value::object();
  for (const auto& [name, value] : probabilities) of_probabilities.set(name, value);
  evaluation.set("unknown_labels", unknown_labels);
  evaluation.set("labels", labels);
  evaluation.set("probabilities", of_probabilities);
}

void LabelEvaluation::add_level_facts(std::size_t level, Value& report) const {
  const auto lines = [this](const auto& all) {
    return value_list(all, [this](const auto& line) { return facts_of(line, words); });
  };
  report.set("by_label", lines(breakdowns[level].by_label));
  report.set("by_size", lines(breakdowns[level].by_size));
  report.set("confusion", breakdowns[level].confusion);
  if (!groups.empty()) report.set("by_group", lines(groups[level].lines));
}

std::string LabelEvaluation::describe_more() const {
  TextTable table;
  for (const auto& [name, value] : probabilities) table.row({spaced(name), print_rounded(value, 5)}, metric_summary(name));
  std::string text = "\nThe probabilities\n\n" + table.text();
  for (std::size_t i = 0; i < breakdowns.size(); ++i) {
    const std::string at = " at confidence " + print_number(levels[i].confidence);
    text += describe_lines(breakdowns[i].by_label, "By true label" + at, "label", words) +
            describe_lines(breakdowns[i].by_size, "By size of the set" + at, "size", words);
  }
  return text;
}

}  // namespace taut
