#include <taut/foreign/document.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <fast_float/fast_float.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace taut {

namespace {

[[noreturn]] void throw_kind(std::string_view what, const std::string& wanted) {
  throw Error(format_text("'{}' is not {}: the file is damaged, or of an unsupported version", what, wanted));
}

// The value as a whole number; an Error if it is not one, or too large for an index.
std::int64_t whole(double value, std::string_view what) {
  constexpr double maximum = 9007199254740992.0;  // 2^53
  if (!(std::abs(value) <= maximum) || value != std::floor(value)) throw_kind(what, "a whole number");
  return static_cast<std::int64_t>(value);
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

// A JSON text in which every list that holds only numbers is replaced by its index, such as "[4]". These lists are nearly all of
// a large model, and most of them are never read. Besides, XGBoost writes NaN and Infinity in them, which are not valid JSON.
struct CutJson {
  explicit CutJson(std::string_view bytes) {
    std::array<bool, 256> of_numbers{};
    for (const char c : std::string_view("0123456789.-+eE, \n\r\tNaInfity")) of_numbers[static_cast<unsigned char>(c)] = true;
    bool in_text = false;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      text += bytes[at];
      if (!in_text && is_blank(bytes[at]))
        while (at + 1 < bytes.size() && is_blank(bytes[at + 1])) ++at;
      if (bytes[at] == '"') in_text = !in_text;
      if (in_text && bytes[at] == '\\' && at + 1 < bytes.size()) text += bytes[++at];
      if (in_text || bytes[at] != '[') continue;
      std::size_t end = at + 1;
      while (end < bytes.size() && of_numbers[static_cast<unsigned char>(bytes[end])]) ++end;
      const std::string_view list = trim(bytes.substr(at + 1, end - at - 1));
      if (list.empty() || end == bytes.size() || bytes[end] != ']') continue;
      text += std::to_string(lists.size());
      lists.push_back(list);
      at = end - 1;
    }
  }

  std::string text;
  std::vector<std::string_view> lists;
};

// Builds a document from the events of the JSON library's parser.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(std::size_t bytes, const CutJson* cut = nullptr) : cut_(cut), left_(1000 + bytes / 8) {}

  Document document(std::string_view bytes, nlohmann::json::input_format_t format) {
    if (!nlohmann::json::sax_parse(bytes.begin(), bytes.end(), this, format, cut_ != nullptr))
      throw Error(format_text("this is not valid {}: the file is damaged or cut off", cut_ != nullptr ? "JSON" : "UBJSON"));
    return std::move(root_);
  }

  bool null() { return add(Document()); }
  bool boolean(bool value) { return add(Document(Kind::boolean, value ? 1 : 0)); }
  bool number_integer(std::int64_t value) { return add_number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return add_number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_number(value); }
  bool string(std::string& value) {
    Document text(Kind::text);
    text.text_ = std::move(value);
    return add(std::move(text));
  }
  bool binary(const std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return enter(Kind::object); }
  bool start_array(std::size_t) { return enter(Kind::list); }
  bool key(std::string& name) {
    open_.back()->names_.push_back(std::move(name));
    return true;
  }
  bool end_object() {
    open_.pop_back();
    return true;
  }
  bool end_array() {
    Document& list = *open_.back();
    if (cut_ != nullptr && list.items_.size() == 1 && list.items_[0].kind_ == Kind::number) {
      list.kind_ = Kind::numbers;
      list.raw_ = cut_->lists.at(static_cast<std::size_t>(list.items_[0].number_));
      list.items_.clear();
    }
    open_.pop_back();
    return true;
  }
  static bool parse_error(std::size_t, const std::string&, const std::exception&) { return false; }

 private:
  using Kind = Document::Kind;

  bool add(Document value) {
    if (left_-- == 0) throw Error("too many small values for a file of this size: it is damaged");
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Document& parent = *open_.back();
    if (parent.kind_ == Kind::numbers) {
      parent.kind_ = Kind::list;
      for (const double number : std::exchange(parent.numbers_, {})) add(Document(Kind::number, number));
    }
    parent.items_.push_back(std::move(value));
    return true;
  }

