// Sets of labels as columns, with their alarms.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/task/label/label_task.hpp>

#include <algorithm>

namespace taut {

namespace {

// Labels joined by '|'; a '|' and a '\' in a label are written '\|' and '\\'.
std::string joined_labels(std::span<const std::uint8_t> set, const std::vector<std::string>& labels) {
  std::string text;
  bool first = true;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (set[k] == 0) continue;
    if (!first) text += '|';
    first = false;
    for (const char c : labels[k]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::vector<ResultColumn> cells_of(const PredictedSets& sets, const std::vector<std::string>& labels, bool wide) {
  const Index rows = sets.probabilities.rows();
  std::vector<ResultColumn> columns(2);
  for (Index row = 0; row < rows; ++row) {
    const Index label = sets.prediction[static_cast<std::size_t>(row)];
    columns[0].texts.push_back(labels[static_cast<std::size_t>(label)]);
    columns[1].numbers.push_back(sets.probabilities(row, label));
  }
  for (std::size_t level = 0; level < sets.levels.size(); ++level) {
    const std::size_t first = columns.size();
    columns.resize(first + (wide ? labels.size() : 1) + 1);
    for (Index row = 0; row < rows; ++row) {
      const auto set = sets.set(row, level);
      if (wide)
        for (std::size_t k = 0; k < labels.size(); ++k) columns[first + k].numbers.push_back(set[k]);
      else
        columns[first].texts.push_back(joined_labels(set, labels));
      columns.back().numbers.push_back(static_cast<double>(sets.size(row, level)));
    }
  }
  return columns;
}

std::vector<AnswerColumn> columns_of(const std::vector<std::string>& levels, const std::vector<std::string>& labels, bool wide) {
  std::vector<AnswerColumn> columns = {{"prediction", true}, {"probability"}};
  for (const auto& level : levels) {
    if (wide)
      for (const auto& label : labels) columns.push_back({"set_" + level + "_" + label});
    else
      columns.push_back({"set_" + level, true});
    columns.push_back({"size_" + level});
  }
  return columns;
}

class LabelAnswers final : public Answering {
 public:
  LabelAnswers(const ModelParts& parts, const Asking& asking) : parts_(parts), task_(label_task(parts)), asking_(asking) {
    how_.smoothing = asking.smoothing;
    how_.allow_empty = asking.allow_empty;
    // The question "set:0.9" means --confidence 0.9.
    for (const auto& question : asking.questions) {
      if (!question.starts_with("set:"))
        throw UsageError(
            "the model predicts labels: it gives sets at levels (--confidence), but no bounds, quantiles, probabilities of "
            "values or samples; leave those options out");
      asking_.levels.push_back(question.substr(4));
    }
    for (const auto& level : asking_.levels) {
      levels_.push_back(parse_number_or_throw(level, "--ask set"));
      check_confidence(levels_.back());
    }
  }

  std::vector<AnswerColumn> columns() const override { return columns_of(asking_.levels, task_.labels, asking_.wide); }
  std::vector<Column> schema() const override { return parts_.prediction_schema(); }
  Index batch_rows() const override { return 1 << 16; }  // large, because trees are prepared for each batch

  std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) override {
    const PredictedSets sets = predict_sets(parts_, rows, levels_, how_, context);
    unseen_.append(sets.unseen);
    how_.first_row += rows.rows();
    return cells_of(sets, task_.labels, asking_.wide);
  }

  std::vector<Alarm> alarms() const override {
    std::vector<Alarm> alarms;
    const Index rows = parts_.distribution.rows();
    if (asking_.smoothing || parts_.by_label || !parts_.reader.is_plain()) return alarms;
    for (const double level : levels_)
      if (const Index minimum = min_calibration_rows(level, parts_.distribution.sure()); rows < minimum)
        alarms.push_back(alarm_of_too_few_rows(
            format_text("{} {} too few for confidence {}, where sets hold every label; at least {} are needed",
                        counted(rows, "calibration row"), rows == 1 ? "is" : "are", print_number(level), print_count(minimum)),
            rows));
    return alarms;
  }

 private:
  const ModelParts& parts_;
  const LabelTask& task_;
  Asking asking_;
  std::vector<double> levels_;
  SetAskOptions how_;
};

}  // namespace

std::unique_ptr<Answering> LabelTask::answering(const ModelParts& parts, const Asking& asking) const {
  return std::make_unique<LabelAnswers>(parts, asking);
}

std::vector<AnswerColumn> LabelTask::stream_columns(const std::vector<std::string>& levels) const {
  return columns_of(levels, labels, false);
}

std::vector<ResultColumn> LabelTask::stream_cells(const Streamed& streamed) const {
  return cells_of(static_cast<const StreamedSets&>(streamed).sets, labels, false);
}

std::string LabelTask::describe_target(const ModelParts&, std::size_t max_names) const {
  const auto shown = std::span(labels).first(std::min(max_names, labels.size()));
  return format_text("{} labels: {}{}", labels.size(), join(shown, ", "), shown.size() < labels.size() ? ", ..." : "");
}

std::string LabelTask::describe_parts(const ModelParts& parts) const {
  const auto& prefix = options.probabilities;
  std::string words =
      "sets of labels by " + (prefix.empty() ? predictor.describe() : format_text("probabilities from columns '{}...'", prefix));
  if (record.corrected) words += format_text(", corrected by boosted trees ({} trees)", print_count(corrected.trees()));
  words += "; score " + options.score_in_force();
  if (record.trained)
    return format_text("{}; a shift of its odds for each row, trained by {}{}", words, record.objective,
                       shift.members() > 1 ? format_text(" (mean of {})", shift.members()) : "");
  if (parts.record.fell_back) return words + "; one cut-off everywhere (fell back to 'fixed': nothing better on validation rows)";
  return words + "; one cut-off everywhere ('fixed')";
}

}  // namespace taut
