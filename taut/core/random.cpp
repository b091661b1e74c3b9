#include <taut/core/random.hpp>

#include <cmath>
#include <utility>

namespace taut {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) : seed_(seed) {
  for (auto& word : state_) word = splitmix64(seed);
}

Random Random::fork(std::uint64_t stream) const {
  std::uint64_t mixed = seed_;
  const std::uint64_t first = splitmix64(mixed);
  mixed = first ^ (stream * 0xd1342543de82ef95ULL + 1);
  return Random(splitmix64(mixed));
}

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

// Marsaglia's polar method: no trigonometry, two numbers per round.
double Random::normal() {
  if (std::exchange(has_spare_, false)) return spare_normal_;
  double u = 0, v = 0, square = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    square = u * u + v * v;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  spare_normal_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

Index Random::below(Index count) {
  const auto bound = static_cast<std::uint64_t>(count);
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound: values below it would make the result biased
  std::uint64_t value = next();
  while (value < rejected) value = next();
  return static_cast<Index>(value % bound);
}

Rows Random::permutation(Index count) {
  Rows order = all_rows(count);
  for (Index i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  return order;
}

// Selection sampling: each number is taken with probability (numbers still needed) / (numbers left). This needs no permutation of
// all numbers.
Rows draw(Index count, Index maximum, Random random) {
  if (count <= maximum) return all_rows(count);
  Rows sample;
  sample.reserve(static_cast<std::size_t>(maximum));
  for (Index i = 0; i < count && std::ssize(sample) < maximum; ++i)
    if (random.below(count - i) < maximum - std::ssize(sample)) sample.push_back(i);
  return sample;
}

}  // namespace taut
