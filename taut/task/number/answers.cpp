// Predictions of numbers as columns, with their warnings and alarms.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>

namespace taut {

namespace {

std::vector<double> column_of(const Matrix& values, Index column) {
  const auto cells = values.col(column);
  return {cells.begin(), cells.end()};
}

std::string describe_distribution(const FitOptions& options, const QuantileLevels& levels) {
  const auto columns = options.prediction_columns();
  const std::string from =
      format_text("from {}, '{}' to '{}'", counted(std::ssize(columns), "column"), columns.front(), columns.back());
  return options.sample_columns.empty()
             ? format_text("predictive distribution {} (quantiles {} to {})", from, print_number(levels.levels().front()),
                           print_number(levels.levels().back()))
             : format_text("predictive distribution {} (samples, as quantiles {} to {})", from,
                           print_number(levels.levels().front()), print_number(levels.levels().back()));
}

class NumberAnswers final : public Answering {
 public:
  NumberAnswers(const ModelParts& parts, const Asking& asking) : parts_(parts), task_(number_task(parts)), asking_(asking) {
    if (asking.wide) throw UsageError("--wide is about models of labels, and this one predicts numbers; leave it out");
    for (const auto& level : asking.levels) ask("interval:" + level);
    n_smoothed_ = questions_.size();
    for (const auto& question : asking.questions) ask(question);
    Index column = 0;
    for (const auto& question : questions_) {
      if (const auto level = question->interval_level()) outside_.push_back({*level, column});
      if (question->needs_value() && asking.value_column.empty())
        throw UsageError(
            "a question about given values (cdf, crps, p-value) needs the column that has them: --value COL names it");
      column += std::ssize(question->columns({.band = asking.band}));
    }
  }

  std::vector<AnswerColumn> columns() const override {
    std::vector<AnswerColumn> names = {{"prediction"}};
    for (const auto& question : questions_)
      for (auto& name : question->columns({.band = asking_.band})) names.push_back({std::move(name)});
    return names;
  }

  std::vector<Column> schema() const override {
    std::vector<Column> schema = parts_.prediction_schema();
    if (asking_.value_column.empty() || find_column(schema, asking_.value_column)) return schema;
    schema.push_back(value_column());
    schema.back().is_strict = true;
    return schema;
  }

  std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) override {
    AskOptions options{.smoothing = asking_.smoothing, .seed = asking_.seed, .band = asking_.band, .first_row = rows_};
    std::vector<double> values;
    if (!asking_.value_column.empty()) values = numbers_of(rows, value_column(), all_rows(rows.rows()), "value");
    options.values = values;
    Answers answers = ask_numbers(parts_, rows, questions_, options, context);
    unseen_.append(answers.unseen);
    crossed_ += count_crossed(rows, parts_.options);
    infinite_ += (answers.values.array().abs() == infinity).rowwise().any().count();
    for (Outside& level : outside_)
      for (Index row = 0; row < rows.rows(); ++row) {
        const Interval interval{answers.values(row, level.column), answers.values(row, level.column + 1)};
        level.rows += lies_outside(answers.prediction[static_cast<std::size_t>(row)], interval, task_.range) ? 1 : 0;
      }
    rows_ += rows.rows();
    std::vector<ResultColumn> columns;
    columns.push_back({.numbers = std::move(answers.prediction)});
    for (Index column = 0; column < answers.values.cols(); ++column)
      columns.push_back({.numbers = column_of(answers.values, column)});
    return columns;
  }

  std::vector<std::string> warnings() const override {
    const bool asks = std::any_of(questions_.begin(), questions_.end(), [](const auto& one) { return one->asks_fixed_values(); });
    if (!asks || parts_.kept.rows() > 0 || parts_.distribution.rows() == 0) return {};
    return {
        "the model keeps no calibration rows for probabilities at fixed values, so these and random values are computed from "
        "ranks alone: if many targets are equal, or their spread differs between rows, they may be far off; 'taut calibrate' "
        "with fresh rows keeps some"};
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> sentences;
    for (const Outside& level : outside_)
      if (level.rows > 0) sentences.push_back(describe_outside(level.rows, rows_, level.confidence));
    return sentences;
  }

