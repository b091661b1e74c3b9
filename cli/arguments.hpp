// Arguments that commands share: options of a fit, files, and how CSV files are written.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/types.hpp>
#include <taut/data/csv/reader.hpp>
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

// The options of a command. The only place that knows CLI11 is arguments.cpp.

// The text behind an option as a value, or a UsageError that names the option. Lists are separated by commas.
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

// A default as --help shows it; empty where there is nothing to show.
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

// An option that the command does not have: "--weights".
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
  // With an optional value: `given` holds the default when the option stands alone.
  void flag_with_value(const OptionText& text, std::optional<Index>& given, Index when_alone);

  // "o,output" is -o and --output. A list may be given in several pieces.
  template <class T>
  void option(const OptionText& text, T& value, Needed needed = Needed::no) {
    if constexpr (std::is_same_v<T, bool>)
      flag(text, value);
    else
      add_typed(text, value, needed);
  }

  // False when the user asked for help, which has been printed; a UsageError for what makes no sense.
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

// The option that every command with a CSV file has.

// What the options of a fit say about how cells are read.
void read_by(const FitOptions& options, CsvOptions& csv);

// All columns of a table with rows for a model, not only those that it needs: its groups may be of any column.
TableView open_whole_table(const Model& model, const std::string& path, CsvOptions csv);
// Throws UsageError for standard input: --check-shift reads the rows of a model that counts groups twice.
void refuse_standard_input(const std::string& path);
// Which task a fit is for: --task, and the options that only some task has.
class TaskArguments {
 public:
  void add(Arguments& arguments);
  // Checked.
  TaskChoice choice() const;

 private:
  std::string task_ = "auto";
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, bool, std::less<>> flags_;
};

// A model that predicts numbers, read from `path`. For any other an Error, which says what else there is.
Regressor as_regressor(Model model, const std::string& path, const std::string& instead);

// Rows with their targets; `whole`: with all columns.
TableView open_test_rows(const Model& model, const std::string& path, const CsvOptions& csv, bool whole);

class CsvArguments {
 public:
  void add(Arguments& arguments);
  CsvOptions options(const ExecutionContext& context) const;

 private:
  std::string delimiter_;
};

}  // namespace taut
