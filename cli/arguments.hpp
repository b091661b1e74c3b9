// Arguments that commands share: options of a fit, files, and the format of CSV files.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/types.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/reading.hpp>
#include <taut/model/model.hpp>
#include <taut/options/options.hpp>
#include <taut/task/number/regressor.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The options of a command. Only arguments.cpp includes CLI11.

// Converts the text after an option to a value. Throws a UsageError that names the option. Commas separate the items of a list.
void read_value(std::string_view option, const std::string& text, std::string& value);
void read_value(std::string_view option, const std::string& text, double& value);
void read_value(std::string_view option, const std::string& text, Index& value);
void read_value(std::string_view option, const std::string& text, int& value);
void read_value(std::string_view option, const std::string& text, bool& value);  // yes or no
void read_value(std::string_view option, const std::string& text, std::vector<std::string>& value);
void read_value(std::string_view option, const std::string& text, std::vector<Index>& value);
template <class T>
void read_value(std::string_view option, const std::string& text, std::optional<T>& value) {
  read_value(option, text, value.emplace());
}

// The text of a default for --help; empty if there is nothing to show.
std::string default_text(const std::string& value);
std::string default_text(double value);
std::string default_text(Index value);
std::string default_text(int value);
std::string default_text(const std::vector<std::string>& value);
std::string default_text(const std::vector<Index>& value);
template <class T>
std::string default_text(const std::optional<T>&) {
  return {};
}

enum class Needed { no, yes };

// Thrown for an option that the command does not have. `name` is for example "--weights".
class UnknownOption : public UsageError {
 public:
  UnknownOption(std::string option, const std::string& words) : UsageError(words), name(std::move(option)) {}
  std::string name;
};

class Arguments {
 public:
  Arguments(const std::string& command, const std::string& summary, const std::string& example);
  ~Arguments();

  void positional(const std::string& name, const std::string& help, std::string& value, Needed needed = Needed::yes);
  void flag(const OptionText& text, bool& value);
  // A flag with an optional value: `given` is `when_alone` if the option has no value.
  void flag_with_value(const OptionText& text, std::optional<Index>& given, Index when_alone);

  // The name "o,output" means -o and --output. A list may be given by several options.
  template <class T>
  void option(const OptionText& text, T& value, Needed needed = Needed::no) {
    if constexpr (std::is_same_v<T, bool>)
      flag(text, value);
    else
      add_typed(text, value, needed);
  }

  // Shows options in groups in the text of --help, in this order after all others. Names are without dashes.
  struct Group {
    std::string title;
    std::vector<std::string> options;
  };
  void show_in_groups(const std::vector<Group>& groups);
  // `lacking`: called after all options are read; names of further options that are missing, "-o FILE".
  void need(std::function<std::vector<std::string>()> lacking);

  // Returns false if the user asked for help, which is then printed. Throws UsageError for invalid arguments.
  bool parse(const std::vector<std::string>& words);
  bool has(const std::string& option) const;  // "--weights"

 private:
  class Parser;
  using Read = std::function<void(std::string_view option, const std::string& text)>;

  template <class T>
  void add_typed(const OptionText& text, T& value, Needed needed) {
    constexpr bool is_list = requires { value.push_back(value.front()); }
    &&!std::is_same_v<T, std::string>;
    add(text, default_text(value), is_list, needed,
        [&value](std::string_view name, const std::string& given) { read_value(name, given, value); });
  }
  void add(const OptionText& text, const std::string& by_default, bool is_list, Needed needed, Read read);

  std::unique_ptr<Parser> parser_;
};

// Copies the options of a fit that decide how cells are read.
void set_csv_options(const FitOptions& options, CsvOptions& csv);

// Opens all columns of a table of rows for a model, not only its inputs: groups may come from any column.
TableView open_whole_table(const Model& model, const std::string& path, CsvOptions csv, const Reading& reading = {});
// Throws UsageError for standard input: with a model that counts groups, --check-shift reads the rows twice.
void refuse_standard_input(const std::string& path);

// --task, and the options that only one task has.
class TaskArguments {
 public:
  void add(Arguments& arguments);
  // The checked choice. Throws UsageError if it is invalid.
  TaskChoice choice() const;

 private:
  std::string task_ = "auto";
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, bool, std::less<>> flags_;
};

// The model as a Regressor. Throws Error for a classifier; the message ends with `instead`, what to use for it.
Regressor as_regressor(Model model, const std::string& path, const std::string& instead);

// --delimiter and --no-header, the options of every command that reads a CSV file.
class CsvArguments {
 public:
  void add(Arguments& arguments);
  CsvOptions options(const ExecutionContext& context) const;

 private:
  std::string delimiter_;
  bool no_header_ = false;
};

// The options of commands that read new rows for a model: those of CsvArguments, --decimal and --na.
class NewRowsArguments {
 public:
  void add(Arguments& arguments);
  const Reading& reading() const { return reading_; }
  // Throws UsageError for options that are not allowed.
  CsvOptions options(const ExecutionContext& context) const;

  // The columns of a model, as the new file writes them. The context is told which words stay categories.
  std::vector<Column> applied_to(const std::vector<Column>& schema, const ExecutionContext& context) const;
  TableView open_as(const std::vector<Column>& schema, const std::string& path, const ExecutionContext& context) const;
  // All columns of the table, not only those of the model.
  TableView open_whole(const Model& model, const std::string& path, const ExecutionContext& context) const;
  // Rows with their targets; if `whole`, with all columns of the table.
  TableView open_test_rows(const Model& model, const std::string& path, const ExecutionContext& context, bool whole) const;

 private:
  CsvArguments csv_;
  Reading reading_;
};

// --skip-missing-target of commands that need targets.
void add_skip_missing_target(Arguments& arguments, bool& value);

}  // namespace taut
