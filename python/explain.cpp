#include <python/arrays.hpp>
#include <python/table.hpp>
#include <taut/core/threads.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/explain/tree_shap.hpp>
#include <taut/task/number/regressor.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

nb::object as_dict(Attribution&& attribution) {
  const std::size_t rows = attribution.value.size();
  return dict_of("base", attribution.base, "total", as_array(std::move(attribution.value), {rows, 1}), "values",
                 matrix_as_array(std::move(attribution.shares)));
}

nb::dict explain(const Regressor& model, const PythonTable& table, double confidence, Index walks, std::uint64_t seed,
                 int threads) {
  Explanation explanation;
  Words notes;
  work(threads, [&](const ExecutionContext& context) {
    const Explainer explainer(model, {.confidence = confidence, .walks = walks, .seed = seed}, context);
    notes = explainer.notes();
    explanation = explainer.explain(table.view(), context);
  });
  nb::list translated_notes, ends;
  for (const auto& note : notes) translated_notes.append(in_python(note));
  for (Attribution& end : explanation.ends) ends.append(as_dict(std::move(end)));
  const auto or_none = [](std::optional<Attribution>& one) { return one ? as_dict(std::move(*one)) : nb::object(nb::none()); };
  return dict_of("columns", explanation.columns, "inputs", explanation.inputs, "prediction", or_none(explanation.prediction),
                 "width", or_none(explanation.width), "ends", ends, "cells", matrix_as_array(std::move(explanation.cells)),
                 "notes", translated_notes);
}

// Returns the shares (rows, inputs) and the base of trees that are given as arrays with one entry for each node; the nodes of all
// trees are concatenated. For comparisons with other packages.
nb::tuple tree_shares(const std::vector<Index>& sizes, const std::vector<std::int32_t>& left,
                      const std::vector<std::int32_t>& right, const std::vector<std::int32_t>& features,
                      const std::vector<bool>& missing_left, const std::vector<float>& values, const std::vector<float>& covers,
                      const Array<float, 2>& x, int threads) {
  const auto rows = static_cast<Index>(x.shape(0)), inputs = static_cast<Index>(x.shape(1));
  MatrixF cells(rows, inputs);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < inputs; ++j) cells(i, j) = x(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  Forest forest(inputs, 1);
  std::size_t at = 0;
  for (const Index size : sizes) {
    std::vector<TreeNode> tree;
    for (Index node = 0; node < size; ++node, ++at)
      tree.push_back({left.at(at), right.at(at), features.at(at), missing_left.at(at), values.at(at), covers.at(at)});
    forest.add_tree(tree);
  }
  Matrix shares = Matrix::Zero(rows, inputs);
  double base = 0;
  {
    const nb::gil_scoped_release no_lock;
    const TreeShap shap(forest, all_rows(inputs), inputs);
    shap.add(cells, 0, 1, shares, resolve_threads(threads));
    base = shap.base(0);
  }
  return nb::make_tuple(matrix_as_array(std::move(shares)), base);
}

}  // namespace

void bind_explain(nb::module_& module) {
  module.def("explain", &explain, nb::arg("model"), nb::arg("table"), nb::arg("confidence"), nb::arg("walks"), nb::arg("seed"),
             nb::arg("threads") = 0);
  module.def("tree_shares", &tree_shares, nb::arg("sizes"), nb::arg("left"), nb::arg("right"), nb::arg("features"),
             nb::arg("missing_left"), nb::arg("values"), nb::arg("covers"), nb::arg("x"), nb::arg("threads") = 0);
}

}  // namespace taut
