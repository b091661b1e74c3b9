#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/levels.hpp>
#include <cli/output.hpp>
#include <experiments/comparison.hpp>
#include <experiments/output.hpp>
#include <taut/core/error.hpp>
#include <taut/report/report.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

// What a method says itself.
constexpr std::array<std::string_view, 4> said_by_methods = {"transform", "localizer", "objective", "focus"};

class Compare final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows with their targets, '-' for standard input; .gz is unpacked", data_);
    arguments.option(
        {"o,output", "FILE",
         "where it goes: .md, .html (a page of charts), .csv (every repeat) or .json; without it to standard output"},
        output_);
    arguments.flag(
        {"json", "", "for programs: JSON to standard output; all but its last entry, the seconds, is the same every time"},
        json_);
    arguments.option(
        {"methods", "NAME,...",
         "a transformation and further words joined by ':', each a localizer, an objective, focus (at the confidence "
         "asked for) or OPTION=VALUE with any option of fit; for example "
         "fixed,erc:error-fit,exp:mlp,exp:boost,exp:boost:size,exp:boost:focus, which is the default"},
        settings_.methods);
    arguments.option({"repeats", "N", "random splits, 80 % to fit and calibrate and 20 % to test; all methods get the same"},
                     settings_.repeats);
    levels_.add(arguments);
    arguments.option({"resume", "FILE", "keeps finished fits, so that an interrupted comparison goes on where it was"},
                     settings_.resume);
    for_each_option(settings_.common, [&arguments](const OptionText& text, auto& value) {
      if (std::find(said_by_methods.begin(), said_by_methods.end(), text.name) != said_by_methods.end()) return;
      arguments.option(text, value, text.name == "target" ? Needed::yes : Needed::no);
    });
    arguments.option({"threads", "N", "fits side by side; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    levels_.read();
    settings_.levels = levels_.values();
    settings_.common.check();
    for (const auto& method : settings_.methods) read_method(method, settings_.common);
    const std::string format = json_ && output_.empty() ? "json" : output_format(output_, {"md", "html", "csv", "json"});
    if (format == "html") require_page();
    if (!output_.empty()) check_output(output_);

    const ExecutionContext context = terminal.context(threads_);
    CsvOptions csv = csv_.options(context);
    csv.numbers = {settings_.common.target};
    if (!settings_.common.prediction.empty()) csv.numbers.push_back(settings_.common.prediction);
    const Table table = read_table(data_, csv);
    const Comparison comparison = compare_methods(table, settings_, context);
    write_output(output_.empty() ? "-" : output_, format == "json"   ? as_json(comparison)
                                                  : format == "csv"  ? as_csv(comparison)
                                                  : format == "html" ? as_page(comparison)
                                                                     : as_markdown(comparison));
    if (!output_.empty()) terminal.print("written: " + output_ + "\n" + verdict(comparison));
    terminal.say(seconds_in_words(comparison));
  }

 private:
  std::string data_, output_;
  ComparisonSettings settings_;
  LevelOptions levels_;
  bool json_ = false;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> compare_command() {
  return listed_command<Compare>("compare",
                                 "compares methods on the same splits of a CSV file, and says whether a difference is real",
                                 "taut compare houses.csv --target price --drop id --methods fixed,exp:boost --repeats 20");
}

}  // namespace taut
