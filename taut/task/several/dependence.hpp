// How targets depend on one another given x: the correlation of their scores, trained by boosted trees.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/table_view.hpp>
#include <taut/localize/localizer.hpp>

#include <memory>
#include <span>
#include <vector>

namespace taut {

// The correlation matrix R = LLᵀ of d standard normal scores n, given by numbers a_jk for k < j:
//   L_jk = a_jk / h_j,  L_jj = 1 / h_j,  h_j = √(1 + Σ_k a_jk²).
// Every a gives a correlation matrix. `a` has the rows of the lower triangle one after another.
struct Correlation {
  std::span<const double> a;
  Index targets;

  static Index params(Index targets) { return targets * (targets - 1) / 2; }
  double h(Index j) const;
  double operator()(Index j, Index k) const { return a[static_cast<std::size_t>(j * (j - 1) / 2 + k)]; }
  // z = L⁻¹n: independent if n has this correlation; and n = Lz.
  void whiten(std::span<const double> n, std::span<double> z) const;
  void colour(std::span<const double> z, std::span<double> n) const;
  double log_determinant_of_inverse() const;  // log |L⁻¹| = Σ log h_j
};

// The negative log likelihood of n, ½|z|² − Σ log h_j up to a constant, and its derivatives by a. `curvature` is that of |z|²
// alone, which is never negative.
double correlation_loss(const Correlation& correlation, std::span<const double> n, std::span<double> gradient = {},
                        std::span<double> curvature = {});

// a(x).
class Dependence {
 public:
  // Beyond this number of targets the correlation is the same everywhere.
  static constexpr Index max_targets_to_train = 6;

  Dependence() = default;
  // From out-of-fold scores (rows x targets) of these rows of x, and predictions as further inputs. Trained a(x) is kept if it is
  // better than one a for all rows on held-out parts, by more than the standard error. `out_of_fold` receives a of each row, by
  // members that were not trained on it.
  static Dependence fit(const Matrix& scores, const TableView& x, RowsView rows, const Matrix& predictions, std::uint64_t seed,
                        const ExecutionContext& context, Matrix& out_of_fold);

  bool is_constant() const { return members_.empty(); }
  Index n_params() const { return std::ssize(constant_); }
  // The largest correlation of two targets with the same a everywhere.
  double largest_correlation() const { return largest_; }
  Matrix params(const TableView& x, RowsView rows, const Matrix& predictions, int threads) const;
  std::span<const double> constant() const { return constant_; }

  void save(Archive archive) const;
  static Dependence load(const Archive& archive, const std::vector<Column>& schema, Index targets);

 private:
  MatrixF inputs(const TableView& x, RowsView rows, const Matrix& predictions, int threads) const;

  std::vector<double> constant_;
  double largest_ = 0;
  Encoder encoder_;
  Index predictions_ = 0;  // number of further inputs
  std::vector<std::shared_ptr<Localizer>> members_;
};

}  // namespace taut
