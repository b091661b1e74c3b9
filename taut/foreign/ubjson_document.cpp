// Universal Binary JSON, big-endian: the part of it that XGBoost writes, with sizes and types of lists in front.
#include <taut/foreign/document.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

namespace taut {

class UbjsonParser {
 public:
  explicit UbjsonParser(std::string_view bytes) : bytes_(bytes), limits_(bytes.size()) {}

  Document document() { return value(take()); }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("no UBJSON at byte " + print_count(static_cast<long long>(at_)) + ": " + what + "; the file is damaged or cut off");
  }

  std::size_t left() const { return bytes_.size() - at_; }

  std::string_view take(std::uint64_t count) {
    if (count > left()) fail("it ends too early");
    const auto result = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return result;
  }
  char take() { return take(1).front(); }
  char peek() const {
    if (left() == 0) fail("it ends too early");
    return bytes_[at_];
  }

  static std::size_t size_of(char type) {
    switch (type) {
      case 'i':
      case 'U': return 1;
      case 'I': return 2;
      case 'l':
      case 'd': return 4;
      case 'L':
      case 'D': return 8;
      default: return 0;
    }
  }

  Document numbers(char type, std::string_view raw) const {
    Document result;
    result.kind_ = Document::Kind::numbers;
    result.type_ = type;
    result.bytes_ = raw;
    return result;
  }

  std::uint64_t length() {
    const char type = take();
    const std::size_t size = size_of(type);
    if (size == 0 || type == 'd' || type == 'D') fail("expected a length");
    const auto value = numbers(type, take(size)).integers("length").front();
    if (value < 0) fail("a length is negative");
    return static_cast<std::uint64_t>(value);
  }

  Document value(char type) {
    limits_.count();
    Document result;
    switch (type) {
      case '{': return object();
      case '[': return list();
      case 'S': {
        result.kind_ = Document::Kind::text;
        const std::uint64_t size = length();
        result.text_ = std::string(take(size));
        return result;
      }
      case 'C':
        result.kind_ = Document::Kind::text;
        result.text_ = std::string(take(1));
        return result;
      case 'T':
      case 'F':
        result.kind_ = Document::Kind::boolean;
        result.number_ = type == 'T' ? 1 : 0;
        return result;
      case 'Z': return result;
      default: break;
    }
    if (size_of(type) == 0) fail("there is no such type of value");
    result.kind_ = Document::Kind::number;
    result.number_ = numbers(type, take(size_of(type))).doubles("number").front();
    return result;
  }

  Document object() {
    Document result;
    result.kind_ = Document::Kind::object;
    limits_.enter();
    while (peek() != '}') {
      const std::uint64_t size = length();
      result.names_.emplace_back(take(size));
      result.items_.push_back(value(take()));
    }
    ++at_;
    limits_.leave();
    return result;
  }

  // Numbers that each say their type: they stay bytes until they are asked for.
  bool takes_numbers(std::uint64_t count, Document& out) {
    if (count == 0) return false;
    std::size_t end = at_;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t size = end < bytes_.size() ? size_of(bytes_[end]) : 0;
      if (size == 0 || size >= bytes_.size() - end) return false;
      end += 1 + size;
    }
    out = numbers('u', take(end - at_));
    return true;
  }

  Document list() {
    Document result;
    result.kind_ = Document::Kind::list;
    limits_.enter();
    if (peek() == '$') {
      ++at_;
      const char type = take();
      if (take() != '#') fail("expected the size of a list");
      const std::uint64_t count = length(), size = size_of(type);
      if (size == 0 || count > left() / size) fail("a list is longer than the file");
      result = numbers(type, take(count * size));
    } else if (peek() == '#') {
      ++at_;
      const std::uint64_t count = length();
      if (!takes_numbers(count, result))
        for (std::uint64_t i = 0; i < count; ++i) result.items_.push_back(value(take()));
    } else {
      while (peek() != ']') result.items_.push_back(value(take()));
      ++at_;
    }
    limits_.leave();
    return result;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  DocumentLimits limits_;
};

Document Document::of_ubjson(std::string_view bytes) { return UbjsonParser(bytes).document(); }

}  // namespace taut
