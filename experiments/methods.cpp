#include <experiments/methods.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/model/option_words.hpp>

#include <algorithm>

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

std::string options_in_words(const FitOptions& options) {
  std::vector<std::string> words;
  visit_option_words(options, [&](const std::string& name, const std::string& value, bool differs) {
    if (differs) words.push_back(name + "=" + value);
  });
  return join(words, " ");
}

}  // namespace taut
