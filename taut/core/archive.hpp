// The content of a model file: named, typed values, with names like paths. docs/model-file.md specifies the bytes.
//
// Every part of a model writes its values with put() under its own scope and reads them with the getters, which check presence
// and type. decode() checks every length against the bytes that exist, so no part reads an unchecked length.
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
  // A file stores the type of a value as its position in this list: never reorder the alternatives, only append.
  using Value = std::variant<double, std::int64_t, std::string, Texts, std::vector<std::uint8_t>, std::vector<std::int32_t>,
                             std::vector<std::int64_t>, std::vector<float>, std::vector<double>, MatrixF, Matrix>;

  Archive() : values_(std::make_shared<Values>()) {}

  // A handle to the same archive whose names all start with `name/`.
  Archive scope(std::string_view name) const;

  void put(std::string_view name, Value value);
  bool has(std::string_view name) const;
  bool has_scope(std::string_view name) const;

  // These throw Error if the name is absent or the value has another type; integer_in() also if it is out of range.
  double number(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  std::int64_t integer_in(std::string_view name, std::int64_t minimum, std::int64_t maximum) const;
  const std::string& text(std::string_view name) const;
  const Texts& texts(std::string_view name) const;
  template <class T>
  const T& get(std::string_view name) const {
    const Value& value = find(name);
    if (const T* typed = std::get_if<T>(&value)) return *typed;
    throw_wrong_type(name);
  }

  // The names in this scope, without its prefix, sorted.
  std::vector<std::string> names() const;

  // All values of the whole archive as bytes, and back. decode() never reads beyond `bytes` and allocates at most a small
  // multiple of their number. It throws Error if the bytes are damaged.
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
