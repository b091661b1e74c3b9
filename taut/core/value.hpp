// Results for programs: named values, texts, numbers and lists of them. The command line writes them as JSON, Python returns
// dicts.
#pragma once

#include <taut/core/types.hpp>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace taut {

class Value {
 public:
  using List = std::vector<Value>;
  struct Object {
    std::vector<std::string> names;  // in the order in which they were set
    std::vector<Value> values;
  };
  using Field = std::pair<std::string_view, Value>;

  Value() = default;  // unknown: null, None
  Value(bool truth) : content_(truth) {}
  template <std::integral Whole>
  Value(Whole number) : content_(static_cast<std::int64_t>(number)) {}
  Value(double number) : content_(number) {}  // NaN: not defined
  Value(std::string text) : content_(std::move(text)) {}
  Value(std::string_view text) : content_(std::string(text)) {}
  Value(const char* text) : content_(std::string(text)) {}
  Value(Matrix numbers) : content_(std::move(numbers)) {}
  template <class Item>
  Value(const std::vector<Item>& items) : content_(List(items.begin(), items.end())) {}
  static Value object(std::initializer_list<Field> fields = {}) {
    Value result;
    result.content_ = Object();
    for (const auto& [name, value] : fields) result.set(name, value);
    return result;
  }

  // Sets a field of an object. An existing field gets the new value.
  void set(std::string_view name, Value value) {
    if (Value* const existing = find(name)) {
      *existing = std::move(value);
      return;
    }
    auto& [names, values] = std::get<Object>(content_);
    names.emplace_back(name);
    values.push_back(std::move(value));
  }

  // Sets all fields of another object. A field that is an object in both is merged recursively.
  void merge(const Value& other) {
    const auto& [names, values] = std::get<Object>(other.content_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      Value* const existing = find(names[i]);
      if (existing != nullptr && std::holds_alternative<Object>(existing->content_) &&
          std::holds_alternative<Object>(values[i].content_))
        existing->merge(values[i]);
      else
        set(names[i], values[i]);
    }
  }

  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), content_);
  }

 private:
  Value* find(std::string_view name) {
    auto& [names, values] = std::get<Object>(content_);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return &values[i];
    return nullptr;
  }

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Matrix, List, Object> content_;
};

// The list of describe(item) for all items.
template <class Items, class Describe>
Value value_list(const Items& items, Describe describe) {
  Value::List list;
  for (const auto& item : items) list.push_back(describe(item));
  return list;
}

}  // namespace taut
