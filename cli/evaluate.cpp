#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/classes/doors.hpp>
#include <cli/command.hpp>
#include <cli/in_order.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <cli/summary.hpp>
#include <cli/trace_option.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/reports.hpp>
#include <taut/task/any_model.hpp>
#include <taut/task/number/prediction_outside.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace taut {

namespace {

Json law_json(const LawReport& law) {
  Json quantiles = Json::array(), p_values = Json::array();
  for (const QuantileReport& one : law.quantiles)
    quantiles.push_back({{"p", one.p},
                         {"pinball", json_number(one.pinball)},
                         {"below", json_number(one.below)},
                         {"at_or_below", json_number(one.at_or_below)},
                         {"low", json_number(one.expected.low)},
                         {"high", json_number(one.expected.high)}});
  for (const PValueReport& one : law.p_values)
    p_values.push_back({{"at_most", one.at_most},
                        {"share", json_number(one.share)},
                        {"low", json_number(one.expected.low)},
                        {"high", json_number(one.expected.high)}});
  return {
      {"crps", json_number(law.crps)}, {"pinball", json_number(law.pinball)}, {"quantiles", quantiles}, {"p_values", p_values}};
}

Json groups_json(const Evaluation& evaluation) {
  Json json = Json::array();
  for (const GroupReport& report : evaluation.groups) {
    Json lines = Json::array();
    for (const GroupLine& line : report.lines)
      lines.push_back({{"name", line.name},
                       {"rows", line.rows},
                       {"covered", line.covered},
                       {"coverage", json_number(line.coverage())},
                       {"low", json_number(line.band.low)},
                       {"high", json_number(line.band.high)},
                       {"mean_width", json_number(line.mean_width)},
                       {"infinite", line.infinite},
                       {"p_value", json_number(line.p_value)}});
    json.push_back({{"confidence", report.confidence}, {"groups", lines}, {"below", report.below}, {"words", report.in_words()}});
  }
  return json;
}

std::string as_json(const Evaluation& evaluation, const std::vector<Index>& outside, const std::optional<StreamReport>& stream) {
  Json levels = Json::array();
  for (const auto& level : evaluation.levels) {
    Json one = {{"confidence", level.confidence},
                {"rank", level.rank > 0 ? Json(level.rank) : Json()},
                {"delivered", json_number(level.delivered)}};
    for (const auto& [name, value] : level.metrics) one[name] = json_number(value);
    if (!std::isnan(level.group_coverage)) one["group_coverage"] = level.group_coverage;
    levels.push_back(std::move(one));
  }
  Json counts = Json::array();
  for (std::size_t i = 0; i < outside.size(); ++i)
    counts.push_back({{"confidence", evaluation.levels[i].confidence}, {"rows", outside[i]}});
  Json json = {{"rows", evaluation.rows},
               {"calibration_rows", evaluation.calibration_rows},
               {"levels", levels},
               {"predictions_outside", counts},
               {"law", law_json(evaluation.law)},
               {"alarms", alarms_json(evaluation.alarms)}};
  if (!evaluation.groups.empty()) json["by_group"] = groups_json(evaluation);
  if (stream) json["in_order"] = in_order_json(*stream, AnswerKind::intervals);
  return json_text(json);
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// A row of numbers, one for each entry.
template <class Entries, class ValueOf>
void add_row(TextTable& table, const std::string& name, const std::string& meaning, const Entries& entries, ValueOf value_of) {
  std::vector<std::string> cells = {name};
  for (const auto& entry : entries) cells.push_back(print_rounded(value_of(entry), 4));
  table.row(std::move(cells), meaning);
}

template <class Entries>
void add_band(TextTable& table, const Entries& entries) {
  add_row(table, "expected from", "the band that chance explains,", entries, [](const auto& one) { return one.expected.low; });
  add_row(table, "to", "all of them together 99 times in 100", entries, [](const auto& one) { return one.expected.high; });
}

std::string quantiles_in_words(const LawReport& law) {
  TextTable table;
  const auto& all = law.quantiles;
  add_row(table, "quantile", "", all, [](const auto& one) { return one.p; });
  // Targets that equal a quantile, zeros for example, count on one side only.
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.below != one.at_or_below; }))
    add_row(table, "below", "share of rows whose y is below it", all, [](const auto& one) { return one.below; });
  add_row(table, "at or below", "share of rows whose y is at or below it", all, [](const auto& one) { return one.at_or_below; });
  add_band(table, all);
  add_row(table, "pinball loss", "of the quantile, in units of y; smaller is better", all,
          [](const auto& one) { return one.pinball; });
  return "\nThe law of y: CRPS " + print_rounded(law.crps, 5) + ", mean pinball loss " + print_rounded(law.pinball, 5) + "\n\n" +
         table.text();
}

std::string p_values_in_words(const LawReport& law) {
  TextTable table;
  add_row(table, "p-value at most", "", law.p_values, [](const auto& one) { return one.at_most; });
  add_row(table, "share", "share of rows with such a smoothed p-value; uniform is the same number", law.p_values,
          [](const auto& one) { return one.share; });
  add_band(table, law.p_values);
  return "\n" + table.text();
}

std::string law_in_words(const LawReport& law) {
  if (law.p_values.empty()) return "";
  return (law.quantiles.empty() ? "" : quantiles_in_words(law)) + p_values_in_words(law);
}

