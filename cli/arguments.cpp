#include <cli/arguments.hpp>

#include <cli/output.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t help_width = 110;
constexpr std::size_t help_column = 34;

std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t column = help_column;
  for (const auto& word : split_text(text, ' ')) {
    if (column > help_column && column + 1 + word.size() > help_width) {
      lines += '\n' + std::string(help_column, ' ');
      column = help_column;
    } else if (column > help_column) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

class WrappedHelp final : public CLI::Formatter {
 public:
  // `titles`: of further groups of options, in the order in which they are shown.
  explicit WrappedHelp(std::vector<std::string> titles = {}) : titles_(std::move(titles)) {
    column_width(help_column);
    label("Positionals", "Arguments");
    label("OPTIONS", "options");
    label("REQUIRED", "(needed)");
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string line = "  " + make_option_name(option, is_positional) + (is_positional ? "" : make_option_opts(option));
    line += line.size() + 2 > help_column ? '\n' + std::string(help_column, ' ') : std::string(help_column - line.size(), ' ');
    return line + wrapped(option->get_description()) + '\n';
  }

  // As in CLI11, which shows groups in the order of their first options.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
    std::vector<std::string> groups = {"Options"};
    groups.insert(groups.end(), titles_.begin(), titles_.end());
    for (const auto& title : groups)
      text += make_group(title, false, app->get_options([&title](const CLI::Option* option) {
        return option->get_group() == title && option->nonpositional();
      }));
    return text + "\n" + make_footer(app);
  }

 private:
  std::vector<std::string> titles_;
};

// "o,output" -> "-o,--output"
std::string dashed(std::string_view names) {
  std::vector<std::string> words = split_text(names, ',');
  for (auto& word : words)
    if (!word.starts_with('-')) word.insert(0, word.size() == 1 ? "-" : "--");
  return join(words, ",");
}

}  // namespace

class Arguments::Parser {
 public:
  Parser(const std::string& command, const std::string& summary, const std::string& example)
      : app_(summary, "taut " + command), hint_("; 'taut " + command + " --help' lists the options") {
    app_.formatter(std::make_shared<WrappedHelp>());
    app_.set_help_flag("-h,--help", "this text");
    app_.footer("Example:\n  " + example);
  }

  CLI::App& app() { return app_; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }

  bool parse(std::vector<std::string> words) {
    refuse_missing_values(words);
    std::reverse(words.begin(), words.end());  // CLI11 reads arguments from the back
    try {
      app_.parse(std::move(words));
      refuse_missing();
      return true;
    } catch (const CLI::CallForHelp&) {
      write_result(app_.help());
      return false;
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string message = error.what(), name = message.substr(0, message.find(':'));
      const bool is_missing = message.find("missing") != std::string::npos;
      throw UsageError(name + (is_missing ? " needs a value after it" : " is given more than once; give it once") + hint_);
    } catch (const CLI::ParseError& error) {
      refuse_unknown();
      if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) refuse_missing();
      throw UsageError(error.what() + hint_);
    }
  }

  void show_in_groups(const std::vector<Arguments::Group>& groups) {
    std::vector<std::string> titles;
    for (const auto& [title, options] : groups) {
      titles.push_back(title);
      for (const auto& name : options) app_.get_option("--" + name)->group(title);
    }
    app_.formatter(std::make_shared<WrappedHelp>(titles));
  }

  void need(std::function<std::vector<std::string>()> lacking) { needs_ = std::move(lacking); }

 private:
  // CLI11 would take the option after it for its value, and complain about what follows.
  void refuse_missing_values(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
      const CLI::Option* option = option_named(words[i]);
      if (option == nullptr || option->get_items_expected_min() == 0) continue;
      if (option_named(words[i + 1]) != nullptr) throw UsageError(words[i] + " needs a value after it" + hint_);
      ++i;
    }
  }

  const CLI::Option* option_named(const std::string& word) const {
    return word.starts_with('-') ? app_.get_option_no_throw(word) : nullptr;
  }

  // Names everything that is missing at once.
  void refuse_missing() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      const std::string value = option->get_option_text().substr(0, option->get_option_text().find(' '));
      names.push_back(option->get_positional() ? option->get_name(true) : option->get_name() + " " + value);
    }
    if (needs_)
      for (auto& name : needs_()) names.push_back(std::move(name));
    if (names.empty()) return;
    const std::string last = names.back();
    names.pop_back();
    throw UsageError(format_text("{}{} missing{}", names.empty() ? "" : join(names, ", ") + " and ",
                                 last + (names.empty() ? " is" : " are"), hint_));
  }

  void refuse_unknown() const {
    const auto unknown = app_.remaining();
    if (unknown.empty()) return;
    const std::string& word = unknown.front();
    if (!word.starts_with('-')) throw UsageError(format_text("unexpected argument '{}'{}", word, hint_));
    const std::string name = word.substr(0, word.find('='));
    const auto guess = nearest_name(name, names());
    const std::string suggestion = guess ? format_text(" (did you mean '{}'?)", *guess) : "";
    throw UnknownOption(name, format_text("unknown option '{}'{}{}", name, suggestion, hint_));
  }

  CLI::App app_;
  std::string hint_;
  std::function<std::vector<std::string>()> needs_;
};

