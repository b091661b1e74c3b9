#include <taut/foreign/document.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <fast_float/fast_float.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace taut {

namespace {

[[noreturn]] void throw_kind(std::string_view what, const std::string& wanted) {
  throw Error("'" + std::string(what) + "' is not " + wanted + ": the file is damaged, or of a version that is not known here");
}

template <class T>
T big_endian(const char* at) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                                     std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) bits = bits << 8 | static_cast<std::uint8_t>(at[i]);
  return std::bit_cast<T>(static_cast<Bits>(bits));
}

// Whatever is no whole number, or beyond all indices, is refused where it would be one.
std::int64_t whole(double value, std::string_view what) {
  constexpr double most = 9007199254740992.0;  // 2^53
  if (!(std::abs(value) <= most) || value != std::floor(value)) throw_kind(what, "a whole number");
  return static_cast<std::int64_t>(value);
}

}  // namespace

void DocumentLimits::count() {
  if (left_-- == 0) throw Error("too many small values for a file of this size: it is damaged");
}

void DocumentLimits::enter() {
  constexpr int most = 200;
  if (++depth_ > most) throw Error("values within values, " + std::to_string(most) + " deep: the file is damaged");
}

const Document* Document::find(std::string_view name) const {
  if (kind_ != Kind::object) return nullptr;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return &items_[i];
  return nullptr;
}

const Document& Document::at(std::string_view name) const {
  if (const Document* found = find(name)) return *found;
  throw Error("there is no '" + std::string(name) + "': the file is damaged, or of a version that is not known here");
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
  const char* at = bytes_.data();
  const char* const end = at + bytes_.size();
  const auto skip = [&] {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
  };
  for (skip(); at < end; skip()) {
    if (!out.empty()) {
      if (*at++ != ',') throw_kind(what, "a list of numbers");
      skip();
    }
    std::conditional_t<std::is_integral_v<T>, double, T> value = 0;
    const auto read = fast_float::from_chars(at, end, value);
    // A float beyond its range is infinite, as the libraries read it.
    if (read.ec == std::errc::invalid_argument || read.ptr == at) throw_kind(what, "a list of numbers");
    at = read.ptr;
    if constexpr (std::is_integral_v<T>)
      out.push_back(whole(value, what));
    else
      out.push_back(value);
  }
}

namespace {

// One number of UBJSON, and how many bytes it takes.
template <class T>
std::size_t add_number(char type, const char* at, std::vector<T>& out) {
  const auto add = [&]<class From>(From) {
    const From value = big_endian<From>(at);
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>)
      out.push_back(whole(static_cast<double>(value), "numbers"));
    else
      out.push_back(static_cast<T>(value));
    return sizeof(From);
  };
  switch (type) {
    case 'd': return add(float{});
    case 'D': return add(double{});
    case 'i': return add(std::int8_t{});
    case 'U': return add(std::uint8_t{});
    case 'I': return add(std::int16_t{});
    case 'l': return add(std::int32_t{});
    default: return add(std::int64_t{});
  }
}

}  // namespace

// The parser has seen that the bytes are whole numbers of items.
template <class T>
void Document::add_from_bytes(std::vector<T>& out) const {
  for (std::size_t at = 0; at < bytes_.size();) {
    const char type = type_ == 'u' ? bytes_[at++] : type_;
    at += add_number(type, bytes_.data() + at, out);
  }
}

template <class T>
std::vector<T> Document::all(std::string_view what) const {
  std::vector<T> out;
  if (kind_ == Kind::numbers) {
    type_ == 'j' ? add_from_text(out, what) : add_from_bytes(out);
    return out;
  }
  for (const Document& item : items(what)) {
    if constexpr (std::is_integral_v<T>)
      out.push_back(item.integer(what));
    else
      out.push_back(static_cast<T>(item.number(what)));
  }
  return out;
}

std::vector<double> Document::doubles(std::string_view what) const { return all<double>(what); }
std::vector<float> Document::floats(std::string_view what) const { return all<float>(what); }
std::vector<std::int64_t> Document::integers(std::string_view what) const { return all<std::int64_t>(what); }

}  // namespace taut
