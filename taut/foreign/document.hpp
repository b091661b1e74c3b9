// Files of other libraries as values in a tree: JSON, and UBJSON as XGBoost writes it. Nothing in them is trusted: depth and
// number of values are limited, so that memory stays a small multiple of the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

class Document {
 public:
  // What was parsed refers to `bytes`, which must live as long. An Error says where the text is no such document.
  static Document of_json(std::string_view bytes);
  static Document of_ubjson(std::string_view bytes);

  bool is_object() const { return kind_ == Kind::object; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_text() const { return kind_ == Kind::text; }

  // A member of an object: nullptr where it is absent; or an Error that names it.
  const Document* find(std::string_view name) const;
  const Document& at(std::string_view name) const;
  // The items of a list (also of one that holds numbers, which then has none to show).
  const std::vector<Document>& items(std::string_view what) const;
  const std::string& text(std::string_view what) const;
  // A number, or a text that holds one: XGBoost writes parameters so.
  double number(std::string_view what) const;
  std::int64_t integer(std::string_view what) const;
  // A list of numbers. Floats are read as floats: a double between would round twice.
  std::vector<double> doubles(std::string_view what) const;
  std::vector<float> floats(std::string_view what) const;
  std::vector<std::int64_t> integers(std::string_view what) const;

 private:
  friend class JsonParser;
  friend class UbjsonParser;
  enum class Kind : std::uint8_t { nothing, boolean, number, text, numbers, list, object };

  template <class T>
  std::vector<T> all(std::string_view what) const;
  template <class T>
  void add_from_text(std::vector<T>& out, std::string_view what) const;
  template <class T>
  void add_from_bytes(std::vector<T>& out) const;

  Kind kind_ = Kind::nothing;
  char type_ = 0;            // of the numbers: 'j' is JSON text, others are UBJSON's
  double number_ = 0;
  std::string_view bytes_;   // of the numbers
  std::string text_;
  std::vector<Document> items_;      // of a list or an object
  std::vector<std::string> names_;   // of an object's members
};

// Counts values and depth while a document is parsed.
class DocumentLimits {
 public:
  explicit DocumentLimits(std::size_t bytes) : left_(1000 + bytes / 8) {}
  void count();
  void enter();
  void leave() { --depth_; }

 private:
  std::size_t left_;
  int depth_ = 0;
};

}  // namespace taut
