// Named, typed arrays in a flat tree: what a model file holds. The bytes are specified in docs/model-file.md.
//
// Every part of a model writes itself with put() under a scope of its own and reads itself with the getters, which check
// presence, type and shape; so no part ever sees a length that was not checked against the bytes that are really there.
#pragma once

#include <taut/core/types.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace taut {

class Archive {
 public:
  using Texts = std::vector<std::string>;
  // In a file the type of a value is its position here: never reorder the alternatives, only append.
  using Value = std::variant<double, std::int64_t, std::string, Texts, std::vector<std::uint8_t>, std::vector<std::int32_t>,
                             std::vector<std::int64_t>, std::vector<float>, std::vector<double>, MatrixF, Matrix>;

  Archive() : values_(std::make_shared<Values>()) {}

  // A handle to the same archive whose names all start with `name/`.
  Archive scope(std::string_view name) const;

  void put(std::string_view name, Value value);
  bool has(std::string_view name) const;
  bool has_scope(std::string_view name) const;

  // Throw Error when the name is absent or holds another type.
  double number(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  std::int64_t integer_in(std::string_view name, std::int64_t least, std::int64_t most) const;
  const std::string& text(std::string_view name) const;
  const Texts& texts(std::string_view name) const;
  template <class T>
  const T& get(std::string_view name) const {
    const Value& value = find(name);
    if (const T* typed = std::get_if<T>(&value)) return *typed;
    throw_wrong_type(name);
  }

  // The names below this scope, without its prefix, in order.
  std::vector<std::string> names() const;

  // All values of the whole archive as bytes, and back. `decode` never reads beyond `bytes` and never allocates more than
  // a small multiple of their number.
  std::string encode() const;
  static Archive decode(std::string_view bytes);

 private:
  using Values = std::map<std::string, Value, std::less<>>;
  Archive(std::shared_ptr<Values> values, std::string prefix) : values_(std::move(values)), prefix_(std::move(prefix)) {}
  const Value& find(std::string_view name) const;
  [[noreturn]] void throw_wrong_type(std::string_view name) const;

  std::shared_ptr<Values> values_;
  std::string prefix_;
};

}  // namespace taut
