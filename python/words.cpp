#include <python/bind.hpp>

#include <taut/core/text.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <map>
#include <type_traits>
#include <utility>

namespace taut {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// Options that Python has, but not as parameters of a fit: `renamed` under another name, `arguments` under the same name.
constexpr std::array<Replacement, 13> renamed = {{{"target", "y"},
                                                  {"sample-weight", "sample_weight"},
                                                  {"exposure", "exposure"},
                                                  {"model", "estimator"},
                                                  {"prediction", "y_pred"},
                                                  {"lower-prediction", "y_pred[:, 0]"},
                                                  {"upper-prediction", "y_pred[:, 1]"},
                                                  {"confidence", "confidence_level"},
                                                  {"threads", "n_jobs"},
                                                  {"calibrate-with", "calibrate"},
                                                  {"weights", "sample_weight"},
                                                  {"probabilities", "y_proba"},
                                                  {"score", "conformity_score"}}};
constexpr std::array<std::string_view, 31> arguments = {
    "smooth",    "check-shift", "towards",     "local",      "local-in",  "overlapping", "plain",       "task",
    "by-label",  "recentre",    "refit-every", "refit-rows", "refit-lag", "history",     "allow-older", "window",
    "half-life", "ask",         "value",       "wide",       "each",      "contains",    "sum",         "region",
    "quantiles", "samples",     "p-value",     "band",       "below",     "learn-from",  "y-range"};

// Whole phrases, where replacing an option is not enough.
constexpr std::array<Replacement, 18> phrases = {{{" (--drop)", ""},
                                                  {"the cell is missing", "the cell is missing (NaN)"},
                                                  {"'taut calibrate'", "calibrate(X, y)"},
                                                  {"'taut calibrate --plain'", "calibrate(X, y, plain=True)"},
                                                  {"'taut fit --skip-missing-target'", "skip_missing_target=True"},
                                                  {"'taut distil'", "distil(X)"},
                                                  {"'taut evaluate'", "evaluate(X, y)"},
                                                  {"'taut predict'", "predict_interval(X)"},
                                                  {"'taut report'", "report(X, y, path)"},
                                                  {"'taut fit'", "fit(X, y)"},
                                                  {"--quantiles 0.5 gives", "predict_quantiles(X, 0.5) gives"},
                                                  {"give --task classification", "use ConformalClassifier"},
                                                  {"give --task regression", "use ConformalRegressor"},
                                                  {"--decimal , reads", "decimal=',' of pandas.read_csv reads"},
                                                  {"--decimal . reads", "decimal='.' of pandas.read_csv reads"},
                                                  {"--region box", "region='box'"},
                                                  {"--json writes", "format='json' writes"},
                                                  {"--no-header", "header=None"}}};

struct Known {
  std::string name;                // in Python
  std::vector<std::string> words;  // that the option takes as values
  bool is_list = false;            // its value is a list of texts
};

std::vector<std::string> words_of(const OptionText& text) {
  std::vector<std::string> words = split_text(text.value, '|');
  if (text.name == "predictor") words = predictors().names();
  if (text.name == "localizer") words = localizers().names();
  if (text.name == "transform") words = transforms().names();
  if (text.name == "objective") words = objectives().names();
  if (text.name == "localizer") words.emplace_back("none");
  if (text.name == "transform") words.emplace_back("auto");
  return words;
}

template <class T>
constexpr bool is_list_of_texts = std::is_same_v<T, std::vector<std::string>>;

std::map<std::string, Known, std::less<>> known_options() {
  std::map<std::string, Known, std::less<>> known;
  for (const auto& [option, name] : renamed) known[std::string(option)] = {std::string(name), {}};
  for (const auto option : arguments) known[std::string(option)] = {python_name(option), {}};
  const FitOptions defaults;
  for_each_option(defaults, [&known]<class T>(const OptionText& text, const T&) {
    if (const auto name = parameter_name(text.name); !name.empty())
      known[std::string(text.name)] = {name, words_of(text), is_list_of_texts<T>};
  });
  return known;
}

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size())) text.replace(at, old.size(), by);
}