Arguments::Arguments(const std::string& command, const std::string& summary, const std::string& example)
    : parser_(std::make_unique<Parser>(command, summary, example)) {}
Arguments::~Arguments() = default;

bool Arguments::parse(const std::vector<std::string>& words) { return parser_->parse(words); }

void Arguments::show_in_groups(const std::vector<Group>& groups) { parser_->show_in_groups(groups); }

void Arguments::need(std::function<std::vector<std::string>()> lacking) { parser_->need(std::move(lacking)); }

bool Arguments::has(const std::string& option) const {
  const auto names = parser_->names();
  return std::find(names.begin(), names.end(), option) != names.end();
}

void Arguments::positional(const std::string& name, const std::string& help, std::string& value, Needed needed) {
  parser_->app().add_option(name, value, help)->required(needed == Needed::yes);
}

void Arguments::flag(const OptionText& text, bool& value) {
  const std::string also = text.also.empty() ? "" : "," + dashed(text.also);
  parser_->app().add_flag(dashed(text.name) + also, value, std::string(text.help));
}

void Arguments::flag_with_value(const OptionText& text, std::optional<Index>& given, Index when_alone) {
  const std::string name = dashed(text.name);
  const auto read = [&given, when_alone, name](const std::vector<std::string>& words) {
    given = when_alone;
    if (!words.empty() && !words.front().empty()) read_value(name, words.front(), *given);
  };
  parser_->app()
      .add_option_function<std::vector<std::string>>(name, read, std::string(text.help))
      ->expected(0, 1)
      ->option_text(std::string(text.value));
}

void Arguments::add(const OptionText& text, const std::string& by_default, bool is_list, Needed needed, Read read) {
  const std::string names = dashed(text.name), name = names.substr(names.rfind(',') + 1);
  std::string help(text.help);
  if (!by_default.empty()) help += " (default " + by_default + ")";
  auto* option = parser_->app().add_option_function<std::string>(
      names, [name, read = std::move(read)](const std::string& given) { read(name, given); }, help);
  option->option_text(std::string(text.value) + (needed == Needed::yes ? " (needed)" : ""))->required(needed == Needed::yes);
  if (is_list) option->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter(',');
}

void refuse_standard_input(const std::string& path) {
  if (path == "-")
    throw UsageError(
        "--check-shift: the model counts groups of rows (--keep-together), and finding them takes a second pass over the rows; "
        "give a file instead of standard input");
}

void TaskArguments::add(Arguments& arguments) {
  std::string names;
  for (const TaskEntry& entry : tasks()) names = std::string(entry.name) + "|" + names;
  arguments.option({"task", names + "auto",
                    "what the target is: a number, one of a few labels, or several numbers; auto: labels where it holds texts"},
                   task_);
  for (const TaskEntry& entry : tasks())
    for (const OptionText& text : entry.options != nullptr ? entry.options() : std::vector<OptionText>{})
      if (text.value.empty())
        arguments.flag(text, flags_[std::string(text.name)]);
      else
        arguments.option(text, values_[std::string(text.name)]);
}

TaskChoice TaskArguments::choice() const {
  const std::string task = current_task_name(task_);
  TaskChoice choice{task, {{"task", task}}};
  for (const auto& [name, value] : values_)
    if (!value.empty()) choice.options[name] = value;
  for (const auto& [name, is_set] : flags_)
    if (is_set) choice.options[name] = "true";
  choice.check();
  return choice;
}

Regressor as_regressor(Model model, const std::string& path, const std::string& instead) {
  try {
    return Regressor(std::move(model));
  } catch (const Error& error) {
    throw Error(format_text("{}: {}; {}", path, error.what(), instead));
  }
}

}  // namespace taut
