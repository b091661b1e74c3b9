#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/overview.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/data/table_file.hpp>
#include <taut/options/options.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

Json json_of(const ColumnOverview& about) {
  const Column& column = about.judged.column;
  Json frequent = Json::array();
  for (const auto& [value, cells] : about.frequent) frequent.push_back({{"value", value}, {"cells", cells}});
  Json json = {{"name", column.name},
               {"kind", about.judged.taken_for},
               {"use", name_of(about.judged.use)},
               {"declared", about.judged.is_declared},
               {"words", about.judged.words},
               {"cells", about.cells},
               {"missing", about.missing},
               {"different", about.different},
               {"lowest", json_number(about.lowest)},
               {"highest", json_number(about.highest)},
               {"histogram", about.histogram},
               {"frequent", frequent},
               {"warnings", about.warnings}};
  if (column.is_categorical()) json["categories"] = column.categories;
  if (const auto example = example_of(column.format); !example.empty()) json["format"] = example;
  return json;
}

// A histogram in block characters of eight heights.
std::string bars_of(const std::vector<Index>& counts) {
  static constexpr std::array<const char*, 9> heights = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const Index maximum = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  std::string text;
  for (const Index count : counts) text += heights[static_cast<std::size_t>(count == 0 ? 0 : 1 + 7 * count / maximum)];
  return text;
}

std::string value_text(double value, ColumnKind kind) {
  return kind == ColumnKind::date ? print_date(value) : print_rounded(value, 6);
}

std::string contents(const ColumnOverview& about) {
  const ColumnKind kind = about.judged.column.kind;
  if (!about.histogram.empty())
    return value_text(about.lowest, kind) + " " + bars_of(about.histogram) + " " + value_text(about.highest, kind);
  std::string text;
  for (const auto& [value, cells] : about.frequent)
    text += (text.empty() ? "" : ", ") + quoted_cell(value) + " " + print_count(cells);
  return text + (about.different > std::ssize(about.frequent) && !text.empty() ? ", ..." : "");
}

class Look final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "the table, '-' for standard input; .gz is unpacked", data_);
    for_each_option(options_, [&arguments]<class T>(const OptionText& text, T& value) {
      static constexpr std::array<std::string_view, 7> shown = {"target",  "categorical", "numeric", "date",
                                                                "ordered", "na",          "decimal"};
      if constexpr (!std::is_same_v<T, bool>)
        if (std::find(shown.begin(), shown.end(), text.name) != shown.end()) arguments.option(text, value);
    });
    arguments.flag({"json", "", "print everything as JSON"}, json_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    options_.check();
    const ExecutionContext context = terminal.context(0);
    CsvOptions csv = csv_.options(context);
    set_csv_options(options_, csv);
    const TableView table = open_table(data_, csv);
    const auto columns = overview(table, options_.declarations(), targets_of(table));
    write_result(json_ ? as_json(table, columns) : describe(table, columns));
  }

 private:
  std::vector<std::string> targets_of(const TableView& table) const {
    return options_.target.empty() ? std::vector<std::string>{} : target_names(table, options_);
  }

  static std::string as_json(const TableView& table, const std::vector<ColumnOverview>& columns) {
    Json json = {{"source", table.source()}, {"rows", table.rows()}, {"columns", Json::array()}};
    if (table.delimiter() != 0) json["delimiter"] = std::string(1, table.delimiter());
    for (const auto& about : columns) json["columns"].push_back(json_of(about));
    return json_text(json);
  }

  static std::string describe(const TableView& table, const std::vector<ColumnOverview>& columns) {
    TextTable text;
    text.row({"column", "kind", "missing", "different"}, "values");
    for (const auto& about : columns)
      text.row({about.judged.column.name, about.judged.taken_for, print_count(about.missing), print_count(about.different)},
               contents(about));
    std::string notes;
    for (const auto& about : columns) {
      const std::string name = "  " + about.judged.column.name + ": ";
      if (!about.judged.words.empty()) notes += name + about.judged.words + "\n";
      for (const auto& warning : about.warnings) notes += name + "careful: " + warning + "\n";
    }
    if (!notes.empty())
      notes = "\nHow columns are read; overrule by --numeric, --categorical, --date, --ordered, --na, --decimal:\n" + notes;
    return format_text("{}: {}, {}\n{}{}", table.source(), counted(table.rows(), "row"), counted(std::ssize(columns), "column"),
                       text.text(), notes);
  }

  std::string data_;
  FitOptions options_;
  bool json_ = false;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> look_command() {
  return listed_command<Look>("look", "shows a table as Taut reads it: kinds, missing cells, ranges, warnings",
                              "taut look sales.csv --target price");
}

}  // namespace taut
