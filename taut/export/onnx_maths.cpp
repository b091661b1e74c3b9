#include <taut/export/onnx_maths.hpp>

namespace taut {

std::string OnnxMaths::inputs_of(const std::vector<ExportedInput>& inputs) {
  std::vector<std::string> columns;
  for (const ExportedInput& input : inputs) {
    std::string cell = graph_.columns("cells", {input.column});
    if (input.date_part >= 0) cell = date_part(cell, input.origin, input.date_part);
    const std::string is_nan = graph_.node("IsNaN", {cell});
    switch (input.kind) {
      case ExportedInput::Kind::number:
        columns.push_back(as_float(plus(cell, -input.offset)));
        break;
      case ExportedInput::Kind::standardised: {
        const std::string bad = op("Or", is_nan, graph_.node("IsInf", {cell}));
        const std::string safe = where(bad, graph_.constant(0), cell);
        const std::string value = plus(plus(safe, -input.offset), -input.centre);
        const std::string scaled =
            input.scale > 0 ? held(op("Div", value, graph_.constant(input.scale)), -1e9, 1e9) : times(value, 0);
        columns.push_back(as_float(where(bad, graph_.constant(0), scaled)));
        break;
      }
      case ExportedInput::Kind::known: {
        const std::string bad = op("Or", is_nan, graph_.node("IsInf", {cell}));
        columns.push_back(where(bad, graph_.constant(static_cast<double>(input.values[1])),
                                graph_.constant(static_cast<double>(input.values[0]))));
        break;
      }
      case ExportedInput::Kind::table: {
        const auto other = static_cast<double>(input.values.size() - 1);
        std::vector<double> table(input.values.begin(), input.values.end());
        table.push_back(static_cast<double>(input.if_missing));
        const std::string known =
            op("And", op("GreaterOrEqual", cell, graph_.constant(0)), op("Less", cell, graph_.constant(other)));
        const std::string place = where(is_nan, graph_.constant(other + 1), where(known, cell, graph_.constant(other)));
        const auto size = static_cast<std::int64_t>(table.size());
        columns.push_back(op("Gather", graph_.constant(table, {size}), graph_.cast(place, OnnxGraph::int64_type)));
        break;
      }
    }
  }
  return columns.size() == 1 ? columns.front() : graph_.concat(columns);
}

}  // namespace taut
