#include <cli/command.hpp>
#include <cli/output.hpp>
#include <experiments/output.hpp>
#include <experiments/paper_figure.hpp>
#include <experiments/paper_table.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

namespace taut {

namespace {

class Reproduce final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    std::string sets, methods;
    for (const auto& set : data_sets()) sets += (sets.empty() ? "" : ", ") + set.name;
    for (const auto& method : named_methods({})) methods += (methods.empty() ? "" : "; ") + method.name;
    arguments.positional("WHAT",
                         "table: sizes and coverages of every method on every data set; figure: the intervals on the "
                         "synthetic sets, drawn over x",
                         what_);
    arguments.option({"o,output", "FILE",
                      "where the result goes: table.md, .csv or .json; figure.html or .svg; without it to standard output"},
                     output_);
    arguments.option({"datasets", "NAME,...", "of: " + sets + "; all but energy8 (energy without its other output Y1)"},
                     settings_.datasets);
    arguments.option({"methods", "NAME;...", "of: " + methods + "; all"}, methods_);
    arguments.option({"data", "DIR", "folder of the real sets; else $TAUT_DATA, else ../shared/data"}, settings_.data);
    arguments.option({"runs", "N", "number of runs, each with another random split of the rows"}, settings_.runs);
    arguments.option({"protocol", "paper|taut",
                      "table: the paper's (40/40/20, nearest neighbours as f) or Taut's own (60/20/20, boosted trees)"},
                     settings_.protocol);
    arguments.option({"resume", "FILE", "keeps finished fits, so that an interrupted table goes on where it was"},
                     settings_.resume);
    arguments.option({"seed", "N", "seed of the first run; the others follow"}, settings_.seed);
    arguments.option({"threads", "N", "number of fits at the same time; 0: all cores"}, threads_);
  }

  void run(Terminal& terminal) override {
    if (!methods_.empty()) settings_.methods = split_text(methods_, ';');
    if (what_ == "table") return table(terminal);
    if (what_ == "figure") return figure(terminal);
    throw UsageError(unknown_name("thing to reproduce", what_, std::vector<std::string>{"table", "figure"}));
  }

 private:
  void table(Terminal& terminal) {
    const std::string format = output_format(output_, {"md", "csv", "json"});
    if (!output_.empty()) check_output(output_);
    const PaperTable table = reproduce_table(settings_, terminal.context(threads_));
    deliver(format == "csv" ? as_csv(table) : format == "json" ? as_json(table) : as_markdown(table), terminal);
    terminal.say("done in " + print_rounded(table.seconds, 3) + " s");
  }

  void figure(Terminal& terminal) {
    const std::string format = output_format(output_, {"html", "svg"});
    if (!output_.empty()) check_output(output_);
    const std::string svg = paper_figure(settings_, terminal.context(threads_));
    deliver(format == "svg" ? svg : figure_page(svg, settings_), terminal);
  }

  void deliver(const std::string& text, Terminal& terminal) {
    write_output(output_.empty() ? "-" : output_, text);
    if (!output_.empty()) terminal.say("written: " + output_);
  }

  std::string what_, output_, methods_;
  TableSettings settings_;
  int threads_ = 0;
};

}  // namespace

Listed<Command> reproduce_command() {
  return listed_command<Reproduce>("reproduce", "repeats the experiments of the paper",
                                   "taut reproduce table --datasets energy,cos -o table.md");
}

}  // namespace taut
