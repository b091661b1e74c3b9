#include <taut/options/given_columns.hpp>

#include <taut/calibrate/quantile_scale.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/similar_column.hpp>
#include <taut/options/options.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr const char* quantile_option = "--quantile-columns";
constexpr const char* sample_option = "--sample-columns";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }
bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A number in a name.
struct WrittenNumber {
  std::string text;
  double value = 0;
  bool has_point = false, is_percent = false;

  bool is_level() const { return has_point && value > 0 && value < 1; }
};

std::vector<WrittenNumber> numbers_in(std::string_view name) {
  std::vector<WrittenNumber> found;
  for (std::size_t at = 0; at < name.size();) {
    const bool starts_with_point = name[at] == '.' && at + 1 < name.size() && is_digit(name[at + 1]);
    if (!is_digit(name[at]) && !starts_with_point) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    WrittenNumber number;
    for (; at < name.size(); ++at) {
      const bool is_point = name[at] == '.' && !number.has_point && at + 1 < name.size() && is_digit(name[at + 1]);
      if (!is_digit(name[at]) && !is_point) break;
      number.has_point = number.has_point || is_point;
    }
    number.text = name.substr(begin, at - begin);
    number.value = parse_number(number.text).value_or(missing);
    number.is_percent = at < name.size() && name[at] == '%';
    found.push_back(std::move(number));
  }
  return found;
}

[[noreturn]] void throw_unclear(const std::string& why) {
  throw UsageError(format_text("{}: {}; state the levels as NAME=LEVEL, for example {} 'low=0.05,middle=0.5,high=0.95'",
                               quantile_option, why, quantile_option));
}

// The number that states the level of a column.
WrittenNumber number_of(const std::string& name) {
  std::vector<WrittenNumber> numbers = numbers_in(name);
  if (numbers.empty()) throw_unclear(format_text("there is no level in the name of the column '{}'", name));
  if (numbers.size() > 1) {
    const std::size_t all = numbers.size();
    const auto states_level = [](const WrittenNumber& one) { return one.is_level() || one.is_percent; };
    std::erase_if(numbers, [&](const WrittenNumber& one) { return !states_level(one); });
    if (numbers.size() != 1)
      throw_unclear(format_text("the name of the column '{}' has {}, and {} a level below 1 or in %", name,
                                counted(static_cast<long long>(all), "number"),
                                numbers.empty() ? "none is" : "more than one is"));
  }
  WrittenNumber number = numbers.front();
  const bool is_whole = !number.has_point;
  if (number.text.front() == '.' && number.text.size() == 2 && !number.is_percent)
    throw_unclear(format_text("'{}' in the name of the column '{}' can be {} or {} per cent", number.text, name,
                              print_number(number.value), number.text.substr(1)));
  if (is_whole && !number.is_percent && number.text.size() > 2)
    throw_unclear(format_text("'{}' in the name of the column '{}' can be 0.{} or {} per cent", number.text, name, number.text,
                              print_number(number.value)));
  return number;
}

std::string understood(const std::vector<QuantileColumn>& columns) {
  std::vector<std::string> words;
  constexpr std::size_t max_listed = 30;
  for (std::size_t i = 0; i < std::min(max_listed, columns.size()); ++i)
    words.push_back(format_text("'{}' as {}", columns[i].name, print_number(columns[i].level)));
  if (columns.size() > max_listed) words.push_back(format_text("... ({} in all)", columns.size()));
  return join(words, ", ");
}

// The levels in the names of these columns.
std::vector<QuantileColumn> with_levels_of_names(const std::vector<std::string>& names) {
  std::vector<QuantileColumn> columns;
  std::string below_one, in_percent;  // columns whose level was read in one of these ways, without '%'
  bool has_whole_below = false, has_whole_above = false;
  for (const std::string& name : names) {
    const WrittenNumber number = number_of(name);
    const bool is_percent = number.is_percent || number.value >= 1 || !number.has_point;
    const double level = is_percent ? number.value / 100 : number.value;
    columns.push_back({name, level});
    if (!(level > 0 && level < 1))
      throw_unclear(
          format_text("'{}' in the name of the column '{}' is {} as a level, and levels lie between 0 and 1, both excluded",
                      number.text, name, print_number(level)));
    if (number.is_percent) continue;
    (is_percent ? in_percent : below_one) = name;
    has_whole_below = has_whole_below || (is_percent && level < 0.5);
    has_whole_above = has_whole_above || (is_percent && level >= 0.5);
  }
  if (!below_one.empty() && !in_percent.empty())
    throw_unclear(format_text("the names mix levels below 1, such as '{}', and whole numbers, such as '{}'; understood were {}",
                              below_one, in_percent, understood(columns)));
  if (!in_percent.empty() && has_whole_below != has_whole_above)
    throw_unclear(format_text("numbers from 1 on are per cent, and all of these are on one side of 50: {}", understood(columns)));
  return columns;
}

// The columns that the texts of an option name.
class NamedByTexts {
 public:
  NamedByTexts(const FitOptions& options, const char* option, const std::vector<std::string>& names)
      : options_(options), option_(option), names_(names) {}

