#include <taut/export/c_writer.hpp>

#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

namespace taut {

namespace {

std::vector<std::int32_t> children(const DescribedTrees& trees) {
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

std::string c_operation(Formula::Op op, const std::string& a, const std::string& b, const std::string& c) {
  using Op = Formula::Op;
  static const std::map<Op, std::string> between = {
      {Op::add, " + "}, {Op::subtract, " - "}, {Op::multiply, " * "}, {Op::divide, " / "}};
  static const std::map<Op, std::string> before = {{Op::abs, "fabs"}, {Op::sqrt, "sqrt"}, {Op::exp, "exp"}, {Op::log, "log"}};
  if (const auto found = between.find(op); found != between.end()) return a + found->second + b;
  if (const auto found = before.find(op); found != before.end()) return found->second + "(" + a + ")";
  if (op == Op::if_negative) return a + " < 0 ? " + b + " : " + c;
  return op == Op::min ? b + " < " + a + " ? " + b + " : " + a : a + " < " + b + " ? " + b + " : " + a;
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

std::string CWriter::forest(const DescribedTrees& trees) {
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

std::string CWriter::formula(const Formula& formula, const std::vector<std::string>& variables) {
  std::map<const Formula::Node*, std::string> known;
  const std::function<std::string(const Formula&)> write = [&](const Formula& part) -> std::string {
    const auto& node = part.node();
    if (node.op == Formula::Op::constant) return c_number(node.constant);
    if (node.op == Formula::Op::variable) return variables[static_cast<std::size_t>(node.variable)];
    if (const auto found = known.find(&node); found != known.end()) return found->second;
    std::array<std::string, 3> of;
    for (std::size_t i = 0; i < node.of.size(); ++i) of[i] = write(node.of[i]);
    const std::string name = fresh();
    line("const double " + name + " = " + c_operation(node.op, of[0], of[1], of[2]) + ";");
    return known[&node] = name;
  };
  return write(formula);
}

void CWriter::inputs(const std::vector<DescribedInput>& inputs, const std::string& name, std::size_t further) {
  line("float " + name + "[" + std::to_string(std::max<std::size_t>(1, inputs.size() + further)) + "];");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const DescribedInput& input = inputs[i];
    std::string cell = "cells[" + std::to_string(input.column) + "]";
    if (input.date_part >= 0)
      cell = "taut_date_part(" + cell + ", " + c_number(input.origin) + ", " + std::to_string(input.date_part) + ")";
    if (input.orders_infinite) cell = "(isnan(" + cell + ") ? " + cell + " : taut_held(" + cell + ", -1e290, 1e290))";
    std::string code;
    switch (input.kind) {
      case DescribedInput::Kind::number:
        code = "taut_to_float(" + cell + " - " + c_number(input.offset) + ")";
        break;
      case DescribedInput::Kind::standardised:
        code = "taut_standard(" + cell + ", " + c_number(input.offset) + ", " + c_number(input.centre) + ", " +
               c_number(input.scale) + ")";
        break;
      case DescribedInput::Kind::table:
        code = "taut_table(" + cell + ", " + array("float", input.values) + ", " + std::to_string(input.values.size() - 1) +
               ", " + c_number(input.if_missing) + ")";
        break;
      case DescribedInput::Kind::known:
        code = "isfinite(" + cell + ") ? " + c_number(input.values[0]) + " : " + c_number(input.values[1]);
        break;
    }
    line(name + "[" + std::to_string(i) + "] = " + code + ";");
  }
}

}  // namespace taut