  // A list of numbers is stored as numbers, which take less memory than documents.
  bool add_number(double number) {
    Document* parent = open_.empty() ? nullptr : open_.back();
    if (cut_ != nullptr || parent == nullptr || parent->kind_ == Kind::object || !parent->items_.empty())
      return add(Document(Kind::number, number));
    parent->kind_ = Kind::numbers;
    parent->numbers_.push_back(number);
    return true;
  }

  bool enter(Kind kind) {
    constexpr std::size_t maximum = 200;
    add(Document(kind));
    open_.push_back(open_.empty() ? &root_ : &open_.back()->items_.back());
    if (open_.size() > maximum) throw Error(format_text("values are nested more than {} deep: the file is damaged", maximum));
    return true;
  }

  Document root_;
  std::vector<Document*> open_;  // from the root to the value that is being filled; only the last one grows
  const CutJson* cut_;           // nullptr: UBJSON
  std::size_t left_;
};

Document Document::of_json(std::string_view bytes) {
  const CutJson cut(bytes);
  return DocumentBuilder(bytes.size(), &cut).document(cut.text, nlohmann::json::input_format_t::json);
}

Document Document::of_ubjson(std::string_view bytes) {
  return DocumentBuilder(bytes.size()).document(bytes, nlohmann::json::input_format_t::ubjson);
}

const Document* Document::find(std::string_view name) const {
  if (kind_ != Kind::object) return nullptr;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return &items_[i];
  return nullptr;
}

const Document& Document::at(std::string_view name) const {
  if (const Document* found = find(name)) return *found;
  throw Error(format_text("there is no '{}': the file is damaged, or of an unsupported version", name));
}

const std::vector<Document>& Document::items(std::string_view what) const {
  if (kind_ != Kind::list) throw_kind(what, "a list");
  return items_;
}

const std::string& Document::text(std::string_view what) const {
  if (kind_ != Kind::text) throw_kind(what, "a text");
  return text_;
}

double Document::number(std::string_view what) const {
  if (kind_ == Kind::text)
    if (const auto value = parse_number(text_)) return *value;
  if (kind_ != Kind::number && kind_ != Kind::boolean) throw_kind(what, "a number");
  return number_;
}

std::int64_t Document::integer(std::string_view what) const { return whole(number(what), what); }

template <class T>
void Document::add_from_text(std::vector<T>& out, std::string_view what) const {
  const char* at = raw_.data();
  const char* const end = at + raw_.size();
  const auto skip = [&] {
    while (at < end && is_blank(*at)) ++at;
  };
  for (skip(); at < end; skip()) {
    if (!out.empty()) {
      if (*at++ != ',') throw_kind(what, "a list of numbers");
      skip();
    }
    std::conditional_t<std::is_integral_v<T>, double, T> value = 0;
    const auto read = fast_float::from_chars(at, end, value);
    // A number beyond the range of its type becomes infinite, as in the other libraries.
    if (read.ec == std::errc::invalid_argument || read.ptr == at) throw_kind(what, "a list of numbers");
    at = read.ptr;
    if constexpr (std::is_integral_v<T>)
      out.push_back(whole(value, what));
    else
      out.push_back(value);
  }
}

template <class T>
std::vector<T> Document::all(std::string_view what) const {
  std::vector<T> out;
  const auto add = [&](double value) {
    if constexpr (std::is_integral_v<T>)
      out.push_back(whole(value, what));
    else
      out.push_back(static_cast<T>(value));
  };
  add_from_text(out, what);
  for (const double value : numbers_) add(value);
  if (kind_ != Kind::numbers)
    for (const Document& item : items(what)) add(item.number(what));
  return out;
}

std::vector<double> Document::doubles(std::string_view what) const { return all<double>(what); }
std::vector<float> Document::floats(std::string_view what) const { return all<float>(what); }
std::vector<std::int64_t> Document::integers(std::string_view what) const { return all<std::int64_t>(what); }

}  // namespace taut
