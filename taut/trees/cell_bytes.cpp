#include <taut/trees/cell_bytes.hpp>

#include <taut/trees/forest.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace taut {

namespace {

constexpr std::size_t most_cuts = 254;
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
    if (one.size() > most_cuts) return {};
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
    const std::uint32_t most = counts_[column.feature];
    std::uint32_t reached = 0;
    for (std::uint32_t half = std::bit_floor(most); half > 0; half /= 2) reached += cell >= cuts[reached + half - 1] ? half : 0;
    *out++ = cell != cell ? column.missing : std::min(reached, most);
  }
}

}  // namespace taut
