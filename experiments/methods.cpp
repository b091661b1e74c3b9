#include <experiments/methods.hpp>

#include <experiments/set_methods.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/options/options.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The paper's localizer: five hidden layers of a hundred, batches of sixteen, one scale for both sides.
Method network(std::string name, std::string transform, std::string objective) {
  Method method{std::move(name), {}};
  method.options.transform = std::move(transform);
  method.options.objective = std::move(objective);
  method.options.localizer = "mlp";
  method.options.batch = 16;
  method.options.sides = "one";
  return method;
}

Method one_width() {
  Method method{"fixed", {}};
  method.options.localizer = "none";
  method.trained = false;
  return method;
}

Method trees(std::string name, std::string transform, std::string objective, std::string sides) {
  Method method{std::move(name), {}};
  method.options.transform = std::move(transform);
  method.options.objective = std::move(objective);
  method.options.sides = std::move(sides);
  return method;
}

Method focused(std::string name) {
  Method method = trees(std::move(name), "exp", "", "auto");
  method.focuses = true;
  return method;
}

}  // namespace

const std::vector<Method>& paper_methods() {
  static const std::vector<Method> methods = {
      network("erc (error fit)", "erc", "error-fit"),
      network("erc", "erc", "size"),
      network("linear", "linear", "size"),
      network("exp", "exp", "size"),
      network("sigma", "sigma", "size"),
      one_width(),
  };
  return methods;
}

const std::vector<Method>& own_methods() {
  static const std::vector<Method> methods = {
      trees("trees", "exp", "size", "one"),
      trees("trees, two sides", "exp", "size", "auto"),
      trees("conditional", "exp", "conditional", "auto"),
      trees("spline", "spline", "likelihood", "auto"),
      focused("focus"),
  };
  return methods;
}

bool is_own(const Method& method) {
  const auto& paper = paper_methods();
  return std::none_of(paper.begin(), paper.end(), [&](const Method& listed) { return listed.name == method.name; });
}

std::vector<Method> named_methods(const std::vector<std::string>& names) {
  std::vector<Method> all = paper_methods();
  all.insert(all.end(), own_methods().begin(), own_methods().end());
  if (names.empty()) return all;
  std::vector<std::string> known;
  for (const auto& method : all) known.push_back(method.name);
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end()) throw UsageError(unknown_name("method", name, known));
  std::erase_if(all, [&](const Method& method) { return std::find(names.begin(), names.end(), method.name) == names.end(); });
  return all;
}

std::string describe_options(const FitOptions& options) {
  std::vector<std::string> words;
  visit_option_texts(options, [&](const std::string& name, const std::string& value, bool differs) {
    if (differs) words.push_back(name + "=" + value);
  });
  return join(words, " ");
}

// Methods as a user of `taut compare` writes them.

namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// ',' may separate methods, so a list inside a method may use '+' instead.
std::string with_commas(std::string text) {
  std::replace(text.begin(), text.end(), '+', ',');
  return text;
}

void read_into(const std::string& text, const std::string&, std::string& value) { value = with_commas(text); }
void read_into(const std::string& text, const std::string& what, double& value) { value = parse_number_or_throw(text, what); }
void read_into(const std::string& text, const std::string& what, Index& value) {
  const double number = parse_number_or_throw(text, what);
  if (!(std::abs(number) <= 1e15 && number == std::floor(number)))
    throw UsageError(format_text("{} takes a whole number, got '{}'", what, text));
  value = static_cast<Index>(number);
}
void read_into(const std::string& text, const std::string& what, bool& value) {
  if (text != "yes" && text != "no") throw UsageError(format_text("{} takes yes or no, got '{}'", what, text));
  value = text == "yes";
}
// Appends to the list: a method may drop more columns than the others, but not fewer.
void read_into(const std::string& text, const std::string&, std::vector<std::string>& value) {
  for (auto& part : split_text(with_commas(text), ',')) value.push_back(std::move(part));
}
void read_into(const std::string& text, const std::string& what, std::vector<Index>& value) {
  value.clear();
  for (const auto& part : split_text(with_commas(text), ',')) read_into(part, what, value.emplace_back());
}

// Options that must be the same for all methods, because they define the target or the rows.
const std::vector<std::string> shared = {
    "target", "prediction", "lower-prediction", "upper-prediction", "seed", "keep-together", "in-order", "order-by", "gap"};

}  // namespace

void set_option(FitOptions& options, const std::string& name, const std::string& value, const std::string& method) {
  std::vector<std::string> known;
  bool found = false;
  for_each_option(options, [&](const OptionText& text, auto& member) {
    if (has(shared, text.name) || text.stored == Stored::never) return;
    known.emplace_back(text.name);
    if (text.name != name) return;
    found = true;
    read_into(value, format_text("method '{}': {}", method, name), member);
  });
  if (has(shared, name))
    throw UsageError(format_text("method '{}': '{}' is the same for all methods; write --{}", method, name, name));
  if (!found) throw UsageError(format_text("method '{}': {}", method, unknown_name("option", name, known)));
}

namespace {

[[noreturn]] void refuse_word(const std::string& method, const std::string& word, bool first) {
  std::vector<std::string> known = transforms().names();
  if (!first) {
    known = localizers().names();
    for (const auto& name : objectives().names()) known.push_back(name);
    known.emplace_back("focus");
  }
  // "fixed,exp:split=0.4,0.3,0.1,0.2" is split at commas, so one method is "0.3".
  const bool is_rest_of_list = first && parse_number(word);
  throw UsageError(format_text(
      "method '{}': {}{}{}", method, unknown_name(first ? "transformation" : "localizer or objective", word, known),
      first ? "" : ", or OPTION=VALUE with an option of 'taut fit'",
      is_rest_of_list ? "; write lists within a method with '+' (split=0.4+0.3+0.1+0.2), or separate methods by ';'" : ""));
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
    throw UsageError(format_text("method '{}': {}", words, error.what()));
  }
  return method;
}

}  // namespace taut
