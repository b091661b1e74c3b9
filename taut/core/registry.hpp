// Name -> factory. Every kind of exchangeable part (transformation, objective, localizer, predictor, metric ...) has one
// list; tests loop over it, so a part is tested by being listed. Help texts and messages are made from it.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

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
  std::function<std::unique_ptr<Product>(std::string_view)> make;  // the text behind ':' in "name:argument"
  std::string example = name;                                      // a full specification, used by the tests
  bool takes_argument = false;
  bool needs_argument = takes_argument;
};

template <class Product>
class Registry {
 public:
  Registry(std::string what, std::vector<Listed<Product>> entries) : what_(std::move(what)), entries_(std::move(entries)) {}

  // "exp", "power:0.5", "mixture:exp,sigma". The product knows nothing of the name it was made by.
  std::unique_ptr<Product> make(std::string_view specification) const {
    const auto colon = specification.find(':');
    const auto name = trim(specification.substr(0, colon));
    const bool has_argument = colon != std::string_view::npos;
    const auto argument = has_argument ? trim(specification.substr(colon + 1)) : std::string_view{};
    for (const auto& entry : entries_) {
      if (entry.name != name) continue;
      if (has_argument && !entry.takes_argument)
        throw UsageError(what_ + " '" + entry.name + "' takes no argument, got '" + std::string(specification) + "'");
      if (argument.empty() && entry.needs_argument)
        throw UsageError(what_ + " '" + entry.name + "' needs an argument, for example '" + entry.example + "'");
      return entry.make(argument);
    }
    throw UsageError(unknown_name(what_, name, names()));
  }

  // Adds a part from outside the library. From then on its name can be used wherever a listed one can: in options, in model files
  // (to read one, the same part must have been added before), in loops over the list. Add parts at the start of the program,
  // before anything is fitted or read and from one thread. A name that is taken is a UsageError.
  void add(Listed<Product> entry) {
    if (entry.name.empty() || entry.name.find_first_of(":,; ") != std::string::npos || !entry.make)
      throw UsageError("a " + what_ + " needs a name without spaces, commas and colons, and a way to make it; got '" +
                       entry.name + "'");
    for (const auto& known : entries_)
      if (known.name == entry.name)
        throw UsageError("there is a " + what_ + " '" + entry.name + "' already; choose another name");
    entries_.push_back(std::move(entry));
  }

  // "conditional, size, power:0.5, ...": what can be named, for help and messages.
  std::string in_words() const {
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
  std::string what_;
  std::vector<Listed<Product>> entries_;
};

}  // namespace taut
