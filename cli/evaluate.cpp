#include <cli/alarms.hpp>
#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/json.hpp>
#include <cli/levels.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <cli/text_table.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/model.hpp>

#include <algorithm>

namespace taut {

namespace {

std::string as_json(const Evaluation& evaluation) {
  Json levels = Json::array();
  for (const auto& level : evaluation.levels) {
    Json one = {{"confidence", level.confidence}, {"rank", level.rank}, {"delivered", json_number(level.delivered)}};
    for (const auto& [name, value] : level.metrics) one[name] = json_number(value);
    levels.push_back(std::move(one));
  }
  return json_text({{"rows", evaluation.rows},
                    {"calibration_rows", evaluation.calibration_rows},
                    {"levels", levels},
                    {"alarms", alarms_json(evaluation.alarms)}});
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string as_words(const Evaluation& evaluation) {
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto value_of) {
    std::vector<std::string> cells = {name};
    for (const auto& level : evaluation.levels) {
      cells.push_back(print_rounded(value_of(level), 5));
    }
    table.row(std::move(cells), meaning);
  };
  row("confidence", "", [](const LevelReport& level) { return level.confidence; });
  row("rank", "which of the sorted calibration scores is the quantile",
      [](const LevelReport& level) { return static_cast<double>(level.rank); });
  row("delivered", "the coverage that is guaranteed: rank / (calibration rows + 1)",
      [](const LevelReport& level) { return level.delivered; });
  for (const auto& entry : metrics().entries())
    row(spaced(entry.name), entry.summary, [&entry](const LevelReport& level) { return level.metric(entry.name); });
  return counted(evaluation.rows, "row") + ", " + counted(evaluation.calibration_rows, "calibration row") + "\n\n" + table.text();
}

class Evaluate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("TEST.csv", "rows with their targets that the model has not seen, '-' for standard input", data_);
    levels_.add(arguments);
    arguments.flag({"json", "", "for programs: JSON, full precision, null where a number is not defined"}, json_);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    levels_.read();
    alarms_.check({model_, data_});
    const Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    const TableView table = open_table_as(model.evaluation_schema(), data_, csv_.options(context));
    const Evaluation evaluation = model.evaluate(table, levels_.values(), context);
    write_result(json_ ? as_json(evaluation) : as_words(evaluation));
    alarms_.raise(evaluation.alarms, terminal);
  }

 private:
  std::string model_, data_;
  LevelOptions levels_;
  bool json_ = false;
  AlarmOptions alarms_;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> evaluate_command() {
  return listed_command<Evaluate>("evaluate", "says how good a model's intervals are on rows with known targets",
                                  "taut evaluate houses.taut test.csv --confidence 0.9 --json");
}

}  // namespace taut