  // The columns of patterns, and those that are named in full.
  void add(const std::string& text, std::vector<std::string>& without_number) {
    if (contains(names_, text) || !is_pattern(text)) return add_one(text);
    bool fits = false;
    for (const std::string& name : names_) {
      if (!fits_pattern(name, text) || name == options_.target || contains(options_.drop, name)) continue;
      if (!has_digit(name)) {
        without_number.push_back(name);
        continue;
      }
      fits = true;
      if (!contains(found, name)) found.push_back(name);
    }
    if (!fits)
      throw UsageError(format_text("{}: no column with a number in its name fits '{}'; the columns are: {}", option_, text,
                                   join(std::span(names_).first(std::min<std::size_t>(40, names_.size())), ", ")));
  }
  // The name may be absent from the table, which check_named_columns() reports with all other names.
  void add_one(const std::string& name) {
    if (name == options_.target)
      throw UsageError(format_text("{} and --target both name '{}': a target is no prediction of itself", option_, name));
    if (contains(options_.drop, name))
      throw UsageError(format_text("--drop names '{}', which {} names too; take it out of one of them", name, option_));
    if (contains(named_, name)) throw UsageError(format_text("{} names '{}' twice; name it once", option_, name));
    named_.push_back(name);
    if (!contains(found, name)) found.push_back(name);
  }

  std::vector<std::string> found;

 private:
  const FitOptions& options_;
  const char* option_;
  const std::vector<std::string>& names_;
  std::vector<std::string> named_;  // in full
};

std::vector<QuantileColumn> quantile_columns(const FitOptions& options, const std::vector<std::string>& names,
                                             std::vector<std::string>& without_number) {
  NamedByTexts named(options, quantile_option, names), stated(options, quantile_option, names);
  std::vector<QuantileColumn> columns;
  for (const std::string& text : options.quantile_columns) {
    const double level = level_of_quantile_column(text);
    if (contains(names, text) || std::isnan(level)) {
      named.add(text, without_number);
      continue;
    }
    const std::string name = name_of_quantile_column(text);
    if (!(level > 0 && level < 1))
      throw UsageError(
          format_text("{} {}: a level lies between 0 and 1, both excluded, got {}", quantile_option, text, print_number(level)));
    stated.add_one(name);
    columns.push_back({name, level});
  }
  std::erase_if(named.found, [&](const std::string& name) { return contains(stated.found, name); });
  const auto read = with_levels_of_names(named.found);
  columns.insert(columns.end(), read.begin(), read.end());
  std::stable_sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.level < b.level; });
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (columns[i].level == columns[i - 1].level)
      throw UsageError(format_text("{}: the columns '{}' and '{}' have the same level {}; leave one of them out", quantile_option,
                                   columns[i - 1].name, columns[i].name, print_number(columns[i].level)));
  if (columns.size() < 2)
    throw UsageError(
        format_text("{} takes the quantiles of at least two levels, got {}; for a single prediction there is "
                    "--prediction",
                    quantile_option, understood(columns)));
  return columns;
}

}  // namespace

std::string to_string(const QuantileColumn& column) { return column.name + "=" + print_number(column.level); }

double level_of_quantile_column(const std::string& text) {
  const auto at = text.rfind('=');
  return at == std::string::npos || at == 0 ? missing : parse_number(std::string_view(text).substr(at + 1)).value_or(missing);
}

std::string name_of_quantile_column(const std::string& text) {
  return std::isnan(level_of_quantile_column(text)) ? text : text.substr(0, text.rfind('='));
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  std::size_t at = 0, in = 0, after_star = std::string_view::npos, retry = 0;
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      after_star = ++in;
      retry = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == name[at])) {
      ++in;
      ++at;
    } else if (after_star != std::string_view::npos) {
      in = after_star;  // the last star takes one more character
      at = ++retry;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '*') ++in;
  return in == pattern.size();
}

GivenColumns given_columns(const FitOptions& options, const std::vector<std::string>& names) {
  GivenColumns given;
  if (!options.quantile_columns.empty()) given.quantiles = quantile_columns(options, names, given.without_number);
  if (options.sample_columns.empty()) return given;
  NamedByTexts named(options, sample_option, names);
  for (const std::string& text : options.sample_columns) named.add(text, given.without_number);
  given.samples = std::move(named.found);
  if (std::ssize(given.samples) < min_samples)
    throw UsageError(format_text("{} takes at least {} columns with samples, got {}: {}", sample_option, min_samples,
                                 given.samples.size(), join(given.samples, ", ")));
  return given;
}

FitOptions with_given_columns(FitOptions options, const std::vector<std::string>& names) {
  if (!options.predicts_distribution()) return options;
  GivenColumns given = given_columns(options, names);
  options.quantile_columns.clear();
  for (const QuantileColumn& column : given.quantiles) options.quantile_columns.push_back(to_string(column));
  options.sample_columns = std::move(given.samples);
  return options;
}

}  // namespace taut
