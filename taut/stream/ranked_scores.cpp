#include <taut/stream/ranked_scores.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::size_t most_of_block = 256;

}  // namespace

// The last block that begins at or before the entry.
std::size_t RankedScores::block_of(const RankedScore& entry) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), entry,
                       [](const RankedScore& a, const std::vector<RankedScore>& block) { return a < block.front(); });
  return after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

void RankedScores::insert(const RankedScore& entry) {
  ++size_;
  if (blocks_.empty()) {
    blocks_.push_back({entry});
    return;
  }
  const std::size_t at = block_of(entry);
  auto& block = blocks_[at];
  block.insert(std::upper_bound(block.begin(), block.end(), entry), entry);
  if (block.size() <= most_of_block) return;
  const auto middle = block.begin() + static_cast<std::ptrdiff_t>(most_of_block / 2);
  std::vector<RankedScore> upper(middle, block.end());
  block.erase(middle, block.end());
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
}

void RankedScores::erase(const RankedScore& entry) {
  const std::size_t at = block_of(entry);
  auto& block = blocks_[at];
  block.erase(std::lower_bound(block.begin(), block.end(), entry));
  if (block.empty()) blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at));
  --size_;
}

// From the nearer end: levels ask for places near the top.
RankedScores::Position RankedScores::find(Index place) const {
  if (place >= size_) return {blocks_.size(), 0};
  if (place < size_ / 2) {
    auto within = static_cast<std::size_t>(place);
    std::size_t block = 0;
    while (within >= blocks_[block].size()) within -= blocks_[block++].size();
    return {block, within};
  }
  auto from_top = static_cast<std::size_t>(size_ - place);  // 1 for the largest
  std::size_t block = blocks_.size() - 1;
  while (from_top > blocks_[block].size()) from_top -= blocks_[block--].size();
  return {block, blocks_[block].size() - from_top};
}

double RankedScores::at(Index place) const {
  const Position found = find(place);
  return blocks_[found.block][found.within].score;
}

Index RankedScores::count_from(double score) const {
  if (empty()) return 0;
  const RankedScore first{score, -1};
  const std::size_t at = block_of(first);
  const auto& block = blocks_[at];
  Index count = block.end() - std::lower_bound(block.begin(), block.end(), first);
  for (std::size_t above = at + 1; above < blocks_.size(); ++above) count += std::ssize(blocks_[above]);
  return count;
}

}  // namespace taut
