#include <python/table.hpp>
#include <python/words.hpp>
#include <python/work.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/model/model.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

using Numbers = nb::ndarray<nb::numpy, double>;

// The array becomes the owner of the numbers.
nb::object as_array(Matrix&& matrix) {
  auto* raw = new Matrix(std::move(matrix));
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<Matrix*>(pointer); });
  return nb::cast(Numbers(raw->data(), {static_cast<std::size_t>(raw->rows()), static_cast<std::size_t>(raw->cols())}, owner));
}

nb::object as_dict(Attribution&& attribution) {
  nb::dict result;
  Matrix values = Eigen::Map<const Matrix>(attribution.value.data(), std::ssize(attribution.value), 1);
  result["base"] = attribution.base;
  result["total"] = as_array(std::move(values));
  result["values"] = as_array(std::move(attribution.shares));
  return result;
}

nb::dict explain(const Model& model, const PythonTable& table, double confidence, Index walks, std::uint64_t seed, int threads) {
  Explanation explanation;
  std::vector<std::string> said, notes;
  work(threads, said, [&](const ExecutionContext& context) {
    const Explainer explainer(model, {.confidence = confidence, .walks = walks, .seed = seed}, context);
    notes = explainer.notes();
    explanation = explainer.explain(table.view(), context);
  });
  nb::dict result;
  nb::list said_notes, ends;
  for (const auto& note : notes) said_notes.append(in_python(note));
  for (Attribution& end : explanation.ends) ends.append(as_dict(std::move(end)));
  result["columns"] = explanation.columns;
  result["inputs"] = explanation.inputs;
  result["prediction"] = explanation.prediction ? as_dict(std::move(*explanation.prediction)) : nb::object(nb::none());
  result["width"] = explanation.width ? as_dict(std::move(*explanation.width)) : nb::object(nb::none());
  result["ends"] = ends;
  result["cells"] = as_array(std::move(explanation.cells));
  result["notes"] = said_notes;
  return result;
}

}  // namespace

void bind_explain(nb::module_& module) {
  module.def("explain", &explain, nb::arg("model"), nb::arg("table"), nb::arg("confidence"), nb::arg("walks"), nb::arg("seed"),
             nb::arg("threads") = 0);
}

}  // namespace taut
