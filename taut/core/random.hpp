// Random numbers that are the same on every machine, and rows drawn by them.
#pragma once

#include <taut/core/types.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace taut {

// Random numbers that are the same on every machine: the standard library's distributions are not.

// xoshiro256++, seeded by splitmix64. `fork` gives an independent stream for a named purpose, so that adding a consumer
// of random numbers in one place never changes the numbers drawn in another.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  Random fork(std::uint64_t stream) const;

  // Here, because sampling rows for a tree is a loop of little else.
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

// Some of many rows, drawn at random.

// `most` of the numbers 0 ... count − 1, ascending, every choice as likely as any other; all of them where there are no more.
Rows draw(Index count, Index most, Random random);

// Keyed to the row's content, so that a row has the same number alone and in any batch, and rows that are served one a call have
// different ones. Without keys (model files of earlier versions) by the row's number.
class RowUniforms {
 public:
  RowUniforms(std::uint64_t seed) : seed_(seed) {}  // NOLINT(google-explicit-constructor): by number
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
