// Writes ONNX files, which are Protocol Buffers messages. Implements only what is needed for a graph.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// One Protocol Buffers message. A field has a number and holds a whole number or a sequence of bytes.
class ProtoMessage {
 public:
  void integer(int field, std::int64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(static_cast<std::uint64_t>(value));
  }
  void bytes(int field, std::string_view value) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(value.size());
    bytes_ += value;
  }
  void message(int field, const ProtoMessage& value) { bytes(field, value.bytes_); }
  void integers(int field, const std::vector<std::int64_t>& values) {
    ProtoMessage packed;
    for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
    bytes(field, packed.bytes_);
  }
  const std::string& text() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80U | (value & 0x7FU));
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Builds a graph. Nodes must be added in the order of computation; each call returns the name of the new value.
class OnnxGraph {
 public:
  enum Type { float_type = 1, int64_type = 7, double_type = 11 };

  std::string constant(const std::vector<double>& values, std::vector<std::int64_t> shape);
  std::string constant(double value) { return constant({value}, {}); }
  std::string floats(const std::vector<float>& values, std::vector<std::int64_t> shape);
  std::string integers(const std::vector<std::int64_t>& values);

  std::string node(const std::string& operation, const std::vector<std::string>& inputs) {
    return node(operation, inputs, {}, 1).front();
  }
  std::vector<std::string> node(const std::string& operation, const std::vector<std::string>& inputs,
                                std::vector<ProtoMessage> attributes, int outputs, const std::string& domain = "");
  std::string cast(const std::string& input, Type type) {
    return node("Cast", {input}, {attribute("to", std::int64_t{type})}, 1).front();
  }
  std::string concat(const std::vector<std::string>& inputs) {
    return node("Concat", inputs, {attribute("axis", std::int64_t{1})}, 1).front();
  }
  std::string columns(const std::string& input, const std::vector<std::int64_t>& which) {
    return node("Gather", {input, integers(which)}, {attribute("axis", std::int64_t{1})}, 1).front();
  }

  static ProtoMessage attribute(const std::string& name, std::int64_t value);
  static ProtoMessage attribute(const std::string& name, const std::string& value);
  static ProtoMessage attribute(const std::string& name, const std::vector<std::int64_t>& values);
  static ProtoMessage attribute(const std::string& name, const std::vector<std::string>& values);
  static ProtoMessage tensor_attribute(const std::string& name, const std::vector<double>& values);

  // Makes the value `made` an output called `name`.
  void rename(const std::string& made, const std::string& name) { last_nodes_.emplace_back(made, name); }
  // The bytes of the file. `inputs` and `outputs` are names and numbers of columns; all are doubles. `metadata`: keys and values.
  std::string finish(const std::vector<std::pair<std::string, std::int64_t>>& inputs,
                     const std::vector<std::pair<std::string, std::int64_t>>& outputs, const std::string& description,
                     const std::vector<std::pair<std::string, std::string>>& metadata = {});

 private:
  static ProtoMessage tensor(const std::string& name, Type type, const std::vector<std::int64_t>& shape, std::string_view raw);
  static ProtoMessage value_info(const std::string& name, std::int64_t columns);
  std::string fresh() { return "v" + std::to_string(count_++); }

  std::vector<ProtoMessage> nodes_, constants_;
  std::vector<std::pair<std::string, std::string>> last_nodes_;
  int count_ = 0;
};

}  // namespace taut
