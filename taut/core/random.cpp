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
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound: values below it would be drawn too often
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

// One after another, each with the chance that so many of those left are still wanted: no list of all numbers is shuffled.
Rows draw(Index count, Index most, Random random) {
  if (count <= most) return all_rows(count);
  Rows drawn;
  drawn.reserve(static_cast<std::size_t>(most));
  for (Index i = 0; i < count && std::ssize(drawn) < most; ++i)
    if (random.below(count - i) < most - std::ssize(drawn)) drawn.push_back(i);
  return drawn;
}

}  // namespace taut
