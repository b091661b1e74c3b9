// The shift g(x) of the scores of labels, and its training.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/data/split.hpp>
#include <taut/task/label/row_labels.hpp>
#include <taut/task/label/set_objective.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

// φ for labels is the log odds of a score minus g(x), so that e^g(x) is a scale of the odds. A larger g gives a larger set.

// log(a / (top − a)), increasing in a: −infinity for 0, +infinity for top.
double log_odds(double a, double top);

// The inputs of g: the model's inputs, and the probabilities of all labels.
struct RowsOfShift {
  const TableView& x;
  RowsView rows;
  const Matrix& p;  // a row for each of `rows`
};

class SetShift {
 public:
  struct Fitted;

  SetShift() = default;  // no shift: φ(a) = a, as in the classical method

  // `v`: log odds of the scores of the rows, rows x labels. `parts`: positions in these rows. g is trained by `objective` and
  // validated by `wanted`. The result is empty unless validation rows show an improvement.
  static Fitted fit(const RowsOfShift& rows, const Matrix& v, RowLabels labels, const std::vector<TrainingPart>& parts,
                    const SetObjective& objective, SetObjective::Goal wanted, std::uint64_t seed,
                    const ExecutionContext& context);

  bool empty() const { return members_.empty(); }
  Index members() const { return std::ssize(members_); }
  // g of every row; 0 if there is no shift.
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
  // The loss of validation rows without and with g: the mean size over the levels, or the pinball loss of `conditional`. `error`:
  // the standard error of the difference.
  double without = missing, with = missing, error = missing;
};

// One trained member of g.
struct TrainedShift {
  Forest forest;
  std::vector<double> validation;  // g of the validation rows
};

// Boosting on the training rows of `part`, with early stopping by the objective of its validation rows.
TrainedShift train_shift(const InputPool& x, const TrainingPart& part, const SetRows& rows, const SetObjective& objective,
                         std::uint64_t seed, const ExecutionContext& context);

// The loss of each validation row without and with g: the size of its set, or its pinball loss. Cut-offs are exact quantiles of
// the validation rows; the loss is the mean over the levels.
struct ShiftedRows {
  std::vector<double> without, with;
};
ShiftedRows evaluate_shift(const SetRows& rows, const TrainingPart& part, std::span<const double> g,
                           const SetObjective& objective);

}  // namespace taut
