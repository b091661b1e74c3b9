// Methods of sets as a user of `taut compare` writes them.
#include <experiments/set_methods.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/task/label/class_score.hpp>

#include <algorithm>

namespace taut {

namespace {

bool takes_numbers(const std::string& score) {
  const auto& entries = class_scores().entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Listed<ClassScore>& entry) { return entry.name == score && entry.takes_argument; });
}

std::string numbers_with_commas(std::string text) {
  std::replace(text.begin(), text.end(), '+', ',');
  return text;
}

}  // namespace

std::vector<std::string> default_set_methods() {
  return {"lac:fixed", "aps:fixed", "raps:fixed", "lac", "lac:size", "lac:conditional"};
}

SetMethod read_set_method(const std::string& words, const FitOptions& common, const LabelOptions& classes) {
  SetMethod result{{words, common}, classes};
  Method& method = result.method;
  FitOptions& options = method.options;
  const auto parts = split_text(words, ':');
  const auto names = class_scores().names();
  const std::string score = class_scores().current(parts.front());
  if (std::find(names.begin(), names.end(), score) == names.end())
    throw UsageError("method '" + words + "': " + unknown_name("score of labels", parts.front(), names) +
                     "; for example lac:fixed, aps:fixed, lac:conditional");
  result.labels.score = score;
  std::size_t next = 1;
  if (takes_numbers(score) && parts.size() > 1 && parse_number(split_text(numbers_with_commas(parts[1]), ',').front()))
    result.labels.score += ":" + numbers_with_commas(parts[next++]);
  for (std::size_t i = next; i < parts.size(); ++i) {
    const std::string& word = parts[i];
    if (const auto equals = word.find('='); equals != std::string::npos) {
      set_option(options, word.substr(0, equals), word.substr(equals + 1), words);
    } else if (word == "fixed") {
      options.transform = word;
    } else if (word == "size" || word == "conditional") {
      options.objective = word;
    } else if (word == "focus") {
      method.focuses = true;
    } else if (word == "by-label") {
      result.labels.by_label = true;
    } else {
      const std::vector<std::string> known = {"fixed", "size", "conditional", "focus", "by-label"};
      throw UsageError(
          format_text("method '{}': {}, or OPTION=VALUE with an option of 'taut fit'", words, unknown_name("word", word, known)));
    }
  }
  method.trained = options.transform != "fixed";
  try {
    options.check();
    result.labels.check_with(options);
  } catch (const UsageError& error) {
    throw UsageError(format_text("method '{}': {}", words, error.what()));
  }
  return result;
}

}  // namespace taut
