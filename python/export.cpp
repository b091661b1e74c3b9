// Models as C, ONNX and JSON files.
#include <python/bind.hpp>
#include <taut/core/file.hpp>
#include <taut/export/exported.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void write_formula(const Model& model, const std::string& path, bool as_onnx, const std::vector<double>& levels,
                   const Words& texts, const std::string& function) {
  const Exported plain = exported(model, levels, texts);
  write_file(path, as_onnx ? onnx_bytes(plain) : c_source(plain, function));
}

}  // namespace

void bind_export(nb::module_& module) {
  module.def("export_formula", &write_formula, nb::arg("model"), nb::arg("path"), nb::arg("as_onnx"), nb::arg("levels"),
             nb::arg("texts"), nb::arg("function"));
  module.def(
      "export_json", [](const Model& model, const std::string& path) { write_file(path, json_of_file(model.to_bytes())); },
      nb::arg("model"), nb::arg("path"));
}

}  // namespace taut