std::string as_words(const Evaluation& evaluation) {
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto value_of) {
    std::vector<std::string> cells = {name};
    for (const auto& level : evaluation.levels) {
      const auto value = value_of(level);
      if constexpr (std::is_integral_v<decltype(value_of(level))>)
        cells.push_back(print_count(value));
      else
        cells.push_back(print_rounded(value, 5));
    }
    table.row(std::move(cells), meaning);
  };
  row("confidence", "", [](const LevelReport& level) { return level.confidence; });
  const bool is_ranked =
      std::any_of(evaluation.levels.begin(), evaluation.levels.end(), [](const auto& one) { return one.rank > 0; });
  if (is_ranked)
    row("rank", "which of the sorted calibration scores is the quantile", [](const LevelReport& level) { return level.rank; });
  // Of a model of rows in order nothing is guaranteed.
  if (std::none_of(evaluation.levels.begin(), evaluation.levels.end(), [](const auto& one) { return std::isnan(one.delivered); }))
    row("delivered",
        is_ranked ? "the coverage that is guaranteed: rank / (calibration rows + 1)"
                  : "the coverage that is guaranteed, on average over these rows",
        [](const LevelReport& level) { return level.delivered; });
  if (!std::isnan(evaluation.levels.front().group_coverage))
    row("group coverage", "each group of rows that belong together counts once: what the band is about",
        [](const LevelReport& level) { return level.group_coverage; });
  for (const auto& entry : metrics().entries())
    row(spaced(entry.name), entry.summary, [&entry](const LevelReport& level) { return level.metric(entry.name); });
  return counted(evaluation.rows, "row") + ", " + counted(evaluation.calibration_rows, "calibration row") + "\n\n" +
         table.text() + law_in_words(evaluation.law);
}

// The one that needs attention most first.
std::string groups_in_words(const std::vector<GroupReport>& reports) {
  constexpr std::size_t most = 40;
  std::string text;
  for (const GroupReport& report : reports) {
    TextTable table;
    table.row({"group", "rows", "coverage", "from", "to", "mean width"}, "coverage of the group, 99 times in 100");
    for (std::size_t i = 0; i < std::min(most, report.lines.size()); ++i) {
      const GroupLine& line = report.lines[i];
      const bool is_below = std::find(report.below.begin(), report.below.end(), line.name) != report.below.end();
      table.row({line.name, print_count(line.rows), with_decimals(line.coverage(), 3), with_decimals(line.band.low, 3),
                 with_decimals(line.band.high, 3), print_rounded(line.mean_width, 4)},
                is_below ? "below " + print_number(report.confidence) : "");
    }
    text += "\nBy group at confidence " + print_number(report.confidence) + ": " + report.in_words() + "\n\n" + table.text();
    if (report.lines.size() > most)
      text += "  ... and " + counted(std::ssize(report.lines) - static_cast<Index>(most), "further group") + "; --json has all\n";
  }
  return text;
}

class Evaluate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("TEST.csv", "rows with their targets that the model has not seen, '-' for standard input", data_);
    levels_.add(arguments);
    arguments.option({"by", "COL,...",
                      "also a line for each group of rows: of a column, of a number in parts (age:5), of prediction:5, scale:5"},
                     by_);
    arguments.flag(
        {"in-order", "",
         "also what a stream would have done: rows come one after another, each predicted before it is learnt from; rolling "
         "coverage, its worst window, how far levels moved"},
        in_order_);
    stream_.add(arguments);
    arguments.flag({"json", "", "for programs: JSON, full precision, null where a number is not defined"}, json_);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    trace_.run(terminal, threads_, {model_, data_}, [&] { evaluate(terminal); });
  }

 private:
  void evaluate(Terminal& terminal) {
    levels_.read();
    alarms_.check({model_, data_});
    const StreamOptions options = stream_.read();
    if (stream_.given() && !in_order_) throw UsageError(StreamArguments::names() + " go with --in-order");
    AnyModel any = load_any_model(model_);
    const ExecutionContext context = terminal.context(threads_);
    if (auto* sets = std::get_if<Classifier>(&any))
      return alarms_.raise(evaluate_sets(*sets, data_, csv_.options(context), levels_.values(), by_, json_, context, terminal,
                                         in_order_ ? &options : nullptr),
                           terminal);
    Regressor& model = std::get<Regressor>(any);
    if (!in_order_) refuse_past(model);
    const TableView table = in_order_ && by_.empty() ? open_table_as(model.stream_schema(), data_, csv_.options(context))
                                                     : open_test_rows(model, data_, csv_.options(context), !by_.empty());
    Evaluation evaluation = model.evaluate(table, levels_.values(), context, by_);
    const std::vector<Index> outside = predictions_outside(model, table, levels_.values(), context);
    std::optional<StreamReport> stream;
    if (in_order_) {
      stream = judge_stream(model.stream(table, levels_.values(), options, context));
      // That rows are not exchangeable is why they are taken in order.
      std::erase_if(evaluation.alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
    }
    if (evaluation.rows < table.rows())
      terminal.say(counted(table.rows() - evaluation.rows, "row") + " without a target left out");
    for (std::size_t i = 0; i < outside.size(); ++i)
      if (outside[i] > 0) terminal.say(outside_in_words(outside[i], table.rows(), levels_.values()[i]));
    write_result(json_ ? as_json(evaluation, outside, stream)
                       : as_words(evaluation) + groups_in_words(evaluation.groups) +
                             (stream ? in_order_in_words(*stream, AnswerKind::intervals) : ""));
    alarms_.raise(evaluation.alarms, terminal);
  }

  std::string model_, data_;
  LevelOptions levels_;
  std::vector<std::string> by_;
  bool in_order_ = false;
  StreamArguments stream_;
  bool json_ = false;
  AlarmOptions alarms_;
  int threads_ = 0;
  TraceOption trace_;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> evaluate_command() {
  return listed_command<Evaluate>("evaluate", "says how good a model's intervals or sets are on rows with known targets",
                                  "taut evaluate houses.taut test.csv --confidence 0.9 --json");
}

}  // namespace taut
