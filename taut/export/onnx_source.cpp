// Writes a model as an ONNX graph. Trees compare the same numbers as in the library, so rows reach the same leaves. Leaves are
// added in double precision, while the library adds floats in order. The difference has a known bound; ends are moved outward by
// it. Only log s, by which trees of a curve split, is added as in the library.
#include <taut/export/exported.hpp>

#include <taut/core/text.hpp>
#include <taut/export/onnx_target.hpp>

namespace taut {

namespace {

std::string description_of(const Exported& model) {
  std::string text = "Made by Taut: " + model.description + ". Columns of cells (NaN: missing; categories by their number):";
  for (const Column& column : model.columns) {
    text += " '" + column.name + "'";
    if (column.is_categorical()) text += " (" + join(column.categories, " | ") + " | any other)";
    if (column.kind == ColumnKind::date) text += " (seconds since 1970-01-01, UTC)";
  }
  return text + ". Columns of lower and upper: confidence " + join(model.level_texts, ", ");
}

}  // namespace

// Outputs of several targets are named after them, as columns of `taut predict` are.
std::string onnx_bytes(const Exported& model) {
  OnnxGraph graph;
  OnnxMaths maths(graph);
  std::vector<std::pair<std::string, std::int64_t>> outputs;
  const auto add_output = [&](const std::string& made, const std::string& name, std::size_t columns) {
    graph.rename(made, name);
    outputs.emplace_back(name, static_cast<std::int64_t>(columns));
  };
  for (const ExportedTarget& target : model.targets) {
    const std::string of_target = model.has_one_target() ? "" : "_" + target.name;
    const OnnxPredicted prediction = onnx_prediction(target, maths);
    add_output(prediction.value, "prediction" + of_target, 1);
    if (model.levels.empty()) continue;
    const OnnxEnds ends = onnx_ends(target, prediction, maths);
    add_output(ends.lower, "lower" + of_target, model.levels.size());
    add_output(ends.upper, "upper" + of_target, model.levels.size());
  }
  return graph.finish({{"cells", static_cast<std::int64_t>(model.columns.size())}}, outputs, description_of(model),
                      {{"taut", onnx_metadata(model)}});
}

}  // namespace taut
