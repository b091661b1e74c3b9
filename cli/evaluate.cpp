#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/json.hpp>
#include <cli/levels.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <cli/text_table.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/model.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

std::string as_json(const Evaluation& evaluation) {
  Json levels = Json::array();
  for (const auto& level : evaluation.levels) {
    Json one = {{"confidence", level.confidence}, {"rank", level.rank}, {"delivered", json_number(level.delivered)}};
    for (const auto& [name, value] : level.metrics) one[name] = json_number(value);
    levels.push_back(std::move(one));
  }
  return json_text({{"rows", evaluation.rows}, {"calibration_rows", evaluation.calibration_rows}, {"levels", levels}});
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
      const double value = value_of(level);
      cells.push_back(std::isnan(value) ? "-" : print_rounded(value, 5));
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
  return print_count(evaluation.rows) + " rows, " + print_count(evaluation.calibration_rows) + " calibration rows\n\n" +
         table.text();
}

// Where the target's range restricts, intervals may be rounded up to a possible value: more coverage is no sign of anything then.
void warn_outside_band(const Evaluation& evaluation, bool range_restricts, Terminal& terminal) {
  for (const auto& level : evaluation.levels) {
    const double coverage = level.metric("coverage"), low = level.metric("coverage_low"), high = level.metric("coverage_high");
    if (!(coverage < low || (coverage > high && !range_restricts))) continue;
    terminal.warn("coverage at confidence " + print_number(level.confidence) + " is " + print_rounded(coverage) +
                  ", outside the band from " + print_rounded(low) + " to " + print_rounded(high) +
                  " that chance explains: these rows are probably not exchangeable with the calibration rows; "
                  "collect fresh rows like them and use 'taut calibrate', or fit anew");
  }
}

class Evaluate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("TEST.csv", "rows with their targets that the model has not seen, '-' for standard input", data_);
    levels_.add(arguments);
    arguments.flag({"json", "", "for programs: JSON, full precision, null where a number is not defined"}, json_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    levels_.read();
    const Model model = Model::load(model_);
    warn_of_too_few_rows(model, levels_.values(), terminal);
    const ExecutionContext context = terminal.context(threads_);
    const Table table = read_table_as(model.evaluation_schema(), data_, csv_.options(context));
    const Evaluation evaluation = model.evaluate(table, levels_.values(), context);
    warn_outside_band(evaluation, model.target_range().restricts(), terminal);
    write_result(json_ ? as_json(evaluation) : as_words(evaluation));
  }

 private:
  std::string model_, data_;
  LevelOptions levels_;
  bool json_ = false;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> evaluate_command() {
  return listed_command<Evaluate>("evaluate", "says how good a model's intervals are on rows with known targets",
                                  "taut evaluate houses.taut test.csv --confidence 0.9 --json");
}

}  // namespace taut
