// Methods: a name and the options of a fit.
#pragma once

#include <taut/options/options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

struct Method {
  std::string name;
  FitOptions options;
  bool focuses = false;  // one model for each level, with --focus at that level
  bool trained = true;   // false: all intervals have the same width
};

// The methods of the paper's table, and those that Taut adds. A new method is one line in methods.cpp.
const std::vector<Method>& paper_methods();
const std::vector<Method>& own_methods();

// Whether the method is not one of the paper's.
bool is_own(const Method& method);

// The named methods of both lists, in the order of the lists; all methods if `names` is empty.
std::vector<Method> named_methods(const std::vector<std::string>& names);

// A method in the words of `taut compare`, joined by ':', for example exp:mlp, erc:error-fit, exp:boost:power:0.5, fixed,
// exp:focus, exp:predictor=knn. The first word is a transformation or auto; each further one a localizer, an objective, 'focus'
// or OPTION=VALUE with any option of `taut fit`, lists in it separated by ',' or '+'. Options that are not named stay as in
// `common`.
Method read_method(const std::string& words, const FitOptions& common);

// "transform=erc objective=error-fit": the options that differ from the defaults, as they would be written.
std::string describe_options(const FitOptions& options);

}  // namespace taut
