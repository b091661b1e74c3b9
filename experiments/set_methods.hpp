// Methods for prediction sets: the options of a fit, and those of classification.
#pragma once

#include <experiments/methods.hpp>
#include <taut/task/label/label_options.hpp>

namespace taut {

struct SetMethod {
  Method method;
  LabelOptions labels;
};

// A method in the words of `taut compare`, joined by ':': the first word is a score, each further one fixed, size, conditional,
// focus, by-label or OPTION=VALUE with any option of `taut fit`. Options that are not named stay as in `common` and `classes`.
SetMethod read_set_method(const std::string& words, const FitOptions& common, const LabelOptions& classes);
std::vector<std::string> default_set_methods();

// Sets one OPTION=VALUE of a method. Throws UsageError for an unknown option or value. Defined in methods.cpp.
void set_option(FitOptions& options, const std::string& name, const std::string& value, const std::string& method);

}  // namespace taut
