#include <taut/export/c_writer.hpp>

#include <taut/core/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace taut {

namespace {

std::vector<std::int32_t> children(const ExportedTrees& trees) {
  std::vector<std::int32_t> left;
  std::size_t at = 0;
  for (const std::int32_t size : trees.sizes) {
    std::int32_t child = 1;
    for (std::int32_t i = 0; i < size; ++i, ++at) {
      left.push_back(trees.features[at] < 0 ? 0 : child);
      if (trees.features[at] >= 0) child += 2;
    }
  }
  return left;
}

}  // namespace

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  std::string text = print_number(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string c_number(float value) {
  if (!std::isfinite(value)) return c_number(static_cast<double>(value));
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::string CWriter::forest(const ExportedTrees& trees) {
  std::vector<std::int32_t> features = trees.features;
  for (std::int32_t& feature : features) feature = std::max(feature, 0);
  const std::string sizes = array("int32_t", trees.sizes), left = array("int32_t", children(trees)),
                    feature = array("int32_t", features);
  const std::string missing_left = array("unsigned char", trees.missing_left), value = array("float", trees.values);
  const std::string name = fresh();
  data_ += "static const taut_trees " + name + " = {" + std::to_string(trees.sizes.size()) + ", " +
           std::to_string(trees.outputs) + ", " + sizes + ", " + left + ", " + feature + ", " + missing_left + ", " + value +
           "};\n";
  return name;
}

void CWriter::inputs(const std::vector<ExportedInput>& inputs, const std::string& name, std::size_t further) {
  line("float " + name + "[" + std::to_string(std::max<std::size_t>(1, inputs.size() + further)) + "];");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ExportedInput& input = inputs[i];
    std::string cell = "cells[" + std::to_string(input.column) + "]";
    if (input.date_part >= 0)
      cell = "taut_date_part(" + cell + ", " + c_number(input.origin) + ", " + std::to_string(input.date_part) + ")";
    std::string code;
    switch (input.kind) {
      case ExportedInput::Kind::number:
        code = "taut_to_float(" + cell + " - " + c_number(input.offset) + ")";
        break;
      case ExportedInput::Kind::standardised:
        code = "taut_standard(" + cell + ", " + c_number(input.offset) + ", " + c_number(input.centre) + ", " +
               c_number(input.scale) + ")";
        break;
      case ExportedInput::Kind::table:
        code = "taut_table(" + cell + ", " + array("float", input.values) + ", " + std::to_string(input.values.size() - 1) +
               ", " + c_number(input.if_missing) + ")";
        break;
      case ExportedInput::Kind::known:
        code = "isfinite(" + cell + ") ? " + c_number(input.values[0]) + " : " + c_number(input.values[1]);
        break;
    }
    line(name + "[" + std::to_string(i) + "] = " + code + ";");
  }
}

}  // namespace taut
