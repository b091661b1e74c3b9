#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <experiments/comparison.hpp>
#include <experiments/output.hpp>
#include <experiments/resume_file.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/plan/columns.hpp>
#include <taut/report/report.hpp>
#include <taut/task/label/label_options.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace taut {

namespace {

// Options that a method sets, so the command does not have them: its own --repeats are halvings. A comparison has no time budget.
constexpr std::array<std::string_view, 6> set_by_methods = {"transform", "localizer", "objective", "focus", "repeats", "time"};

// If the text contains ';', it separates the methods, and a method may contain commas: "fixed;exp:split=0.4,0.3,0.1,0.2".
std::vector<std::string> methods_of(const std::string& text) {
  if (text.empty()) return {};
  const char separator = text.find(';') == std::string::npos ? ',' : ';';
  auto names = split_text(text, separator);
  for (const auto& name : names)
    if (name.empty())
      throw UsageError(
          format_text("--methods: one of the methods in '{}' is empty; separate methods by single commas, or by ';'", text));
  return names;
}

class Compare final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows with their targets, '-' for standard input; .gz is unpacked", data_);
    arguments.option(
        {"o,output", "FILE",
         "where the result goes: .md, .html (a page of charts), .csv (every repeat) or .json; without it to standard output"},
        output_);
    arguments.flag(
        {"json", "", "for programs: JSON to standard output; all but its last entry, the seconds, is the same every time"},
        json_);
    arguments.option(
        {"methods", "NAME,...",
         "a transformation and further words joined by ':', each a localizer, an objective, focus (at the confidence "
         "asked for) or OPTION=VALUE with any option of fit; lists within a method are written with '+' "
         "(exp:split=0.4+0.3+0.1+0.2), or with ',' if ';' separates the methods; default: "
         "fixed,erc:error-fit,exp:mlp,exp:boost,exp:boost:size,exp:boost:focus; where the target holds labels: a score (lac, "
         "aps, randomized-aps, raps) and fixed, size, conditional, focus, by-label or OPTION=VALUE; default: " +
             join(default_set_methods(), ", ")},
        methods_);
    arguments.option(
        {"repeats", "N",
         "random halvings of the rows (of whole groups with --keep-together), the same for all methods; each half is "
         "fitted and calibrated on once and tested once, and so are the two quarters within it, which give the "
         "error: every method is fitted 2 N times, and 4 N times to a quarter; fewer than 3 make nothing "
         "significant; with --in-order or --order-by N blocks of the later half in time, each tested by a fit to "
         "the rows before it, without p-values (default " +
             std::to_string(default_repeats) + ")"},
        repeats_);
    arguments.flag({"quick", "",
                    "a first impression: at most " + print_count(quick_rows) + " rows, " + std::to_string(quick_repeats) +
                        " halvings, --effort quick; the output says what was left out"},
                   settings_.quick);
    levels_.add(arguments);
    arguments.option({"resume", "FILE",
                      "keeps finished fits in this file; by default they are kept beside the output until it is written, so that "
                      "a stopped comparison goes on where it was; none: keep nothing"},
                     resume_);
    for_each_option(settings_.common, [&arguments](const OptionText& text, auto& value) {
      if (std::find(set_by_methods.begin(), set_by_methods.end(), text.name) != set_by_methods.end()) return;
      arguments.option(text, value, text.name == "target" ? Needed::yes : Needed::no);
    });
    for_each_label_option(classes_, [&arguments](const OptionText& text, auto& value) {
      if (text.name == "task" || text.name == "probabilities") arguments.option(text, value);
    });
    arguments.option({"threads", "N", "number of fits at the same time; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    settings_.methods = methods_of(methods_);
    if (!repeats_.empty()) read_value("--repeats", repeats_, settings_.repeats);
    if (!repeats_.empty() && settings_.repeats < 1) throw UsageError("--repeats must be at least 1, got " + repeats_);
    levels_.read();
    settings_.levels = levels_.values();
    settings_.common.check();
    classes_.use_current_names();
    TaskChoice{classes_.task, classes_.as_task_options()}.check();
    const std::string format = json_ && output_.empty() ? "json" : output_format(output_, {"md", "html", "csv", "json"});
    if (format == "html") require_page();
    if (!output_.empty()) check_output(output_, {data_});

    const ExecutionContext context = terminal.context(threads_);
    const Table table = rows_to_compare(context);
    settings_.methods = checked_methods(table, settings_, context);
    std::optional<UnfinishedWork> unfinished;
    if (resume_.empty()) unfinished.emplace(output_, data_, table, settings_, context);
    settings_.resume = unfinished ? unfinished->path() : resume_ == "none" ? "" : resume_;
    const Comparison comparison = compare_methods(table, settings_, context);
    write_output(output_.empty() ? "-" : output_, format == "json"   ? as_json(comparison)
                                                  : format == "csv"  ? as_csv(comparison)
                                                  : format == "html" ? as_page(comparison)
                                                                     : as_markdown(comparison));
    if (unfinished) unfinished->done();
    if (!output_.empty()) terminal.print("written: " + output_ + "\n" + verdict(comparison));
    terminal.say(describe_seconds(comparison));
  }

 private:
  // Reads the table. Methods are checked as soon as the task is known, if possible before any row is read.
  Table rows_to_compare(const ExecutionContext& context) {
    CsvOptions csv = csv_.options(context);
    set_csv_options(settings_.common, csv);
    bool labels = classes_.task == "classification" || !classes_.probabilities.empty();
    // Standard input can be read only once, so there only --task or --probabilities selects classification.
    if (!labels && classes_.task == "auto" && data_ != "-") {
      const TableView table = open_table(data_, csv, &settings_.common.drop);
      if (target_names(table, settings_.common).size() > 1)
        throw UsageError("compare takes one target, and --target names several; compare methods for each of them");
      labels = predicts_labels(table, settings_.common, classes_, false);
    }
    if (labels) settings_.labels = classes_;
    for (const auto& method : settings_.methods)
      if (labels)
        (void)read_set_method(method, settings_.common, classes_);
      else
        (void)read_method(method, settings_.common);
    if (!labels) csv.numbers = {settings_.common.target};
    return open_table(data_, csv, &settings_.common.drop).copy();
  }

  std::string data_, output_, methods_, repeats_, resume_;
  ComparisonSettings settings_;
  LabelOptions classes_;
  LevelOptions levels_;
  bool json_ = false;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> compare_command() {
  return listed_command<Compare>("compare",
                                 "compares methods on the same halvings of a CSV file, with p-values of the differences",
                                 "taut compare houses.csv --target price --drop id --methods fixed,exp:boost --repeats 10");
}

}  // namespace taut
