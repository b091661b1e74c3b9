#include <taut/foreign/document.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <fast_float/fast_float.h>

namespace taut {

class JsonParser {
 public:
  explicit JsonParser(std::string_view bytes) : start_(bytes.data()), at_(start_), end_(start_ + bytes.size()), limits_(bytes.size()) {}

  Document document() {
    Document result = value();
    skip();
    if (at_ != end_) fail("something follows the end");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("no JSON at byte " + print_count(at_ - start_) + ": " + what + "; the file is damaged or cut off");
  }

  void skip() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  char next() {
    skip();
    if (at_ == end_) fail("it ends too early");
    return *at_;
  }

  bool takes(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  bool takes(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Document value() {
    limits_.count();
    const char first = next();
    if (first == '{') return object();
    if (first == '[') return list();
    Document result;
    if (first == '"') {
      result.kind_ = Document::Kind::text;
      result.text_ = text();
    } else if (takes("true")) {
      result.kind_ = Document::Kind::boolean;
      result.number_ = 1;
    } else if (takes("false")) {
      result.kind_ = Document::Kind::boolean;
    } else if (!takes("null")) {
      result.kind_ = Document::Kind::number;
      const auto read = fast_float::from_chars(at_, end_, result.number_);
      if (read.ec == std::errc::invalid_argument || read.ptr == at_) fail("expected a value");
      at_ = read.ptr;
    }
    return result;
  }

  Document object() {
    Document result;
    result.kind_ = Document::Kind::object;
    limits_.enter();
    ++at_;
    if (!takes('}')) {
      do {
        if (next() != '"') fail("expected a name");
        result.names_.push_back(text());
        if (!takes(':')) fail("expected ':'");
        result.items_.push_back(value());
      } while (takes(','));
      if (!takes('}')) fail("expected ',' or '}'");
    }
    limits_.leave();
    return result;
  }

  // Most lists hold numbers alone and are long: they stay text until they are asked for.
  bool takes_numbers(Document& list) {
    const char* from = at_;
    const char* to = from;
    while (to < end_ && is_of_number(*to)) ++to;
    if (to == end_ || *to != ']' || to == from) return false;
    list.kind_ = Document::Kind::numbers;
    list.type_ = 'j';
    list.bytes_ = {from, static_cast<std::size_t>(to - from)};
    at_ = to + 1;
    return true;
  }

  static bool is_of_number(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E' || c == ',' || c == ' ' || c == '\n' ||
           c == '\r' || c == '\t' || c == 'N' || c == 'a' || c == 'I' || c == 'n' || c == 'f' || c == 'i' || c == 't' || c == 'y';
  }

  Document list() {
    Document result;
    result.kind_ = Document::Kind::list;
    limits_.enter();
    ++at_;
    if (!takes(']') && !takes_numbers(result)) {
      do result.items_.push_back(value());
      while (takes(','));
      if (!takes(']')) fail("expected ',' or ']'");
    }
    limits_.leave();
    return result;
  }

  std::string text() {
    std::string result;
    ++at_;
    while (true) {
      if (at_ == end_) fail("a text has no end");
      const char c = *at_++;
      if (c == '"') return result;
      if (c == '\\')
        add_escape(result);
      else
        result += c;
    }
  }

  unsigned hex() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      if (at_ == end_) fail("a text has no end");
      const char c = lower_case(*at_++);
      if (c >= '0' && c <= '9')
        code = 16 * code + static_cast<unsigned>(c - '0');
      else if (c >= 'a' && c <= 'f')
        code = 16 * code + static_cast<unsigned>(c - 'a') + 10;
      else
        fail("a character in a text is no hexadecimal number");
    }
    return code;
  }

  void add_escape(std::string& out) {
    if (at_ == end_) fail("a text has no end");
    const char c = *at_++;
    switch (c) {
      case 'n': out += '\n'; return;
      case 't': out += '\t'; return;
      case 'r': out += '\r'; return;
      case 'b': out += '\b'; return;
      case 'f': out += '\f'; return;
      case 'u': break;
      default: out += c; return;
    }
    unsigned code = hex();
    if (code >= 0xD800 && code < 0xDC00 && takes("\\u")) code = 0x10000 + ((code - 0xD800) << 10) + ((hex() - 0xDC00) & 0x3FFU);
    add_utf8(out, code);
  }

  static void add_utf8(std::string& out, unsigned code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0U | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0U | (code >> 12));
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xF0U | ((code >> 18) & 7U));
      tail(12);
      tail(6);
      tail(0);
    }
  }

  const char* start_;
  const char* at_;
  const char* end_;
  DocumentLimits limits_;
};

Document Document::of_json(std::string_view bytes) { return JsonParser(bytes).document(); }

}  // namespace taut
