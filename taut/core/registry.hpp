// Name -> factory. Every kind of exchangeable part (transformation, objective, localizer, predictor, metric ...) has one
// registry. Tests loop over it, so every registered part is tested. Help texts and messages are generated from it.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

template <class Product>
struct Listed {
  std::string name;
  std::string summary;                                             // one line for --help and the docs
  std::function<std::unique_ptr<Product>(std::string_view)> make;  // receives the argument of "name:argument"
  std::string example = name;                                      // a full specification, used by the tests
  bool takes_argument = false;
  bool needs_argument = takes_argument;
  std::string former_name = {};  // of an earlier version: still understood, shown nowhere
};

template <class Product>
class Registry {
 public:
  Registry(std::string what, std::vector<Listed<Product>> entries) : what_(std::move(what)), entries_(std::move(entries)) {}

  // Makes the product of a specification such as "exp", "power:0.5" or "mixture:exp,sigma". The factory receives only the
  // argument, not the name. Throws UsageError if the name is unknown or the argument is missing or not allowed.
  std::unique_ptr<Product> make(std::string_view specification) const {
    const auto colon = specification.find(':');
    const auto name = trim(specification.substr(0, colon));
    const bool has_argument = colon != std::string_view::npos;
    const auto argument = has_argument ? trim(specification.substr(colon + 1)) : std::string_view{};
    const Listed<Product>* entry = find(name);
    if (entry == nullptr) throw UsageError(unknown_name(what_, name, names()));
    if (has_argument && !entry->takes_argument)
      throw UsageError(format_text("{} '{}' takes no argument, got '{}'", what_, entry->name, specification));
    if (argument.empty() && entry->needs_argument)
      throw UsageError(format_text("{} '{}' needs an argument, for example '{}'", what_, entry->name, entry->example));
    return entry->make(argument);
  }

  // The same specification with the present name of the part; one that is not listed is returned as it is.
  std::string current(std::string_view specification) const {
    const auto end_of_name = std::min(specification.find(':'), specification.size());
    const Listed<Product>* entry = find(trim(specification.substr(0, end_of_name)));
    return entry == nullptr ? std::string(specification) : entry->name + std::string(specification.substr(end_of_name));
  }

  // Adds a part from outside the library. After that its name is accepted wherever the name of a built-in part is: in options and
  // in model files (to read such a file, add the same part first). Add parts at the start of the program, from one thread and
  // before anything is fitted or read. Throws UsageError if the name is taken.
  void add(Listed<Product> entry) {
    if (entry.name.empty() || entry.name.find_first_of(":,; ") != std::string::npos || !entry.make)
      throw UsageError(format_text("a {} needs a factory and a name without spaces, commas, colons and semicolons; got '{}'",
                                   what_, entry.name));
    if (find(entry.name) != nullptr)
      throw UsageError(format_text("there is a {} '{}' already; choose another name", what_, entry.name));
    entries_.push_back(std::move(entry));
  }

  // The allowed names for help and messages: "conditional, size, power:0.5, ...".
  std::string describe() const {
    std::vector<std::string> words;
    for (const auto& entry : entries_) words.push_back(entry.needs_argument ? entry.example : entry.name);
    return join(words, ", ");
  }

  const std::string& what() const { return what_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : entries_) names.push_back(entry.name);
    return names;
  }

  const std::vector<Listed<Product>>& entries() const { return entries_; }

 private:
  // By the present or the former name; null if there is no such part.
  const Listed<Product>* find(std::string_view name) const {
    for (const auto& entry : entries_)
      if (entry.name == name || (!name.empty() && entry.former_name == name)) return &entry;
    return nullptr;
  }

  std::string what_;
  std::vector<Listed<Product>> entries_;
};

}  // namespace taut
