#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/question.hpp>
#include <taut/core/text.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/metric/metric.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/time/control/controller.hpp>
#include <taut/train/objective.hpp>

namespace taut {

namespace {

struct List {
  std::string title;
  std::vector<std::pair<std::string, std::string>> entries;  // how an option names it, and a summary
};

template <class Product>
List list_of(std::string title, const Registry<Product>& registry) {
  List list{std::move(title), {}};
  for (const auto& entry : registry.entries())
    list.entries.emplace_back(entry.needs_argument ? entry.example : entry.name, entry.summary);
  return list;
}

std::vector<List> all_lists() {
  std::vector<List> lists = {
      list_of("predictors", predictors()),   list_of("localizers", localizers()), list_of("transformations", transforms()),
      list_of("objectives", objectives()),   list_of("questions", questions()),   list_of("calibrations", calibrations()),
      list_of("controllers", controllers()), list_of("metrics", metrics()),       list_of("scores", class_scores())};
  lists.push_back({"alarms", {}});
  for (const AlarmText& alarm : alarm_kinds) lists.back().entries.emplace_back(alarm.name, alarm.summary);
  return lists;
}

std::string as_words() {
  std::string text;
  for (const List& list : all_lists()) {
    TextTable table;
    for (const auto& [name, summary] : list.entries) table.row({name}, summary);
    text += list.title + "\n" + table.text() + "\n";
  }
  text.pop_back();
  return text;
}

std::string as_json() {
  Json json;
  for (const List& list : all_lists()) {
    json[list.title] = Json::object();
    for (const auto& [name, summary] : list.entries) json[list.title][name] = summary;
  }
  return json_text(json);
}

class Lists final : public Command {
 public:
  void add_options(Arguments& arguments) override { arguments.flag({"json", "", "for programs: JSON"}, json_); }
  void run(Terminal&) override { write_result(json_ ? as_json() : as_words()); }

 private:
  bool json_ = false;
};

}  // namespace

Listed<Command> lists_command() {
  return listed_command<Lists>("lists", "shows every part that options can name: predictors, transformations, metrics, ...",
                               "taut lists");
}

}  // namespace taut
