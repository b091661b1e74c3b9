// Random numbers that are the same on every machine: the standard library's distributions are not.
#pragma once

#include <taut/core/types.hpp>

#include <array>
#include <cstdint>

namespace taut {

// xoshiro256++, seeded by splitmix64. `fork` gives an independent stream for a named purpose, so that adding a consumer
// of random numbers in one place never changes the numbers drawn in another.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  Random fork(std::uint64_t stream) const;

  std::uint64_t next();
  double uniform();  // [0, 1), 53 bits
  double uniform(double low, double high);
  double normal();
  Index below(Index count);  // 0 ... count - 1, unbiased
  Rows permutation(Index count);

 private:
  std::array<std::uint64_t, 4> state_;
  std::uint64_t seed_;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace taut
