// The most recent scores of a stream, kept sorted.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace taut {

// Sorted scores with insertion and removal. They are stored in blocks, so that a row costs hardly more in a window of millions
// than in one of thousands.

struct RankedScore {
  double score;
  std::int64_t number;  // order of arrival
  friend bool operator<(const RankedScore& a, const RankedScore& b) {
    return a.score != b.score ? a.score < b.score : a.number < b.number;
  }
};

class RankedScores {
 public:
  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void insert(const RankedScore& entry);
  // The entry must be present.
  void erase(const RankedScore& entry);

  double minimum() const { return blocks_.front().front().score; }
  double maximum() const { return blocks_.back().back().score; }
  // The score at this place, counted from 0.
  double at(Index place) const;
  // The number of scores that are at least `score`.
  Index count_from(double score) const;

  // visit(entry) for the entries from this place on, ascending.
  template <class Visit>
  void ascending_from(Index place, Visit visit) const {
    auto [block, position] = find(place);
    for (; block < blocks_.size(); ++block, position = 0)
      for (; position < blocks_[block].size(); ++position) visit(blocks_[block][position]);
  }
  // visit(entry) for the entries from the largest down, until it returns false.
  template <class Visit>
  void descending(Visit visit) const {
    for (std::size_t block = blocks_.size(); block-- > 0;)
      for (std::size_t position = blocks_[block].size(); position-- > 0;)
        if (!visit(blocks_[block][position])) return;
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

// The most recent scores, sorted: a window of the last n, with equal weights or with weights that halve with age.
//
// Thresholds are the quantiles of a ScoreDistribution of the same scores and weights. A ScoreDistribution is immutable and
// shared; this class changes with every row.

class ScoreWindow {
 public:
  // At most `maximum` scores. The weight of a score halves every `half_life` scores; 0: equal weights.
  explicit ScoreWindow(Index maximum = 1000, double half_life = 0);

  Index size() const { return sorted_.size(); }
  Index maximum() const { return maximum_; }
  double half_life() const { return half_life_; }
  void add(double score);
  // Changes the settings and keeps the scores; the oldest are dropped if there are too many.
  void change(Index maximum, double half_life);

  // The smallest score with at least the share 1 − alpha of the weight at or below it, the new row's own weight at infinity.
  // +infinity if that weight is needed, NaN (the empty set) from alpha = 1 on.
  double threshold(double alpha) const;
  // The same, but extrapolated beyond the largest score with an exponential tail: by the mean excess for each factor e in alpha.
  // Infinite only if there are too few scores to estimate the tail, or alpha is 0.
  double threshold_beyond(double alpha) const;
  // The largest alpha whose threshold_beyond() is at least the score: a p-value.
  double p_value(double score) const;
  // The smallest alpha whose threshold is one of the scores.
  double min_alpha() const { return 1 / (weight() + 1); }
  // The mean excess of the upper tenth of the scores over its start; 0 if it cannot be estimated.
  double mean_excess() const;
  // The growth of the threshold at alpha if alpha falls by a factor e: the mean excess, or the observed growth if that is
  // smaller. In heavy tails a few scores make the mean excess many times as large.
  double tail_unit(double alpha) const;

  // In the order in which they came.
  const std::deque<double>& scores() const { return arrived_; }

 private:
  void drop_oldest();
  double weight() const { return by_age_.empty() ? static_cast<double>(size()) : of_newest_[static_cast<std::size_t>(size())]; }
  double weight_of(const RankedScore& entry) const;
  double weight_from(double score) const;

  Index maximum_;
  double half_life_;
  std::vector<double> by_age_;     // weights; empty if all are 1
  std::vector<double> of_newest_;  // cumulative sums of by_age_, starting with 0
  std::int64_t next_ = 0;
  std::deque<double> arrived_;
  RankedScores sorted_;
};

}  // namespace taut
