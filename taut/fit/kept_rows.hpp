// A sample of calibration rows with their predictions and targets, for probabilities at fixed values.
#pragma once

#include <taut/fit/score_model.hpp>

#include <memory>

namespace taut {

class ValueProbabilities;

// Prediction intervals need only the conformity scores of calibration rows. P(y <= v) also needs their targets and predictions.
// A random sample of the rows is kept: more rows would change the answers little and make the file much larger.
class KeptRows {
 public:
  // The maximum number of rows that are kept, for rows with `columns` numbers.
  static Index max_rows(Index columns);
  static constexpr Index every_row = -1;  // instead of a group

  KeptRows() = default;
  // For rows of this score. `has_ends`: two ends are predicted for each row instead of one number.
  KeptRows(const ScoreModel& score, bool has_ends);
  // For rows of numbers of another kind, which the task reads itself by row().
  explicit KeptRows(Index columns);

  // The predictions of a row, its parameters of φ and its target, as columns() numbers.
  Index columns() const { return columns_; }
  std::vector<double> numbers_of(const RowPrediction& predicted, const double* g, double y) const;
  // Adds a row. Returns false, and adds nothing, if a number is not finite.
  bool add(std::span<const double> numbers);
  // Only the last max_rows() rows are used. Removes older rows, in blocks.
  void forget_oldest();
  // The group of each row, or its weight and that of a new row. Must be called after all rows are added.
  void set_groups(std::vector<Index> groups);
  void set_weights(std::vector<double> weights, double own_weight);

  bool empty() const { return rows() == 0; }
  Index rows() const { return columns_ == 0 ? 0 : std::ssize(numbers_) / columns_; }
  // The numbers of the i-th row that is kept, its group and its weight; groups and weights if has_groups() and has_weights().
  std::span<const double> row(Index i) const {
    return std::span(numbers_).subspan(place(first() + i), static_cast<std::size_t>(columns_));
  }
  bool has_groups() const { return !groups_.empty(); }
  bool has_weights() const { return !weights_.empty(); }
  Index group(Index i) const { return groups_[static_cast<std::size_t>(i)]; }
  double weight(Index i) const { return weights_[static_cast<std::size_t>(i)]; }
  double own_weight() const { return own_weight_; }
  // The number of rows that are used.
  Index used() const { return rows() - first(); }
  // The probabilities of a group, or of every row; null if no row is kept. Computed once, by the first thread that asks.
  const ValueProbabilities* probabilities(Index group, const ScoreModel& score) const;

  void save(Archive archive) const;
  // `groups`: the number of groups. Throws an Error if the file is damaged.
  static KeptRows load(const Archive& archive, const ScoreModel& score, bool has_ends, Index groups);
  static KeptRows load(const Archive& archive, Index columns, Index groups);

 private:
  struct Cache;
  static KeptRows load(const Archive& archive, KeptRows empty, Index groups);
  Index first() const;  // the first row that is used
  std::size_t place(Index row) const { return static_cast<std::size_t>(row * columns_); }

  Index predictions_ = 1;  // numbers of a prediction: 2 for two ends, or one for each level
  Index columns_ = 0;
  std::vector<double> numbers_;  // row by row, oldest first
  std::vector<Index> groups_;
  std::vector<double> weights_;
  double own_weight_ = 1;
  mutable std::shared_ptr<Cache> cache_;
};

}  // namespace taut
