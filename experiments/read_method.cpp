// Methods as a user of `taut compare` writes them.
#include <experiments/set_methods.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// ',' may separate methods, so lists within one may be written with '+'.
std::string with_commas(std::string text) {
  std::replace(text.begin(), text.end(), '+', ',');
  return text;
}

void read_into(const std::string& text, const std::string&, std::string& value) { value = with_commas(text); }
void read_into(const std::string& text, const std::string& what, double& value) { value = parse_number_or_throw(text, what); }
void read_into(const std::string& text, const std::string& what, Index& value) {
  const double number = parse_number_or_throw(text, what);
  if (!(std::abs(number) <= 1e15 && number == std::floor(number)))
    throw UsageError(what + " takes a whole number, got '" + text + "'");
  value = static_cast<Index>(number);
}
void read_into(const std::string& text, const std::string& what, bool& value) {
  if (text != "yes" && text != "no") throw UsageError(what + " takes yes or no, got '" + text + "'");
  value = text == "yes";
}
// Appended: a method may drop more columns than the others, not fewer.
void read_into(const std::string& text, const std::string&, std::vector<std::string>& value) {
  for (auto& part : split_text(with_commas(text), ',')) value.push_back(std::move(part));
}
void read_into(const std::string& text, const std::string& what, std::vector<Index>& value) {
  value.clear();
  for (const auto& part : split_text(with_commas(text), ',')) read_into(part, what, value.emplace_back());
}

// Options that all methods share, because they say what is predicted or which rows there are.
const std::vector<std::string> shared = {"target", "prediction", "lower-prediction", "upper-prediction", "seed",
                                         "keep-together", "in-order", "order-by", "gap"};

}  // namespace

void set_option(FitOptions& options, const std::string& name, const std::string& value, const std::string& method) {
  std::vector<std::string> known;
  bool found = false;
  for_each_option(options, [&](const OptionText& text, auto& member) {
    if (has(shared, text.name)) return;
    known.emplace_back(text.name);
    if (text.name != name) return;
    found = true;
    read_into(value, "method '" + method + "': " + name, member);
  });
  if (has(shared, name)) throw UsageError("method '" + method + "': '" + name + "' is the same for all methods; write --" + name);
  if (!found) throw UsageError("method '" + method + "': " + unknown_name("option", name, known));
}

namespace {

[[noreturn]] void refuse_word(const std::string& method, const std::string& word, bool first) {
  std::vector<std::string> known = transforms().names();
  if (!first) {
    known = localizers().names();
    for (const auto& name : objectives().names()) known.push_back(name);
    known.emplace_back("focus");
  }
  // "fixed,exp:split=0.4,0.3,0.1,0.2" comes here as the method "0.3".
  const bool is_rest_of_list = first && parse_number(word);
  throw UsageError(
      "method '" + method + "': " + unknown_name(first ? "transformation" : "localizer or objective", word, known) +
      (first ? "" : ", or OPTION=VALUE with an option of 'taut fit'") +
      (is_rest_of_list ? "; write lists within a method with '+' (split=0.4+0.3+0.1+0.2), or separate methods by ';'" : ""));
}

bool takes_argument(const std::string& transform) {
  const auto& entries = transforms().entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Listed<Transform>& entry) { return entry.name == transform && entry.takes_argument; });
}

const Listed<Objective>* find_objective(const std::string& name) {
  for (const auto& entry : objectives().entries())
    if (entry.name == name) return &entry;
  return nullptr;
}

bool is_word(const std::string& part) {
  return has(localizers().names(), part) || part == "focus" || find_objective(part) != nullptr ||
         part.find('=') != std::string::npos;
}

}  // namespace

Method read_method(const std::string& words, const FitOptions& common) {
  Method method{words, common};
  FitOptions& options = method.options;
  const auto parts = split_text(words, ':');
  if (!has(transforms().names(), parts.front()) && parts.front() != "auto") refuse_word(words, parts.front(), true);
  options.transform = parts.front();
  std::size_t next = 1;
  if (takes_argument(options.transform) && parts.size() > 1 && !is_word(parts[1]))
    options.transform += ":" + with_commas(parts[next++]);
  for (std::size_t i = next; i < parts.size(); ++i) {
    const std::string& word = parts[i];
    const auto equals = word.find('=');
    if (equals != std::string::npos) {
      set_option(options, word.substr(0, equals), word.substr(equals + 1), words);
    } else if (has(localizers().names(), word)) {
      options.localizer = word;
    } else if (const auto* objective = find_objective(word)) {
      options.objective = word;
      if (objective->takes_argument && i + 1 < parts.size()) options.objective += ":" + with_commas(parts[++i]);
    } else if (word == "focus") {
      method.focuses = true;
    } else {
      refuse_word(words, word, false);
    }
  }
  if (options.transform == "fixed") options.localizer = "none";
  method.trained = localizers().make(options.localizer)->adapts();
  try {
    options.check();
  } catch (const UsageError& error) {
    throw UsageError("method '" + words + "': " + error.what());
  }
  return method;
}

}  // namespace taut
