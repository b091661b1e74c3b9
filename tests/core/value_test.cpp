#include <taut/core/value.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

// As text, for comparisons: fields in their order.
std::string text_of(const Value& value) {
  return value.visit([]<class T>(const T& content) -> std::string {
    if constexpr (std::is_same_v<T, std::monostate>) {
      return "null";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return "'" + content + "'";
    } else if constexpr (std::is_same_v<T, bool>) {
      return content ? "true" : "false";
    } else if constexpr (std::is_same_v<T, Matrix>) {
      return std::to_string(content.rows()) + " x " + std::to_string(content.cols());
    } else if constexpr (std::is_same_v<T, Value::List>) {
      std::string text = "[";
      for (const Value& item : content) text += text_of(item) + ",";
      return text + "]";
    } else if constexpr (std::is_same_v<T, Value::Object>) {
      std::string text = "{";
      for (std::size_t i = 0; i < content.names.size(); ++i) text += content.names[i] + ":" + text_of(content.values[i]) + ",";
      return text + "}";
    } else {
      return std::to_string(content);
    }
  });
}

TEST(Value, KeepsWhatItIsGiven) {
  Value value = Value::object({{"text", "one"},
                               {"truth", true},
                               {"whole", 3},
                               {"names", std::vector<std::string>{"a", "b"}},
                               {"nothing", {}},
                               {"matrix", Matrix(2, 3)}});
  EXPECT_EQ(text_of(value), "{text:'one',truth:true,whole:3,names:['a','b',],nothing:null,matrix:2 x 3,}");
  value.set("whole", 4);
  value.set("half", 0.5);
  EXPECT_EQ(text_of(value), "{text:'one',truth:true,whole:4,names:['a','b',],nothing:null,matrix:2 x 3,half:0.500000,}");
  EXPECT_EQ(text_of(value_list(std::vector<int>{1, 2},
                               [](int one) {
                                 return Value::object({{"is", one}});
                               })),
            "[{is:1,},{is:2,},]");
}

TEST(Value, MergesObjectsFieldByField) {
  Value value = Value::object({{"a", 1}, {"both", Value::object({{"x", 1}, {"y", 2}})}});
  value.merge(Value::object({{"both", Value::object({{"y", 3}, {"z", 4}})}, {"a", "text"}, {"b", 5}}));
  EXPECT_EQ(text_of(value), "{a:'text',both:{x:1,y:3,z:4,},b:5,}");
}

}  // namespace
}  // namespace taut
