// Declarations that the files of the extension module taut._core share. Each file binds one part of the library and has no logic.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/options/options.hpp>

#include <nanobind/nanobind.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

namespace nb = nanobind;

using Words = std::vector<std::string>;

void bind_options(nb::module_& module);
void bind_table(nb::module_& module);
void bind_look(nb::module_& module);
void bind_foreign(nb::module_& module);
void bind_model(nb::module_& module);
void bind_regressor(nb::module_& module);
void bind_classifier(nb::module_& module);
void bind_several(nb::module_& module);
void bind_explain(nb::module_& module);
void bind_assemble(nb::module_& module);
void bind_training(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_metrics(nb::module_& module);
void bind_report(nb::module_& module);
void bind_export(nb::module_& module);
void bind_words(nb::module_& module);

// A dict from alternating names and values: dict_of("name", name, "rows", 5).
inline void add_to(nb::dict&) {}
template <class Value, class... More>
void add_to(nb::dict& dict, const char* name, const Value& value, const More&... more) {
  dict[name] = value;
  add_to(dict, more...);
}
template <class... Pairs>
nb::dict dict_of(const Pairs&... pairs) {
  nb::dict result;
  add_to(result, pairs...);
  return result;
}

// Options from keyword arguments of Python: names have underscores instead of hyphens. Options that are not given keep their
// default. Throws UsageError for an unknown name and TypeError for a value of the wrong type.
struct LabelOptions;
FitOptions options_from(const nb::dict& given);
LabelOptions class_options_from(const nb::dict& given);
nb::dict as_dict(const FitOptions& options);
nb::dict as_dict(const LabelOptions& options);

// The name of an option in Python: "y_min" for "y-min".
std::string python_name(std::string_view option);
// The keyword argument for an option of a fit ("random_state" for "seed"). Empty for the target and the predictions, which are
// arrays in Python.
std::string parameter_name(std::string_view option);

// Translates a message of the library, which names options of the command line. Options become keyword arguments: "--split: ..."
// is "split: ...", "--y-step 1" is "y_step=1", "--split cross" is "split='cross'", "--date 'when:dmy'" is "date=['when:dmy']".
// Commands become methods, and rows are counted from 0. Every message to Python must be translated by this function.
std::string in_python(std::string_view message);

// Runs long work without the GIL, so that Ctrl-C can stop it. Calls task(context) on a second thread, while this thread lets
// Python handle signals. If a signal handler raises, the task is cancelled, and the exception is thrown here when the task has
// stopped. Returns the messages of the task.
Words work(int threads, const std::function<void(const ExecutionContext&)>& task);

}  // namespace taut
