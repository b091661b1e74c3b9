// Files of other libraries as trees of values: JSON, and UBJSON as XGBoost writes it. The files are not trusted: depth and number
// of values are limited, so that memory stays a small multiple of the file size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <taut/foreign/foreign_model.hpp>

namespace taut {

class Document {
 public:
  // Parses `bytes`, which must outlive the document. An Error if they are not valid.
  static Document of_json(std::string_view bytes);
  static Document of_ubjson(std::string_view bytes);

  bool is_list() const { return kind_ == Kind::list; }
  bool is_text() const { return kind_ == Kind::text; }

  // A member of an object. If it is absent, find returns nullptr, and at throws an Error that names it.
  const Document* find(std::string_view name) const;
  const Document& at(std::string_view name) const;
  // The items of a list that holds more than numbers.
  const std::vector<Document>& items(std::string_view what) const;
  const std::string& text(std::string_view what) const;
  // A number, or a text that holds a number: XGBoost writes parameters as texts.
  double number(std::string_view what) const;
  std::int64_t integer(std::string_view what) const;
  // A list of numbers. Floats are parsed as floats: going through a double would round twice.
  std::vector<double> doubles(std::string_view what) const;
  std::vector<float> floats(std::string_view what) const;
  std::vector<std::int64_t> integers(std::string_view what) const;

 private:
  friend class DocumentBuilder;
  enum class Kind : std::uint8_t { nothing, boolean, number, text, numbers, list, object };
  explicit Document(Kind kind = Kind::nothing, double number = 0) : kind_(kind), number_(number) {}

  template <class T>
  std::vector<T> all(std::string_view what) const;
  template <class T>
  void add_from_text(std::vector<T>& out, std::string_view what) const;

  Kind kind_;
  double number_;
  std::string_view raw_;         // of a list of numbers in JSON, which is parsed on demand
  std::vector<double> numbers_;  // of a list of numbers in UBJSON
  std::string text_;
  std::vector<Document> items_;     // of another list, or of an object
  std::vector<std::string> names_;  // of an object's members
};

ForeignModel read_xgboost(const Document& document);
ForeignModel read_lightgbm(std::string_view text);
ForeignModel read_catboost(const Document& document);

// Throws "XGBoost's objective 'binary:logistic' ...", for a model of another task.
[[noreturn]] void refuse_objective(const std::string& library, const std::string& objective, const std::string& why);

// A set of categories as bits.
std::vector<std::uint32_t> set_of(const std::vector<std::int64_t>& categories);

}  // namespace taut
