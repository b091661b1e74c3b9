#include <python/bind.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/named_columns.hpp>
#include <taut/task/label/label_options.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

namespace taut {

namespace {

template <class T>
const char* expected() {
  if constexpr (std::is_same_v<T, std::string>) return "a text";
  if constexpr (std::is_same_v<T, double>) return "a number";
  if constexpr (std::is_same_v<T, bool>) return "True or False";
  if constexpr (std::is_same_v<T, Index>) return "a whole number";
  if constexpr (std::is_same_v<T, std::vector<Index>>) return "a sequence of whole numbers";
  return "a sequence of texts";
}

template <class T>
void read(const std::string& name, nb::handle given, T& value) {
  // bool is a subtype of int in Python, but True is not meant as the number 1.
  if (!PyBool_Check(given.ptr()) && nb::try_cast(given, value)) return;
  const std::string got = nb::cast<std::string>(nb::repr(given));
  throw nb::type_error(format_text("{} takes {}, got {}", name, expected<T>(), got).c_str());
}

void read(const std::string& name, nb::handle given, Index& value) {
  if (!PyBool_Check(given.ptr()) && PyIndex_Check(given.ptr())) {
    value = PyNumber_AsSsize_t(given.ptr(), PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return;
  }
  read<Index>(name, given, value);
}

void read(const std::string& name, nb::handle given, bool& value) {
  if (!nb::try_cast(given, value))
    throw nb::type_error(format_text("{} takes True or False, got {}", name, nb::cast<std::string>(nb::repr(given))).c_str());
}

nb::list listed_options() {
  nb::list result;
  const FitOptions defaults;
  for_each_option(defaults, [&](const OptionText& text, const auto& value) {
    result.append(dict_of("name", python_name(text.name), "parameter", parameter_name(text.name), "value", text.value, "help",
                          in_python(text.help), "default", value));
  });
  return result;
}

// Reads all given options. for_each(visit) must call visit(OptionText, member) for every option.
template <class ForEach>
void read_all(const nb::dict& given, const ForEach& for_each) {
  Words names;
  for_each([&](const OptionText& text, auto& value) {
    names.push_back(python_name(text.name));
    const nb::str name(names.back().c_str());
    if (given.contains(name)) read(names.back(), given[name], value);
  });
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(nb::str(key));
    if (std::find(names.begin(), names.end(), name) == names.end()) throw UsageError(unknown_name("option", name, names));
  }
}

}  // namespace

FitOptions options_from(const nb::dict& given) {
  FitOptions options;
  read_all(given, [&](const auto& visit) { for_each_option(options, visit); });
  options.check();
  return options;
}

LabelOptions class_options_from(const nb::dict& given) {
  LabelOptions options;
  options.task = "classification";
  read_all(given, [&](const auto& visit) { for_each_label_option(options, visit); });
  return options;
}

nb::dict as_dict(const FitOptions& options) {
  nb::dict result;
  for_each_option(options, [&](const OptionText& text, const auto& value) { result[python_name(text.name).c_str()] = value; });
  return result;
}

nb::dict as_dict(const LabelOptions& options) {
  nb::dict result;
  for_each_label_option(options,
                        [&](const OptionText& text, const auto& value) { result[python_name(text.name).c_str()] = value; });
  return result;
}

namespace {

void check_columns(const std::string& source, const Words& names, const nb::dict& options) {
  TableView table(source, 0);
  for (const auto& name : names) table.add(Column{name}, std::vector<double>());
  check_named_columns(table, options_from(options));
}

}  // namespace

void bind_options(nb::module_& module) {
  module.def("check_columns", &check_columns, nb::arg("source"), nb::arg("names"), nb::arg("options"),
             "Raises an error that lists all columns that the options name and the table lacks.");
  module.def("options", &listed_options,
             "Every option of a fit: its name, its parameter in Python (empty: none), value, help and default.");
}

}  // namespace taut
