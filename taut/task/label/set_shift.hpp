// The shift of a label's score that depends on x, and how it is trained.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/data/split.hpp>
#include <taut/task/label/set_objective.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

// φ for labels: the log odds of a score less g(x), so that e^g(x) is a scale of the odds. Large g: more labels come into the set.

// log(a / (top − a)): −infinity for 0, +infinity for top, and in the order of a.
double log_odds(double a, double top);

// What the model knows of rows: inputs, and the probabilities of all labels.
struct RowsOfShift {
  const TableView& x;
  RowsView rows;
  const Matrix& p;  // a row for each of `rows`
};

class SetShift {
 public:
  struct Fitted;

  SetShift() = default;  // none: φ(a) = a, the classical method

  // `v`: log odds of the scores of the rows, rows x labels; `parts` are positions in them. Trained by `objective`, judged by
  // `wanted`: there is no shift where validation rows do not say that it is better.
  static Fitted fit(const RowsOfShift& rows, const Matrix& v, std::span<const Index> labels,
                    const std::vector<TrainingPart>& parts, const SetObjective& objective, SetObjective::Goal wanted,
                    std::uint64_t seed, const ExecutionContext& context);

  bool empty() const { return members_.empty(); }
  Index members() const { return std::ssize(members_); }
  // g of every row; 0 where there is nothing.
  std::vector<double> at(const RowsOfShift& rows, int threads) const;

  void save(Archive archive) const;
  static SetShift load(const Archive& archive, const std::vector<Column>& schema);

 private:
  MatrixF inputs(const RowsOfShift& rows, int threads) const;

  Encoder encoder_;
  std::vector<Forest> members_;
};

struct SetShift::Fitted {
  SetShift shift;
  // On validation rows, without and with g: mean size over the levels (or the pinball loss of `conditional`), and the standard
  // error of the difference, row by row.
  double without = missing, with = missing, error = missing;
};

// The training of one member of g, and how rows that it has not seen judge it.

struct TrainedShift {
  Forest forest;
  std::vector<double> validation;  // g of the rows that validate
};

// Boosted on the rows that train, until the objective of those that validate has not fallen for a while.
TrainedShift train_shift(const InputPool& x, const TrainingPart& part, const SetRows& rows, const SetObjective& objective,
                         std::uint64_t seed, const ExecutionContext& context);

// What each row costs without g and with it: sizes of sets, or pinball losses, with cut-offs that are exact quantiles of the
// rows that validate; the mean over the levels.
struct ShiftedRows {
  std::vector<double> without, with;
};
ShiftedRows judge_shift(const SetRows& rows, const TrainingPart& part, std::span<const double> g, const SetObjective& objective);

}  // namespace taut
