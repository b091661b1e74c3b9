// Changes a model file entry by entry instead of byte by byte: most of its bytes are lengths and names, and a change there is
// refused at once. Only the fuzzer links this file.
#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/model/file.hpp>

#include <array>
#include <cstring>
#include <limits>
#include <optional>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maximum);

namespace taut {
namespace {

constexpr std::array odd_numbers = {0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 1e-320, infinity, -infinity, missing};
constexpr std::array<std::int64_t, 8> odd_counts = {
    0, 1, -1, 2, 1000, std::int64_t{1} << 31, std::int64_t{1} << 60, std::numeric_limits<std::int64_t>::min()};

template <class T>
T odd(Random& random) {
  const bool small = random.below(2) == 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (small) return static_cast<T>(random.normal());
    return static_cast<T>(odd_numbers[static_cast<std::size_t>(random.below(std::ssize(odd_numbers)))]);
  } else {
    if (small) return static_cast<T>(random.below(6));
    return static_cast<T>(odd_counts[static_cast<std::size_t>(random.below(std::ssize(odd_counts)))]);
  }
}

void change(double& value, Random& random) { value = odd<double>(random); }
void change(std::int64_t& value, Random& random) { value = odd<std::int64_t>(random); }
void change(std::string& text, Random& random) {
  text.resize(text.size() + 4);
  const std::size_t size = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), text.size() - 4, text.size());
  text.resize(size);
  if (random.below(8) == 0) text.clear();
}
template <class T>
void change(std::vector<T>& values, Random& random) {
  const Index what = random.below(6);
  if (what == 0 && !values.empty()) values.pop_back();
  if (what == 1) values.emplace_back();
  if (values.empty()) return;
  T& value = values[static_cast<std::size_t>(random.below(std::ssize(values)))];
  if constexpr (std::is_arithmetic_v<T>)
    value = odd<T>(random);
  else
    change(value, random);
}
template <class T>
void change(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>& matrix, Random& random) {
  const Index what = random.below(6);
  if (what < 2) {
    const Index rows = what == 0 ? random.below(4) : matrix.rows(), columns = what == 1 ? random.below(4) : matrix.cols();
    matrix.conservativeResizeLike(std::decay_t<decltype(matrix)>::Zero(rows, columns));
  }
  if (matrix.size() > 0) matrix.data()[random.below(matrix.size())] = odd<T>(random);
}

template <std::size_t Tag = 0>
Archive::Value value_of(const Archive& archive, const std::string& name) {
  try {
    return archive.get<std::variant_alternative_t<Tag, Archive::Value>>(name);
  } catch (const Error&) {
    if constexpr (Tag + 1 < std::variant_size_v<Archive::Value>) return value_of<Tag + 1>(archive, name);
    throw;
  }
}

// The value of one entry, changed, or taken from another entry.
void change_an_entry(Archive& archive, Random& random) {
  const auto names = archive.names();
  if (names.empty()) return;
  const auto& name = names[static_cast<std::size_t>(random.below(std::ssize(names)))];
  if (random.below(16) == 0) {
    archive.put(name, value_of(archive, names[static_cast<std::size_t>(random.below(std::ssize(names)))]));
    return;
  }
  Archive::Value value = value_of(archive, name);
  std::visit([&random](auto& typed) { change(typed, random); }, value);
  archive.put(name, std::move(value));
}

std::optional<std::string> mutated(std::string_view file, Random& random) {
  try {
    Archive archive = Archive::decode(unframe(file));
    for (Index left = 1 + random.below(3); left > 0; --left) change_an_entry(archive, random);
    return frame(archive.encode());
  } catch (const Error&) {
    return {};
  }
}

}  // namespace
}  // namespace taut

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximum, unsigned seed) {
  taut::Random random(seed);
  if (random.below(4) > 0) {
    const auto changed = taut::mutated({reinterpret_cast<const char*>(data), size}, random);
    if (changed && changed->size() <= maximum) {
      std::memcpy(data, changed->data(), changed->size());
      return changed->size();
    }
  }
  return LLVMFuzzerMutate(data, size, maximum);
}
