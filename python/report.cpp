#include <python/table.hpp>
#include <taut/report/report.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

void write(const Model& model, const PythonTable& table, const std::string& path, double confidence, const std::string& unit,
           const std::string& title, int threads, const Words& by, bool in_order, bool allow_empty) {
  ReportOptions options{.confidence = confidence,
                        .unit = unit,
                        .title = title,
                        .by = by,
                        .in_order = in_order,
                        .stream = {},
                        .allow_empty = allow_empty,
                        .model_file = {},
                        .report_file = {}};
  options.stream.allow_empty = allow_empty;
  work(threads, [&](const ExecutionContext& context) { write_report(model, table.view(), path, options, context); });
}

}  // namespace

void bind_report(nb::module_& module) {
  module.def("can_report", &can_report);
  module.def("write_report", &write, nb::arg("model"), nb::arg("table"), nb::arg("path"), nb::arg("confidence"), nb::arg("unit"),
             nb::arg("title"), nb::arg("threads") = 0, nb::arg("by") = Words(), nb::arg("in_order") = false,
             nb::arg("allow_empty") = false);
}

}  // namespace taut
