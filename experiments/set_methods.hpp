// A method of sets of labels: options of a fit, and those that only labels have.
#pragma once

#include <experiments/methods.hpp>
#include <taut/task/label/label_options.hpp>

namespace taut {

struct SetMethod {
  Method method;
  LabelOptions labels;
};

// A method in the words of `taut compare`, joined by ':': the first word is a score, each further one fixed, size, conditional,
// focus, by-label or OPTION=VALUE with any option of `taut fit`. What is not said stays as in `common` and `classes`.
SetMethod read_set_method(const std::string& words, const FitOptions& common, const LabelOptions& classes);
std::vector<std::string> default_set_methods();

// One OPTION=VALUE of a method; in methods.cpp.
void set_option(FitOptions& options, const std::string& name, const std::string& value, const std::string& method);

}  // namespace taut
