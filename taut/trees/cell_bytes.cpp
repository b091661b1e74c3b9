#include <taut/trees/cell_bytes.hpp>

#include <taut/trees/forest.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

namespace taut {

namespace {

constexpr std::size_t max_cuts = 254;
constexpr std::uint8_t beyond_all = 255;

}  // namespace

std::optional<CellBytes> CellBytes::of(const Forest& forest) {
  if (2 * forest.inputs() > std::numeric_limits<std::uint16_t>::max()) return {};
  std::vector<std::vector<float>> all(static_cast<std::size_t>(forest.inputs()));
  for (Index which = 0; which < forest.trees(); ++which)
    for (const TreeNode& node : forest.tree(which))
      if (node.left >= 0) all[static_cast<std::size_t>(node.feature)].push_back(node.value);
  for (auto& one : all) {
    std::sort(one.begin(), one.end());
    one.erase(std::unique(one.begin(), one.end()), one.end());
    if (one.size() > max_cuts) return {};
  }
  return CellBytes(all);
}

CellBytes::CellBytes(const std::vector<std::vector<float>>& thresholds) : places_(2 * thresholds.size(), -1) {
  for (const auto& one : thresholds) {
    first_.push_back(static_cast<std::uint32_t>(thresholds_.size()));
    counts_.push_back(static_cast<std::uint16_t>(one.size()));
    thresholds_.insert(thresholds_.end(), one.begin(), one.end());
    thresholds_.resize(first_.back() + (std::size_t{1} << std::bit_width(one.size())) - 1,
                       std::numeric_limits<float>::infinity());
  }
}

std::uint16_t CellBytes::column_of(std::uint32_t feature, bool missing_left) {
  std::int32_t& place = places_[2 * feature + (missing_left ? 0U : 1U)];
  if (place < 0) {
    place = static_cast<std::int32_t>(columns_.size());
    columns_.push_back({feature, missing_left ? std::uint8_t{0} : beyond_all});
  }
  return static_cast<std::uint16_t>(place);
}

std::uint8_t CellBytes::cut_of(std::uint32_t feature, float threshold) const {
  const float* const begin = thresholds(feature);
  return static_cast<std::uint8_t>(std::lower_bound(begin, begin + counts_[feature], threshold) - begin + 1);
}

void CellBytes::of_row(const float* row, std::uint32_t* out) const {
  for (const Column& column : columns_) {
    const float cell = row[column.feature];
    const float* const cuts = thresholds(column.feature);
    const std::uint32_t maximum = counts_[column.feature];
    std::uint32_t reached = 0;
    for (std::uint32_t half = std::bit_floor(maximum); half > 0; half /= 2)
      reached += cell >= cuts[reached + half - 1] ? half : 0;
    *out++ = cell != cell ? column.missing : std::min(reached, maximum);
  }
}

namespace {

constexpr std::size_t compared_at_once = 16;  // columns are padded to a multiple of this, so that the loop needs no remainder

// Without __restrict, compilers do not vectorise the comparisons.
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
  const auto pad = [&] {
    thresholds.resize((thresholds.size() + compared_at_once - 1) / compared_at_once * compared_at_once,
                      std::numeric_limits<float>::infinity());
    if (!made.columns_.empty()) made.columns_.back().end = thresholds.size();
  };
  thresholds.resize(1);  // the threshold of `never`
  for (const Split& split : splits) {
    if (made.columns_.empty() || !is_of(made.columns_.back(), split)) {
      pad();
      made.columns_.push_back({split.feature, split.missing_left, thresholds.size(), 0});
    }
    thresholds.push_back(split.threshold);
  }
  pad();
  if (thresholds.size() > std::size_t{1} << 16U) return {};
  return made;
}

SplitAnswers::Number SplitAnswers::number(const Split& split) const {
  const auto column = std::lower_bound(columns_.begin(), columns_.end(), split, [](const Column& one, const Split& other) {
    return std::tie(one.feature, one.missing_left) < std::tie(other.feature, other.missing_left);
  });
  const auto first = thresholds_.begin();
  return static_cast<Number>(std::lower_bound(first + static_cast<std::ptrdiff_t>(column->begin),
                                              first + static_cast<std::ptrdiff_t>(column->end), split.threshold) -
                             first);
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
