// The random numbers of smoothing, one for each row.
#pragma once

#include <taut/core/random.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace taut {

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
