#include <taut/trees/split_answers.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

namespace taut {

namespace {

constexpr std::size_t compared_at_once = 16;  // columns are filled up to a multiple, so that nothing is left for single steps

// Without a promise that nothing overlaps, compilers compare one by one.
template <bool missing_left>
void compare(float cell, const float* __restrict thresholds, std::size_t blocks, std::uint8_t* __restrict right) {
  for (std::size_t i = 0; i < compared_at_once * blocks; ++i)
    if constexpr (missing_left)
      right[i] = cell >= thresholds[i] ? 1 : 0;
    else
      right[i] = cell < thresholds[i] ? 0 : 1;
}

}  // namespace

std::optional<SplitAnswers> SplitAnswers::of(std::vector<Split> splits) {
  std::sort(splits.begin(), splits.end());
  splits.erase(std::unique(splits.begin(), splits.end()), splits.end());
  SplitAnswers made;
  auto& thresholds = made.thresholds_;
  const auto fill_up = [&] {
    thresholds.resize((thresholds.size() + compared_at_once - 1) / compared_at_once * compared_at_once,
                      std::numeric_limits<float>::infinity());
    if (!made.columns_.empty()) made.columns_.back().end = thresholds.size();
  };
  thresholds.resize(1);  // of `never`
  for (const Split& split : splits) {
    if (made.columns_.empty() || !is_of(made.columns_.back(), split)) {
      fill_up();
      made.columns_.push_back({split.feature, split.missing_left, thresholds.size(), 0});
    }
    thresholds.push_back(split.threshold);
  }
  fill_up();
  if (thresholds.size() > std::size_t{1} << 16U) return {};
  return made;
}

SplitAnswers::Number SplitAnswers::number(const Split& split) const {
  const auto column = std::lower_bound(columns_.begin(), columns_.end(), split, [](const Column& one, const Split& other) {
    return std::tie(one.feature, one.missing_left) < std::tie(other.feature, other.missing_left);
  });
  const auto first = thresholds_.begin();
  return static_cast<Number>(std::lower_bound(first + static_cast<std::ptrdiff_t>(column->begin),
                                              first + static_cast<std::ptrdiff_t>(column->end), split.threshold) - first);
}

void SplitAnswers::of_row(const float* row, std::uint8_t* right) const {
  right[never] = 0;
  for (const Column& column : columns_) {
    const std::size_t blocks = (column.end - column.begin) / compared_at_once;
    (column.missing_left ? compare<true> : compare<false>)(row[column.feature], thresholds_.data() + column.begin, blocks,
                                                           right + column.begin);
  }
}

}  // namespace taut
