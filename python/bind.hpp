// What the files of the extension module taut._core share. Every file binds one idea and holds no logic.
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
void bind_explain(nb::module_& module);
void bind_assemble(nb::module_& module);
void bind_training(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_metrics(nb::module_& module);
void bind_report(nb::module_& module);
void bind_words(nb::module_& module);

// dict_of("name", name, "rows", 5): names and values in turn.
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

// Options as Python's keyword arguments: names with underscores, otherwise as taut/options/options.hpp has them. Options that are
// not named keep their default. An unknown name is a UsageError, a value of the wrong type a TypeError.
struct LabelOptions;
FitOptions options_from(const nb::dict& given);
LabelOptions class_options_from(const nb::dict& given);
nb::dict as_dict(const FitOptions& options);
nb::dict as_dict(const LabelOptions& options);

// "y_min" for y-min.
std::string python_name(std::string_view option);
// The keyword argument for an option of a fit ("random_state" for seed); empty for an option that Python has no parameter for,
// because the target and the predictions are arrays.
std::string parameter_name(std::string_view option);

// Messages of the library are worded for the command line. Options become keyword arguments: "--split: ..." is "split: ...",
// "--y-step 1" is "y_step=1", "--split cross" is "split='cross'", "--date 'when:dmy'" is "date=['when:dmy']". Commands become
// methods, and rows count from 0. Every message that leaves for Python goes through here.
std::string in_python(std::string_view message);

// Long work without Python's lock, which Ctrl-C stops. Calls task(run) on a thread of its own while this one asks Python for
// signals; a signal whose handler raises cancels the run and raises here once it has stopped. Returns what the run said.
Words work(int threads, const std::function<void(const ExecutionContext&)>& task);

}  // namespace taut
