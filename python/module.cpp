// The extension module taut._core: the functions of the library that the Python package python/taut needs.
#include <python/bind.hpp>

#include <taut/core/error.hpp>
#include <taut/core/version.hpp>

#include <nanobind/stl/string.h>

#include <exception>
#include <string>

namespace taut {
namespace {

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, in_python(error.what()).c_str());
  }
}

}  // namespace
}  // namespace taut

NB_MODULE(_core, module) {
  // Objects that live until the interpreter ends, such as a fitted model in a global, are not leaks to warn of.
  taut::nb::set_leak_warnings(false);
  module.attr("__version__") = std::string(taut::version);
  taut::nb::register_exception_translator(taut::translate, nullptr);
  taut::bind_options(module);
  taut::bind_table(module);
  taut::bind_look(module);
  taut::bind_foreign(module);
  taut::bind_model(module);
  taut::bind_regressor(module);
  taut::bind_classifier(module);
  taut::bind_several(module);
  taut::bind_explain(module);
  taut::bind_assemble(module);
  taut::bind_training(module);
  taut::bind_ranks(module);
  taut::bind_metrics(module);
  taut::bind_report(module);
  taut::bind_export(module);
  taut::bind_words(module);
}
