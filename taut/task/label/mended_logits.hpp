// Logits corrected by boosted trees, and how much the members of f count.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/split.hpp>
#include <taut/trees/booster.hpp>

#include <span>
#include <vector>

namespace taut {

// How much each member of f counts: the weights ≥ 0 of logits whose weighted sum has the least log loss.

// Logits of the same rows by several members, rows x labels, from what has not seen these rows. The loss is convex in the
// weights; one member alone gets its inverse temperature. With doubt_of() the rows.
std::vector<double> logit_weights(const std::vector<const Matrix*>& members, std::span<const Index> labels, int threads);

// Σ w_j z_j; members of weight 0 need no logits.
Matrix weighted_logits(const std::vector<const Matrix*>& members, std::span<const double> weights);

// Logits of given probabilities, or of a linear member, mended: boosted trees with softmax loss that begin at them and see the
// inputs too. A model that knows too little of some rows is put right there before any set is made; where nothing is to be mended
// nothing is.

class MendedLogits {
 public:
  struct Fitted;

  MendedLogits() = default;  // logits stay as they are

  // `logits` of the rows of x, as given, and the doubt of their temperature; `folds` are positions in them, each row validates
  // once. None where the log loss of rows that validate does not fall by more than a standard error. `settings` of the trees:
  // cautious ones for given probabilities, whose model has seen more rows than there are here.
  static Fitted fit(const TableView& x, RowsView rows, const Matrix& logits, double doubt, std::span<const Index> labels,
                    const std::vector<TrainingPart>& folds, const BoosterSettings& settings, const ExecutionContext& context);
  static BoosterSettings cautious(Index rows, Index classes, std::uint64_t seed, int threads);

  bool empty() const { return forest_.trees() == 0; }
  Index trees() const { return forest_.trees(); }
  Matrix at(const TableView& x, RowsView rows, Matrix logits, int threads) const;

  void save(Archive archive) const;
  static MendedLogits load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  MatrixF inputs(const TableView& x, RowsView rows, const Matrix& logits, int threads) const;

  double scale_ = 1;  // of logits before the first tree: their inverse temperature
  Encoder encoder_;
  Forest forest_;
};

struct MendedLogits::Fitted {
  MendedLogits mended;
  Matrix out_of_fold;                                         // mended by trees that have not seen the row, where they are kept
  double without = missing, with = missing, error = missing;  // log loss of rows that validate, and the error of the difference
};

}  // namespace taut
