// Random numbers that are the same on every machine, and random samples of rows.
#pragma once

#include <taut/core/types.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace taut {

// xoshiro256++, seeded by splitmix64. Its numbers are the same on every machine; those of the standard library's distributions
// are not. `fork` returns an independent stream for one purpose. So a new consumer of random numbers in one place never changes
// the numbers in another.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  Random fork(std::uint64_t stream) const;

  // Inline, because the time for sampling the rows of a tree is mostly spent here.
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // [0, 1), 53 bits
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

// A random sample, without replacement, of `maximum` of the numbers 0 ... count − 1, ascending. Returns all of them if
// count <= maximum.
Rows draw(Index count, Index maximum, Random random);

// A uniform random number for each row. It depends on the row's content: a row gets the same number alone and in any batch, and
// rows that are predicted one call at a time get different numbers. Without keys (model files of earlier versions) it depends on
// the row number.
class RowUniforms {
 public:
  RowUniforms(std::uint64_t seed) : seed_(seed) {}  // NOLINT(google-explicit-constructor): without keys
  RowUniforms(std::optional<std::uint64_t> seed, std::vector<std::uint64_t> keys, Index first_row)
      : seed_(seed.value_or(0)), keys_(std::move(keys)), first_row_(first_row) {}

  double operator[](Index row) const {
    const auto stream = keys_.empty() ? static_cast<std::uint64_t>(first_row_ + row) : keys_[static_cast<std::size_t>(row)];
    return Random(seed_).fork(stream).uniform();
  }

 private:
  std::uint64_t seed_;
  std::vector<std::uint64_t> keys_;
  Index first_row_ = 0;
};

}  // namespace taut
