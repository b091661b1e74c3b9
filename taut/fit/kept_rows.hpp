// Some calibration rows as the score sees them, for probabilities at fixed values.
#pragma once

#include <taut/fit/score_model.hpp>

#include <memory>

namespace taut {

class ValueProbabilities;

// Ranks need the scores of calibration rows only; how often y <= v takes their targets and what was predicted for them. A random
// sample of the rows is kept, because more of them would change the answers little and the file's size much.
class KeptRows {
 public:
  // The largest number of rows that is kept, for rows of this many numbers.
  static Index most_rows(Index columns);
  static constexpr Index every_row = -1;  // instead of a group

  KeptRows() = default;
  // For rows of this score: one number is predicted for each, or two ends.
  KeptRows(const ScoreModel& score, bool has_ends);

  // What was predicted for a row, its parameters of φ and its target, as columns() numbers.
  Index columns() const { return columns_; }
  std::vector<double> numbers_of(const RowPrediction& predicted, const double* g, double y) const;
  // A row with a number that is not finite is left out; whether it was added.
  bool add(std::span<const double> numbers);
  // Only most_rows() of the last rows matter from now on; the others are forgotten some at a time.
  void forget_oldest();
  // The group of each row; or its weight where rows do not count alike, and that of a new row. After all rows are added.
  void set_groups(std::vector<Index> groups);
  void set_weights(std::vector<double> weights, double own_weight);

  bool empty() const { return rows() == 0; }
  Index rows() const { return columns_ == 0 ? 0 : std::ssize(numbers_) / columns_; }
  // Of a group, or of every row; nothing where none is kept. Made once, by whichever thread asks first.
  const ValueProbabilities* probabilities(Index group, const ScoreModel& score) const;

  void save(Archive archive) const;
  // `groups`: how many there are. What makes no sense is an Error.
  static KeptRows load(const Archive& archive, const ScoreModel& score, bool has_ends, Index groups);

 private:
  struct Cache;
  Index first() const;  // that matters
  std::size_t place(Index row) const { return static_cast<std::size_t>(row * columns_); }

  Index columns_ = 0;
  Index predictions_ = 1;        // 2: two ends
  std::vector<double> numbers_;  // row by row, oldest first
  std::vector<Index> groups_;
  std::vector<double> weights_;
  double own_weight_ = 1;
  mutable std::shared_ptr<Cache> cache_;
};

}  // namespace taut
