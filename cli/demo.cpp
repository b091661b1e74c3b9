#include <cli/command.hpp>
#include <cli/output.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/report/report.hpp>
#include <taut/task/number/regressor.hpp>

#include <array>
#include <filesystem>

namespace taut {

namespace {

constexpr Index fit_rows = 4000, test_rows = 4000;
constexpr std::array shown_levels = {0.68, 0.9, 0.95};

struct Contender {
  std::string name;
  FitOptions options;
};

std::vector<Contender> contenders(Index seed) {
  FitOptions adaptive;
  adaptive.target = "y";
  adaptive.seed = seed;
  FitOptions fixed = adaptive;
  fixed.localizer = "none";
  return {{"fixed", fixed}, {"adaptive", adaptive}};
}

Table rows_of(const Table& table, Index first, Index count, const std::string& source) {
  return {source, table.columns, table.values.middleRows(first, count), {}};
}

void write_csv(const std::string& path, const Table& table) {
  OutputFile file(path);
  CsvWriter writer(file);
  write_table(table, writer);
  writer.finish();
  file.commit();
}

// Doubles the target in the second half of the rows: an abrupt drift.
Table with_drift(Table table) {
  const Index half = table.rows() / 2, target = std::ssize(table.columns) - 1;
  for (Index row = half; row < table.rows(); ++row) table.values(row, target) *= 2;
  return table;
}

Table with_intervals(const Table& test, const Predicted& predicted) {
  Table wide = test;
  wide.columns.push_back({"prediction"});
  for (const double level : shown_levels)
    for (const char* end : {"lower_", "upper_"}) wide.columns.push_back({end + print_number(level)});
  const Index test_columns = test.values.cols();
  wide.values.conservativeResize(Eigen::NoChange, static_cast<Index>(wide.columns.size()));
  for (Index row = 0; row < wide.rows(); ++row) {
    wide.values(row, test_columns) = predicted.prediction[static_cast<std::size_t>(row)];
    for (std::size_t level = 0; level < shown_levels.size(); ++level) {
      const Interval& interval = predicted.at(row, level);
      wide.values(row, test_columns + 1 + 2 * static_cast<Index>(level)) = interval.empty() ? missing : interval.lower;
      wide.values(row, test_columns + 2 + 2 * static_cast<Index>(level)) = interval.empty() ? missing : interval.upper;
    }
  }
  return wide;
}

class Demo final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.option({"o,output", "FOLDER", "where data, models and intervals go; created if it does not exist"}, folder_);
    arguments.option({"seed", "N", "random seed of the data"}, seed_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
  }

  void run(Terminal& terminal) override {
    if (seed_ < 0) throw UsageError("--seed must be at least 0, got " + std::to_string(seed_));
    make_folder();
    const ExecutionContext context = terminal.context(threads_);
    const Table rows = synthetic_table(*synthetic_sets().make("cos"), fit_rows + test_rows, static_cast<std::uint64_t>(seed_));
    const Table data = rows_of(rows, 0, fit_rows, in_folder("data.csv"));
    const Table test = rows_of(rows, fit_rows, test_rows, in_folder("test.csv"));
    write_csv(data.source, data);
    write_csv(test.source, test);
    write_csv(in_folder("drift.csv"), with_drift(test));

    TextTable table;
    table.row({"confidence", "intervals", "coverage", "by chance", "mean width", "interval score"});
    std::vector<std::pair<std::string, Evaluation>> evaluations;
    for (const auto& contender : contenders(seed_)) {
      terminal.say(format_text("fitting {} intervals on {} rows", contender.name, print_count(fit_rows)));
      const Regressor model = Regressor::fit(data, contender.options, quiet(context));
      model.save(in_folder(contender.name + ".taut"));
      write_csv(in_folder(contender.name + "_intervals.csv"),
                with_intervals(test, model.predict_interval(test, shown_levels, context)));
      evaluations.emplace_back(contender.name, model.evaluate(test, shown_levels, context));
      if (contender.name == "adaptive" && can_report()) report(model, test, context);
    }
    for (std::size_t level = 0; level < shown_levels.size(); ++level)
      for (const auto& [name, evaluation] : evaluations) table.row(cells(name, evaluation.levels[level]));
    write_result("Noise that depends on x (synthetic set cos), " + print_count(test_rows) + " rows that no model has seen:\n\n" +
                 table.text() +
                 "\nBoth promise the same coverage. It depends on which rows calibrate and test: 99 of 100 such pairs have a "
                 "coverage in the"
                 "\nrange under \"by chance\". Adaptive intervals are narrow where x allows it. Lower scores are better.\n" +
                 describe_files());
  }

 private:
  std::string in_folder(const std::string& name) const { return (std::filesystem::path(folder_) / name).string(); }

  void make_folder() const {
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    if (!std::filesystem::is_directory(folder_))
      throw Error(format_text("{}: this folder cannot be created{}; name another with -o", folder_,
                              failure ? ": " + failure.message() : ""));
  }

  // Hints about options are of no use for built-in data.
  static ExecutionContext quiet(ExecutionContext context) {
    context.say = {};
    return context;
  }

  void report(const Regressor& model, const Table& test, const ExecutionContext& context) const {
    write_report(model, test, in_folder("report.html"), {.model_file = in_folder("adaptive.taut")}, context);
  }

  static std::vector<std::string> cells(const std::string& name, const LevelReport& level) {
    const std::string band =
        with_decimals(level.metric("coverage_low"), 3) + " to " + with_decimals(level.metric("coverage_high"), 3);
    return {print_number(level.confidence),
            name,
            with_decimals(level.metric("coverage"), 3),
            band,
            with_decimals(level.metric("mean_width"), 3),
            with_decimals(level.metric("interval_score"), 3)};
  }

  std::string describe_files() const {
    return "\nWritten to " + folder_ +
           "\n  data.csv, test.csv                             rows to fit, rows to test"
           "\n  drift.csv                                      the test rows, their target twice as large from the middle on"
           "\n  fixed.taut, adaptive.taut                      the models"
           "\n  fixed_intervals.csv, adaptive_intervals.csv    test rows with predictions and intervals\n" +
           (can_report() ? "  report.html                                    all of it as a page: open it in a browser\n"
                         : "  (no report.html: 'taut report' says why, and how to get it)\n") +
           "\nNext: taut evaluate " + in_folder("adaptive.taut") + " " + in_folder("test.csv") +
           "\nA drift, and intervals that follow it: taut " +
           (can_report() ? "report " + in_folder("adaptive.taut") + " " + in_folder("drift.csv") + " --in-order -o " +
                               in_folder("drift.html")
                         : "evaluate " + in_folder("adaptive.taut") + " " + in_folder("drift.csv") + " --in-order") +
           "\n";
  }

  std::string folder_ = "taut-demo";
  Index seed_ = 1;
  int threads_ = 0;
};

}  // namespace

Listed<Command> demo_command() {
  return listed_command<Demo>("demo", "fixed against adaptive intervals on built-in data, in seconds", "taut demo -o taut-demo");
}

}  // namespace taut
