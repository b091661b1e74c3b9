#include <taut/export/onnx_writer.hpp>

#include <taut/core/version.hpp>

namespace taut {

namespace {

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little, "ONNX stores numbers in little-endian order");
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

enum AttributeType { integer_attribute = 2, text_attribute = 3, tensor_kind = 4, integers_attribute = 7, texts_attribute = 8 };

ProtoMessage named(const std::string& name, AttributeType type) {
  ProtoMessage attribute;
  attribute.bytes(1, name);
  attribute.integer(20, type);
  return attribute;
}

}  // namespace

ProtoMessage OnnxGraph::tensor(const std::string& name, Type type, const std::vector<std::int64_t>& shape, std::string_view raw) {
  ProtoMessage result;
  if (!shape.empty()) result.integers(1, shape);
  result.integer(2, type);
  result.bytes(8, name);
  result.bytes(9, raw);
  return result;
}

std::string OnnxGraph::constant(const std::vector<double>& values, std::vector<std::int64_t> shape) {
  const std::string name = fresh();
  constants_.push_back(tensor(name, double_type, shape, raw_bytes(values)));
  return name;
}

std::string OnnxGraph::floats(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  const std::string name = fresh();
  constants_.push_back(tensor(name, float_type, shape, raw_bytes(values)));
  return name;
}

std::string OnnxGraph::integers(const std::vector<std::int64_t>& values) {
  const std::string name = fresh();
  constants_.push_back(tensor(name, int64_type, {static_cast<std::int64_t>(values.size())}, raw_bytes(values)));
  return name;
}

std::vector<std::string> OnnxGraph::node(const std::string& operation, const std::vector<std::string>& inputs,
                                         std::vector<ProtoMessage> attributes, int outputs, const std::string& domain) {
  ProtoMessage node;
  std::vector<std::string> made;
  for (const auto& input : inputs) node.bytes(1, input);
  for (int i = 0; i < outputs; ++i) {
    made.push_back(fresh());
    node.bytes(2, made.back());
  }
  node.bytes(4, operation);
  for (const auto& attribute : attributes) node.message(5, attribute);
  if (!domain.empty()) node.bytes(7, domain);
  nodes_.push_back(std::move(node));
  return made;
}

ProtoMessage OnnxGraph::attribute(const std::string& name, std::int64_t value) {
  ProtoMessage result = named(name, integer_attribute);
  result.integer(3, value);
  return result;
}

ProtoMessage OnnxGraph::attribute(const std::string& name, const std::string& value) {
  ProtoMessage result = named(name, text_attribute);
  result.bytes(4, value);
  return result;
}

ProtoMessage OnnxGraph::attribute(const std::string& name, const std::vector<std::int64_t>& values) {
  ProtoMessage result = named(name, integers_attribute);
  result.integers(8, values);
  return result;
}

ProtoMessage OnnxGraph::attribute(const std::string& name, const std::vector<std::string>& values) {
  ProtoMessage result = named(name, texts_attribute);
  for (const auto& value : values) result.bytes(9, value);
  return result;
}

ProtoMessage OnnxGraph::tensor_attribute(const std::string& name, const std::vector<double>& values) {
  ProtoMessage result = named(name, tensor_kind);
  result.message(5, tensor(name, double_type, {static_cast<std::int64_t>(values.size())}, raw_bytes(values)));
  return result;
}

// A matrix of doubles with any number of rows.
ProtoMessage OnnxGraph::value_info(const std::string& name, std::int64_t columns) {
  ProtoMessage rows, width, shape, tensor_type, type, info;
  rows.bytes(2, "rows");
  width.integer(1, columns);
  shape.message(1, rows);
  shape.message(1, width);
  tensor_type.integer(1, double_type);
  tensor_type.message(2, shape);
  type.message(1, tensor_type);
  info.bytes(1, name);
  info.message(2, type);
  return info;
}

std::string OnnxGraph::finish(const std::vector<std::pair<std::string, std::int64_t>>& inputs,
                              const std::vector<std::pair<std::string, std::int64_t>>& outputs, const std::string& description,
                              const std::vector<std::pair<std::string, std::string>>& metadata) {
  for (const auto& [made, name] : last_nodes_) {
    ProtoMessage node;
    node.bytes(1, made);
    node.bytes(2, name);
    node.bytes(4, "Identity");
    nodes_.push_back(std::move(node));
  }
  ProtoMessage graph;
  for (const auto& node : nodes_) graph.message(1, node);
  graph.bytes(2, "taut");
  for (const auto& constant : constants_) graph.message(5, constant);
  for (const auto& [name, columns] : inputs) graph.message(11, value_info(name, columns));
  for (const auto& [name, columns] : outputs) graph.message(12, value_info(name, columns));
  ProtoMessage model, main_set, trees_set;
  model.integer(1, 8);  // version of the file format (IR version)
  model.bytes(2, "taut");
  model.bytes(3, version);
  model.bytes(6, description);
  model.message(7, graph);
  main_set.bytes(1, "");
  main_set.integer(2, 17);
  trees_set.bytes(1, "ai.onnx.ml");
  trees_set.integer(2, 3);
  model.message(8, main_set);
  model.message(8, trees_set);
  for (const auto& [key, value] : metadata) {
    ProtoMessage entry;
    entry.bytes(1, key);
    entry.bytes(2, value);
    model.message(14, entry);
  }
  return model.text();
}

}  // namespace taut
