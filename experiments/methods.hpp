// A method has a name and is nothing but options of a fit.
#pragma once

#include <taut/options/options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

struct Method {
  std::string name;
  FitOptions options;
  bool focuses = false;  // a model for each level, with --focus at that level
  bool trained = true;   // false: nothing is learned but one width
};

// The rows of the paper's table, and those that Taut adds; a new one is one line in methods.cpp.
const std::vector<Method>& paper_methods();
const std::vector<Method>& own_methods();

// Whether Taut adds it.
bool is_own(const Method& method);

// Those of both lists that `names` names, in the order of the lists; all of them where it is empty.
std::vector<Method> named_methods(const std::vector<std::string>& names);

// A method in the words of `taut compare`, joined by ':', for example exp:mlp, erc:error-fit, exp:boost:power:0.5, fixed,
// exp:focus, exp:predictor=knn. The first word is a transformation or auto; each further one a localizer, an objective, 'focus'
// or OPTION=VALUE with any option of `taut fit`, lists in it separated by ',' or '+'. What is not said stays as in `common`.
Method read_method(const std::string& words, const FitOptions& common);

// "transform=erc objective=error-fit": the options that differ from the defaults, as they would be written.
std::string options_in_words(const FitOptions& options);

}  // namespace taut
