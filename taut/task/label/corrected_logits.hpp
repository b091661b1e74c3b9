// Logits that boosted trees correct, and the weights of the members of f.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/split.hpp>
#include <taut/task/label/row_labels.hpp>
#include <taut/trees/booster.hpp>

#include <span>
#include <vector>

namespace taut {

// The weights ≥ 0 of members of f whose weighted sum of logits has the lowest log loss. `members`: logits of the same rows, rows
// x labels, by members that have not seen these rows. The loss is convex in the weights; a single member gets its inverse
// temperature. Labels are smoothed by label_smoothing() of the number of rows.
std::vector<double> logit_weights(const std::vector<const Matrix*>& members, RowLabels labels, int threads);

// Σ w_j z_j; members of weight 0 need no logits.
Matrix weighted_logits(const std::vector<const Matrix*>& members, std::span<const double> weights);

// Boosted trees with softmax loss that correct the logits of given probabilities or of a linear member. They start from these
// logits and use the inputs too, so that a model with systematic errors is corrected before sets are made. If validation rows
// show no improvement, the logits stay as they are.
class CorrectedLogits {
 public:
  struct Fitted;

  CorrectedLogits() = default;  // logits stay as they are

  // `logits`: of `rows`, as given. `doubt`: for their temperature. `folds`: positions in `rows`; each row validates once. There
  // is no correction unless the log loss of validation rows falls by more than a standard error. `settings`: of the trees;
  // cautious() for given probabilities, whose model was trained on more rows than these.
  static Fitted fit(const TableView& x, RowsView rows, const Matrix& logits, double doubt, RowLabels labels,
                    const std::vector<TrainingPart>& folds, const BoosterSettings& settings, const ExecutionContext& context);
  static BoosterSettings cautious(Index rows, Index classes, std::uint64_t seed, int threads);

  bool empty() const { return forest_.trees() == 0; }
  Index trees() const { return forest_.trees(); }
  Matrix at(const TableView& x, RowsView rows, Matrix logits, int threads) const;

  void save(Archive archive) const;
  static CorrectedLogits load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  MatrixF inputs(const TableView& x, RowsView rows, const Matrix& logits, int threads) const;

  double scale_ = 1;  // inverse temperature of the logits before the first tree
  Encoder encoder_;
  Forest forest_;
};

struct CorrectedLogits::Fitted {
  CorrectedLogits corrected;
  Matrix out_of_fold;  // corrected by trees that have not seen the row; the given logits if there is no correction
  // Log loss of validation rows without and with the correction, and the standard error of the difference.
  double without = missing, with = missing, error = missing;
};

}  // namespace taut