  std::vector<Alarm> alarms() const override {
    std::vector<Alarm> alarms = alarms_of_crossed(crossed_, rows_, parts_.options);
    const auto rows = parts_.calibration_rows();
    if (parts_.reader.is_plain()) {
      // Intervals with random ranks raise no alarm.
      for (std::size_t i = asking_.smoothing ? n_smoothed_ : 0; i < questions_.size(); ++i)
        if (auto words = questions_[i]->too_few(rows, parts_.distribution.sure()); !words.empty())
          alarms.push_back(alarm_of_too_few_rows(std::move(words), rows));
    } else if (infinite_ > 0) {
      alarms.push_back(alarm_of_infinite_answers(infinite_, rows_));
    }
    return alarms;
  }

 private:
  struct Outside {  // predictions outside of their own intervals
    double confidence;
    Index column;  // of the lower end
    Index rows = 0;
  };

  void ask(const std::string& question) { questions_.push_back(taut::questions().make(question)); }
  // Usually the target, which has the number format of the fit.
  Column value_column() const {
    return asking_.value_column == parts_.target().name ? parts_.target() : Column{asking_.value_column};
  }

  const ModelParts& parts_;
  const NumberTask& task_;
  Asking asking_;
  std::vector<std::unique_ptr<Question>> questions_;
  std::size_t n_smoothed_ = 0;  // the first of the questions are intervals, which may have random ranks
  std::vector<Outside> outside_;
  Index rows_ = 0, crossed_ = 0, infinite_ = 0;
};

}  // namespace

std::unique_ptr<Answering> NumberTask::answering(const ModelParts& parts, const Asking& asking) const {
  return std::make_unique<NumberAnswers>(parts, asking);
}

std::vector<AnswerColumn> NumberTask::stream_columns(const std::vector<std::string>& levels) const {
  std::vector<AnswerColumn> columns = {{"prediction"}};
  for (const auto& level : levels) {
    columns.push_back({"lower_" + level});
    columns.push_back({"upper_" + level});
  }
  return columns;
}

std::vector<ResultColumn> NumberTask::stream_cells(const Streamed& streamed) const {
  std::vector<ResultColumn> columns(1 + 2 * streamed.levels.size());
  columns[0].numbers = streamed.prediction;
  for (Index row = 0; row < streamed.rows(); ++row)
    for (std::size_t level = 0; level < streamed.levels.size(); ++level) {
      const Interval& interval = streamed.at(row, level);
      columns[1 + 2 * level].numbers.push_back(interval.empty() ? missing : interval.lower);
      columns[2 + 2 * level].numbers.push_back(interval.empty() ? missing : interval.upper);
    }
  return columns;
}

std::string NumberTask::describe_parts(const ModelParts& parts) const {
  const FitRecord& record = parts.record;
  const ImportedPredictor* imported = predictor.imported();
  const Localization& localization = score.localization();
  const auto given = options.prediction_columns();
  std::string words = imported != nullptr ? "predictor " + imported->model().describe()
                      : given.empty()     ? "predictor " + options.predictor
                      : score.levels()    ? describe_distribution(options, *score.levels())
                      : given.size() == 1 ? format_text("predictions from column '{}'", given[0])
                                          : format_text("quantile predictions from columns '{}' and '{}'", given[0], given[1]);
  const ScoreScale& scale = score.score_scale();
  if (!scale.is_identity()) words += format_text("; scores on the {} scale of the target", scale.name());
  if (score.is_of_probability()) words += "; scores on the scale of its log-odds";
  const std::string fixed = options.predicts_ends()     ? "one width added to every predicted interval"
                            : score.is_of_probability() ? "the given distribution as it is, calibrated by one rank"
                            : scale.is_identity()       ? "one width everywhere"
                                                        : "one width everywhere on this scale";
  if (record.fell_back) return format_text("{}; {} (fell back to 'fixed': nothing better on validation rows)", words, fixed);
  if (score.transform().n_params() == 0) return format_text("{}; {} ('fixed')", words, fixed);
  words += format_text("; transformation {} by localizer {}", score.transform_name(), options.localizer);
  if (localization.n_members() > 1) words += format_text(" (mean of {})", localization.n_members());
  if (localization.exponents().empty()) return words + ", no scale";
  return words + (localization.sides() == 2 ? ", a scale for each side" : ", one scale for both sides");
}

}  // namespace taut
