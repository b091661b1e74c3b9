#include <cli/arguments.hpp>
#include <cli/classes/doors.hpp>
#include <cli/in_order.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/task/label/set_metrics.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

Json lines_json(const std::vector<SetLine>& lines) {
  Json json = Json::array();
  for (const SetLine& line : lines)
    json.push_back({{"name", line.name},
                    {"rows", line.rows},
                    {"covered", line.covered},
                    {"coverage", json_number(line.coverage())},
                    {"low", json_number(line.band.low)},
                    {"high", json_number(line.band.high)},
                    {"mean_size", json_number(line.mean_size)}});
  return json;
}

Json confusion_json(const Matrix& confusion) {
  Json json = Json::array();
  for (Index row = 0; row < confusion.rows(); ++row) {
    Json one = Json::array();
    for (Index column = 0; column < confusion.cols(); ++column) one.push_back(json_number(confusion(row, column)));
    json.push_back(std::move(one));
  }
  return json;
}

std::string sets_as_json(const SetEvaluation& evaluation, const std::vector<std::string>& labels,
                         const std::optional<StreamReport>& in_order) {
  Json probabilities = Json::object(), levels = Json::array();
  for (const auto& [name, value] : evaluation.probabilities) probabilities[name] = json_number(value);
  for (std::size_t i = 0; i < evaluation.levels.size(); ++i) {
    const SetLevelReport& level = evaluation.levels[i];
    Json one = {{"confidence", level.confidence},
                {"rank", level.rank > 0 ? Json(level.rank) : Json()},
                {"delivered", json_number(level.delivered)}};
    for (const auto& [name, value] : level.metrics) one[name] = json_number(value);
    if (!std::isnan(level.group_coverage)) one["group_coverage"] = level.group_coverage;
    one["by_label"] = lines_json(level.by_label);
    one["by_size"] = lines_json(level.by_size);
    one["confusion"] = confusion_json(level.confusion);
    if (!evaluation.groups.empty()) one["by_group"] = lines_json(evaluation.groups[i].second);
    levels.push_back(std::move(one));
  }
  Json json = {{"rows", evaluation.rows},
               {"calibration_rows", evaluation.calibration_rows},
               {"unknown_labels", evaluation.unknown_labels},
               {"labels", labels},
               {"probabilities", probabilities},
               {"levels", levels},
               {"alarms", alarms_json(evaluation.alarms)}};
  if (in_order) json["in_order"] = in_order_json(*in_order, AnswerKind::sets);
  return json_text(json);
}

std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string lines_in_words(const std::vector<SetLine>& lines, const std::string& title, const std::string& of) {
  constexpr std::size_t most = 40;
  TextTable table;
  table.row({of, "rows", "coverage", "from", "to", "mean size"}, "coverage lies between these, 99 times in 100");
  std::size_t shown = 0;
  for (const SetLine& line : lines) {
    if (line.rows == 0) continue;
    if (++shown > most) break;
    table.row({line.name, print_count(line.rows), with_decimals(line.coverage(), 3), with_decimals(line.band.low, 3),
               with_decimals(line.band.high, 3), print_rounded(line.mean_size, 4)});
  }
  return "\n" + title + "\n\n" + table.text() + (shown > most ? "  ... --json has all\n" : "");
}

std::string sets_as_words(const SetEvaluation& evaluation) {
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto value_of) {
    std::vector<std::string> cells = {name};
    for (const auto& level : evaluation.levels) cells.push_back(print_rounded(value_of(level), 5));
    table.row(std::move(cells), meaning);
  };
  row("confidence", "", [](const SetLevelReport& level) { return level.confidence; });
  // Of a model of rows in order nothing is guaranteed.
  if (!std::isnan(evaluation.levels.front().delivered))
    row("delivered", "the coverage that is guaranteed", [](const SetLevelReport& level) { return level.delivered; });
  if (!std::isnan(evaluation.levels.front().group_coverage))
    row("group coverage", "each group of rows that belong together counts once: what the band is about",
        [](const SetLevelReport& level) { return level.group_coverage; });
  for (const auto& [name, value] : evaluation.levels.front().metrics)
    row(in_words(name), std::string(set_metric_summary(name)),
        [&name = name](const SetLevelReport& level) { return level.metric(name); });
  TextTable probabilities;
  for (const auto& [name, value] : evaluation.probabilities)
    probabilities.row({in_words(name), print_rounded(value, 5)}, std::string(set_metric_summary(name)));
  std::string text = counted(evaluation.rows, "row") + ", " + counted(evaluation.calibration_rows, "calibration row") + "\n\n" +
                     table.text() + "\nThe probabilities\n\n" + probabilities.text();
  for (std::size_t i = 0; i < evaluation.levels.size(); ++i) {
    const SetLevelReport& level = evaluation.levels[i];
    const std::string at = " at confidence " + print_number(level.confidence);
    text += lines_in_words(level.by_label, "By true label" + at, "label") +
            lines_in_words(level.by_size, "By size of the set" + at, "size");
    if (!evaluation.groups.empty()) text += lines_in_words(evaluation.groups[i].second, "By group" + at, "group");
  }
  return text;
}

}  // namespace

std::vector<Alarm> evaluate_sets(Classifier& model, const std::string& data, const CsvOptions& csv,
                                 const std::vector<double>& levels, const std::vector<std::string>& by, bool json,
                                 const ExecutionContext& context, Terminal& terminal, const StreamOptions* stream) {
  const TableView table = stream != nullptr && by.empty() ? open_table_as(model.stream_schema(), data, csv)
                                                          : open_test_rows(model, data, csv, !by.empty());
  SetEvaluation evaluation = model.evaluate(table, levels, context, by);
  std::optional<StreamReport> in_order;
  if (stream != nullptr) {
    in_order = judge_stream(model.stream(table, levels, *stream, context));
    // That rows are not exchangeable is why they are taken in order.
    std::erase_if(evaluation.alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
  }
  if (evaluation.rows < table.rows()) terminal.say(counted(table.rows() - evaluation.rows, "row") + " without a target left out");
  write_result(json ? sets_as_json(evaluation, model.labels(), in_order)
                    : sets_as_words(evaluation) + (in_order ? in_order_in_words(*in_order, AnswerKind::sets) : ""));
  return evaluation.alarms;
}

}  // namespace taut
