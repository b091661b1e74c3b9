// Gradient boosting from any gradients: trees grown by histograms, the same to the last bit for any number of threads.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <memory>

namespace taut {

struct BoosterSettings {
  Index groups = 1;  // outputs; a round grows one tree for each
  Index depth = 6;
  double rate = 0.05;
  double lambda = 1;        // added to the curvature of every leaf
  double min_weight = 1;    // least sum of curvatures in a leaf
  double min_gain = 0;      // least G²/H that a split must gain
  double row_share = 1;     // of the rows that each round looks at, drawn anew each round
  double column_share = 1;  // of the columns that each tree looks at
  Index bins = 256;         // most bins of a column, one of them for missing cells
  std::uint64_t seed = 0;
  int threads = 0;  // at most so many; few rows get fewer
};

// Missing cells are NaN; infinite ones are as good as very large ones.
class Booster {
 public:
  // Reads the inputs here and never again. `validation` may have no rows.
  Booster(const Inputs& train, const Inputs& validation, const BoosterSettings& settings);
  ~Booster();
  Booster(Booster&&) noexcept;
  Booster& operator=(Booster&&) noexcept;

  // One round: rows x groups, ∂loss/∂margin and ∂²loss/∂margin² (or an upper bound, not negative) of the training rows.
  // Both are multiplied by `scale`. A row with zeros in both takes no part.
  void boost(const Matrix& gradient, const Matrix& curvature, double scale = 1);

  // Sums of leaves so far, rows x groups, 0 before the first round: what forest().evaluate() gives.
  const MatrixF& train_margins() const;
  const MatrixF& validation_margins() const;

  Index rounds() const;
  void mark();    // remembers this round,
  void rewind();  // goes on from the marked one; from the start without a mark
  const Forest& forest() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace taut