// The longest run of `letters` from `begin`.
std::string_view word_at(std::string_view text, std::size_t begin, std::string_view letters) {
  if (begin >= text.size()) return {};
  const auto end = text.find_first_not_of(letters, begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

// Python counts rows from 0, the library from 1: changes "row 1, column 'a'" and "(row 1)" to row 0.
void count_rows_from_zero(std::string& text, std::string_view before, std::string_view after) {
  for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    const auto digits = word_at(text, at + before.size(), "0123456789");
    if (digits.empty() || !std::string_view(text).substr(at + before.size() + digits.size()).starts_with(after)) continue;
    text.replace(at + before.size(), digits.size(), std::to_string(std::stoll(std::string(digits)) - 1));
  }
}

// Targets and predictions are no columns of X: removes ", column 'y'" in front of ": the target must be ...".
void leave_out_column_of_role(std::string& text) {
  for (const std::string_view after : {"': the prediction must", "': the target must"})
    for (auto end = text.find(after); end != std::string::npos; end = text.find(after, end)) {
      const auto begin = text.rfind(", column '", end);
      if (begin == std::string::npos) break;
      text.erase(begin, end + 1 - begin);
      end = begin + 1;
    }
}

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz-";
constexpr std::string_view value_letters = "abcdefghijklmnopqrstuvwxyz0123456789.-+";

// The quoted value " 'text'" after an option, with its quotes. It ends at a quote that is followed by a space or punctuation.
std::string_view quoted_at(std::string_view text, std::size_t begin) {
  if (!text.substr(std::min(begin, text.size())).starts_with(" '")) return {};
  for (auto end = text.find('\'', begin + 2); end != std::string_view::npos; end = text.find('\'', end + 1))
    if (end + 1 == text.size() || std::string_view(" ,.;)").find(text[end + 1]) != std::string_view::npos)
      return text.substr(begin + 1, end - begin);
  return {};
}

// The value after an option as a literal of Python: 1, 'cross'. Empty if the next word is not a value.
std::string literal(const Known& option, std::string_view word) {
  if (word.empty()) return "";
  if (parse_number(word)) return std::string(word);
  const bool listed = std::find(option.words.begin(), option.words.end(), word) != option.words.end();
  return listed ? "'" + std::string(word) + "'" : "";
}

}  // namespace

std::string python_name(std::string_view option) {
  std::string name(option);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string parameter_name(std::string_view option) {
  if (option == "target" || (option.ends_with("prediction") && option != "see-prediction")) return "";
  if (option == "sample-weight" || option == "exposure") return "";  // arguments of fit()
  return option == "seed" ? "random_state" : python_name(option);
}

std::string in_python(std::string_view message) {
  const auto known = known_options();
  std::string text(message), result;
  for (const auto& [old, by] : phrases) replace_all(text, old, by);
  count_rows_from_zero(text, ", row ", ", column '");
  count_rows_from_zero(text, "(row ", ")");
  leave_out_column_of_role(text);
  std::size_t done = 0;
  bool after_value = false;
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    // Text in quotes came from the user and stays.
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '(') continue;
    const auto name = word_at(text, at + 2, name_letters);
    const auto found = known.find(name);
    if (found == known.end()) continue;
    const std::size_t end = at + 2 + name.size();
    if (const auto quoted = found->second.is_list ? quoted_at(text, end) : std::string_view(); !quoted.empty()) {
      result += text.substr(done, at - done) + found->second.name + "=[" + std::string(quoted) + "]";
      done = end + 1 + quoted.size();
      after_value = false;
      continue;
    }
    auto word = word_at(text, end + 1, value_letters);
    while (word.ends_with('.')) word.remove_suffix(1);  // the end of the sentence
    const std::string value = end < text.size() && (text[end] == ' ' || text[end] == '=') ? literal(found->second, word) : "";
    result += after_value && at == done + 1 ? ", " : text.substr(done, at - done);
    result += found->second.name + (value.empty() ? "" : "=" + value);
    after_value = !value.empty();
    done = after_value ? end + 1 + word.size() : end;
  }
  return result + text.substr(done);
}

void bind_words(nb::module_& module) {
  module.def("in_python", &in_python, nb::arg("message"),
             "Translates a message of the command line to Python: options become keyword arguments.");
}

}  // namespace taut
