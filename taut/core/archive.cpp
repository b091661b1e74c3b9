#include <taut/core/archive.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <bit>
#include <cstring>
#include <type_traits>

namespace taut {

Archive Archive::scope(std::string_view name) const { return {values_, prefix_ + std::string(name) + "/"}; }

void Archive::put(std::string_view name, Value value) {
  values_->insert_or_assign(prefix_ + std::string(name), std::move(value));
}

bool Archive::has(std::string_view name) const { return values_->contains(prefix_ + std::string(name)); }

bool Archive::has_scope(std::string_view name) const {
  const std::string prefix = prefix_ + std::string(name) + "/";
  const auto first = values_->lower_bound(prefix);
  return first != values_->end() && first->first.starts_with(prefix);
}

const Archive::Value& Archive::find(std::string_view name) const {
  const auto found = values_->find(prefix_ + std::string(name));
  if (found == values_->end()) throw Error(format_text("the model file lacks the entry '{}{}'", prefix_, name));
  return found->second;
}

void Archive::throw_wrong_type(std::string_view name) const {
  throw Error(format_text("the entry '{}{}' of the model file has another type than expected", prefix_, name));
}

double Archive::number(std::string_view name) const { return get<double>(name); }
std::int64_t Archive::integer(std::string_view name) const { return get<std::int64_t>(name); }
const std::string& Archive::text(std::string_view name) const { return get<std::string>(name); }
const Archive::Texts& Archive::texts(std::string_view name) const { return get<Texts>(name); }

std::int64_t Archive::integer_in(std::string_view name, std::int64_t minimum, std::int64_t maximum) const {
  const std::int64_t value = integer(name);
  if (value >= minimum && value <= maximum) return value;
  throw Error(
      format_text("the entry '{}{}' of the model file is {}, allowed are {} to {}", prefix_, name, value, minimum, maximum));
}

std::vector<std::string> Archive::names() const {
  std::vector<std::string> names;
  for (auto it = values_->lower_bound(prefix_); it != values_->end() && it->first.starts_with(prefix_); ++it)
    names.push_back(it->first.substr(prefix_.size()));
  return names;
}

namespace {

static_assert(std::endian::native == std::endian::little, "the model file is little-endian and its bytes are copied unchanged");

template <class T>
inline constexpr bool is_matrix = std::is_same_v<T, Matrix> || std::is_same_v<T, MatrixF>;

class Encoder {
 public:
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void array(const T* data, std::size_t count) {
    bytes_.append(reinterpret_cast<const char*>(data), count * sizeof(T));
  }
  void text(std::string_view text) {
    number<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    T value;
    array(&value, 1);
    return value;
  }
  template <class T>
  void array(T* out, std::size_t count) {
    require(count, sizeof(T));
    if (count != 0) std::memcpy(out, rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
  }
  // Reads the number of items that follow, each of at least `item` bytes. Throws, before anything is allocated, if the remaining
  // bytes cannot hold them.
  std::size_t count(std::size_t item) {
    const auto count = number<std::uint64_t>();
    require(count, item);
    return static_cast<std::size_t>(count);
  }
  std::string text() {
    std::string text(count(1), '\0');
    array(text.data(), text.size());
    return text;
  }
  template <class M>
  M matrix() {
    const auto rows = number<std::uint64_t>();
    const auto columns = number<std::uint64_t>();
    if (rows > max_rows || columns > max_rows) throw_damaged();
    require(rows * columns, sizeof(typename M::Scalar));  // below 2^64: both are at most 2^31
    M matrix(static_cast<Index>(rows), static_cast<Index>(columns));
    array(matrix.data(), static_cast<std::size_t>(matrix.size()));
    return matrix;
  }
  bool done() const { return rest_.empty(); }
  [[noreturn]] static void throw_damaged() { throw Error("the model file claims more data than it holds: it is damaged"); }

 private:
  static constexpr std::uint64_t max_rows = std::uint64_t{1} << 31;

  void require(std::uint64_t count, std::size_t item) const {
    if (count > rest_.size() / item) throw_damaged();
  }
  std::string_view rest_;
};

void encode_value(Encoder& out, const Archive::Value& value) {
  std::visit(
      [&out]<class T>(const T& typed) {
        if constexpr (std::is_arithmetic_v<T>) {
          out.number(typed);
        } else if constexpr (std::is_same_v<T, std::string>) {
          out.text(typed);
        } else if constexpr (std::is_same_v<T, Archive::Texts>) {
          out.number<std::uint64_t>(typed.size());
          for (const auto& text : typed) out.text(text);
        } else if constexpr (is_matrix<T>) {
          out.number<std::uint64_t>(static_cast<std::uint64_t>(typed.rows()));
          out.number<std::uint64_t>(static_cast<std::uint64_t>(typed.cols()));
          out.array(typed.data(), static_cast<std::size_t>(typed.size()));
        } else {
          out.number<std::uint64_t>(typed.size());
          out.array(typed.data(), typed.size());
        }
      },
      value);
}

template <class T>
T decode_typed(Decoder& in) {
  if constexpr (std::is_arithmetic_v<T>) {
    return in.number<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return in.text();
  } else if constexpr (std::is_same_v<T, Archive::Texts>) {
    Archive::Texts texts(in.count(sizeof(std::uint64_t)));
    for (auto& text : texts) text = in.text();
    return texts;
  } else if constexpr (is_matrix<T>) {
    return in.matrix<T>();
  } else {
    T values(in.count(sizeof(typename T::value_type)));
    in.array(values.data(), values.size());
    return values;
  }
}

template <std::size_t... Tags>
Archive::Value decode_value(Decoder& in, std::uint8_t tag, std::index_sequence<Tags...>) {
  Archive::Value value;
  const bool known = ((tag == Tags && (value = decode_typed<std::variant_alternative_t<Tags, Archive::Value>>(in), true)) || ...);
  if (!known)
    throw Error(format_text("the model file holds a value of unknown type {}: it is damaged or newer than this program", tag));
  return value;
}

}  // namespace

std::string Archive::encode() const {
  Encoder out;
  out.number<std::uint64_t>(values_->size());
  for (const auto& [name, value] : *values_) {
    out.text(name);
    out.number<std::uint8_t>(static_cast<std::uint8_t>(value.index()));
    encode_value(out, value);
  }
  return out.take();
}

Archive Archive::decode(std::string_view bytes) {
  constexpr std::size_t min_entry = sizeof(std::uint64_t) + 1;
  Decoder in(bytes);
  Archive archive;
  for (std::size_t left = in.count(min_entry); left > 0; --left) {
    std::string name = in.text();
    const auto tag = in.number<std::uint8_t>();
    auto value = decode_value(in, tag, std::make_index_sequence<std::variant_size_v<Value>>());
    if (!archive.values_->emplace(std::move(name), std::move(value)).second)
      throw Error("the model file names an entry twice: it is damaged");
  }
  if (!in.done()) throw Error("the model file goes on after its last entry: it is damaged");
  return archive;
}

}  // namespace taut
