// φ for labels: the log odds of a score less g(x), so that e^g(x) is a scale of the odds. Large g: more labels come into the set.
#pragma once

#include <taut/task/label/set_objective.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/encoding.hpp>
#include <taut/train/training_part.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

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

}  // namespace taut
