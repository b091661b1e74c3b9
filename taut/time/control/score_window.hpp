// The most recent scores of a stream, kept in ascending order while they come and go.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace taut {

// Scores in ascending order while they come and go: in blocks, so that a window of millions costs a row hardly more than one of
// thousands.

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

// The most recent scores, sorted: a window of the last n, or all of it with weights that halve with age.
//
// What is read off here is what Law would say of the same scores with the same weights; it is kept sorted while scores come and
// go, which a Law, made once and shared, cannot be.

class ScoreWindow {
 public:
  // At most `most` scores. `half_life`: a score that is so many scores old counts half; 0: all count alike.
  explicit ScoreWindow(Index most = 1000, double half_life = 0);

  Index size() const { return sorted_.size(); }
  Index most() const { return most_; }
  double half_life() const { return half_life_; }
  void add(double score);
  // The same scores under another rule; the oldest go where there are too many.
  void change(Index most, double half_life);

  // The smallest score with at least the share 1 − alpha of the weight at or below it, the new row's own weight at infinity:
  // +infinity where it would be needed, NaN (no score at all) from alpha = 1 on.
  double threshold(double alpha) const;
  // The same, but beyond the largest score it goes on as the tail of the scores does: by its mean excess for each factor e in
  // alpha. Infinite only where there are too few scores to see a tail, or alpha is 0.
  double threshold_beyond(double alpha) const;
  // The largest alpha whose threshold_beyond() holds the score: a p-value.
  double p_value(double score) const;
  // The smallest alpha whose threshold is one of the scores.
  double least_alpha() const { return 1 / (weight() + 1); }
  // How far scores of the upper tenth lie beyond its start, on average; 0 where it cannot be told.
  double mean_excess() const;
  // How much the threshold at alpha grows where alpha falls by a factor e: the mean excess, or what the scores show beyond that
  // threshold where it is less. In heavy tails a few scores make the mean excess many times as large as that.
  double tail_unit(double alpha) const;

  // In the order in which they came.
  const std::deque<double>& scores() const { return arrived_; }

 private:
  void drop_oldest();
  double weight() const { return by_age_.empty() ? static_cast<double>(size()) : of_newest_[static_cast<std::size_t>(size())]; }
  double weight_of(const RankedScore& entry) const;
  double weight_from(double score) const;

  Index most_;
  double half_life_;
  std::vector<double> by_age_;     // weights; empty where all are 1
  std::vector<double> of_newest_;  // sums of the first 0, 1, ... of them
  std::int64_t next_ = 0;
  std::deque<double> arrived_;
  RankedScores sorted_;
};

}  // namespace taut
