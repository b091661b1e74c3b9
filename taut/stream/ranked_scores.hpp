// Scores in ascending order while they come and go: in blocks, so that a window of millions costs a row hardly more than one of
// thousands.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <vector>

namespace taut {

struct RankedScore {
  double score;
  std::int64_t number;  // counted as they came
  friend bool operator<(const RankedScore& a, const RankedScore& b) {
    return a.score != b.score ? a.score < b.score : a.number < b.number;
  }
};

class RankedScores {
 public:
  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void insert(const RankedScore& entry);
  // One that is there.
  void erase(const RankedScore& entry);

  double least() const { return blocks_.front().front().score; }
  double most() const { return blocks_.back().back().score; }
  // The score at this place, counted from 0.
  double at(Index place) const;
  // How many scores are at least so large.
  Index count_from(double score) const;

  // visit(entry) for those from this place on, ascending.
  template <class Visit>
  void ascending_from(Index place, Visit visit) const {
    auto [block, position] = find(place);
    for (; block < blocks_.size(); ++block, position = 0)
      for (; position < blocks_[block].size(); ++position) visit(blocks_[block][position]);
  }
  // visit(entry) from the largest on, until it gives false.
  template <class Visit>
  void descending(Visit visit) const {
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
      for (auto entry = block->rbegin(); entry != block->rend(); ++entry)
        if (!visit(*entry)) return;
  }

 private:
  struct Position {
    std::size_t block, within;
  };
  Position find(Index place) const;
  std::size_t block_of(const RankedScore& entry) const;

  std::vector<std::vector<RankedScore>> blocks_;  // none is empty
  Index size_ = 0;
};

}  // namespace taut
