#include <taut/trees/value_sketch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace taut {

namespace {

constexpr std::uint32_t sign = std::uint32_t{1} << 31;
constexpr std::size_t few_values = 1024;  // which a comparison sort orders sooner

// Numbers whose order is that of the floats; −0 and 0 stay apart, in this order.
std::uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
float from_ordered_bits(std::uint32_t bits) { return std::bit_cast<float>((bits & sign) != 0 ? bits & ~sign : ~bits); }

}  // namespace

// By digits of eleven bits, the lowest first.
void sort_floats(std::vector<float>& values) {
  if (values.size() < few_values) return std::sort(values.begin(), values.end());
  constexpr std::size_t digits = 3, width = 11, mask = (1 << width) - 1;
  std::vector<std::uint32_t> keys(values.size()), next(values.size());
  std::array<std::vector<std::size_t>, digits> places;
  for (auto& counts : places) counts.assign(mask + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    keys[i] = ordered_bits(values[i]);
    for (std::size_t digit = 0; digit < digits; ++digit) ++places[digit][keys[i] >> (digit * width) & mask];
  }
  for (std::size_t digit = 0; digit < digits; ++digit) {
    auto& place = places[digit];
    std::size_t before = 0;
    for (std::size_t& count : place) {
      const std::size_t here = count;
      count = before;
      before += here;
    }
    for (const std::uint32_t key : keys) next[place[key >> (digit * width) & mask]++] = key;
    keys.swap(next);
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from_ordered_bits(keys[i]);
}

ValueSketch::ValueSketch(std::vector<float>& values) {
  sort_floats(values);
  for (const float value : values) {
    if (items_.empty() || items_.back().value != value) items_.push_back({value, 0});
    ++items_.back().rows;
  }
}

void ValueSketch::add(const ValueSketch& other) {
  std::vector<Item> all;
  all.reserve(items_.size() + other.items_.size());
  auto a = items_.begin();
  auto b = other.items_.begin();
  while (a != items_.end() || b != other.items_.end()) {
    const bool from_b = a == items_.end() || (b != other.items_.end() && b->value < a->value);
    const Item& one = from_b ? *b++ : *a++;
    if (!all.empty() && all.back().value == one.value)
      all.back().rows += one.rows;
    else
      all.push_back(one);
  }
  items_ = std::move(all);
}

void ValueSketch::shorten() {
  if (items_.size() <= capacity) return;
  double rows = 0;
  for (const Item& item : items_) rows += item.rows;
  const double group = rows / static_cast<double>(capacity - 1);
  std::size_t kept = 1;  // the smallest value
  std::uint32_t waiting = 0;
  for (std::size_t i = 1; i < items_.size(); ++i) {
    waiting += items_[i].rows;
    if (waiting < group && i + 1 < items_.size()) continue;
    items_[kept++] = {items_[i].value, waiting};
    waiting = 0;
  }
  items_.resize(kept);
  items_.shrink_to_fit();
}

}  // namespace taut
