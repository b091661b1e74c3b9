// The rows of a scale family in logarithms, the input of every objective for r / s(x), and the chain rule back to g.
#pragma once

#include <taut/core/threads.hpp>
#include <taut/train/objective.hpp>

namespace taut {

// The first derivative of a loss by one u, and a curvature.
struct Slope {
  double gradient, curvature;
};

// u = log s of each side that exists, z = r / s of the side that occurred.
class ScaleRows {
 public:
  explicit ScaleRows(const ObjectiveRows& rows);

  Index count() const { return rows_.rows(); }
  int sides() const { return rows_.sides; }
  int threads() const { return rows_.threads; }
  const Eigen::ArrayXXd& u() const { return u_; }  // rows x sides
  Eigen::ArrayXXd s() const { return u_.exp(); }   // computed on demand: not every objective needs it
  const Eigen::ArrayXd& z() const { return z_; }
  double weight(Index row) const { return rows_.weight_of(row); }
  double total() const { return rows_.total(); }
  // Sums over rows, or over rows and sides, each row with its weight.
  double sum(const Eigen::ArrayXd& values) const { return weights_.size() == 0 ? values.sum() : (values * weights_).sum(); }
  double sum(const Eigen::ArrayXXd& values) const {
    return weights_.size() == 0 ? values.sum() : (values.colwise() * weights_).sum();
  }
  // The same with squared weights, those of a row paired with itself.
  template <class Expression>
  double sum_of_squared_weights(const Expression& values) const {
    return weights_.size() == 0 ? values.sum() : (values * weights_.square()).sum();
  }
  // The column of the side on which the target of the row is.
  Index occurred(Index row) const { return sides() == 2 ? static_cast<Index>(rows_.side[static_cast<std::size_t>(row)]) : 0; }

  // Turns ∂loss/∂u and its curvature, of_u(row, side), into those of g by the chain rule. The curvature is its leading term,
  // (∂u/∂g)² times that of u, which is exact if u is linear in g.
  template <class OfU>
  void back(OfU of_u, Matrix* gradient, Matrix* curvature) const;

  // For a gradient that is a difference: `up` for every side, `down` for the side that occurred. The curvature is their sum.
  static Slope pulled(double up, double down) { return {up - down, up + down}; }

 private:
  static constexpr Index block = 1 << 14;

  const ObjectiveRows& rows_;
  Eigen::ArrayXXd u_;
  Eigen::ArrayXd z_;
  Eigen::ArrayXd weights_;  // empty if every row counts once
};

template <class OfU>
void ScaleRows::back(OfU of_u, Matrix* gradient, Matrix* curvature) const {
  const Index params = rows_.transform.n_params();
  gradient->resize(count(), params * sides());
  curvature->resize(count(), params * sides());
  parallel_blocks(count(), block, rows_.threads, [&](Index begin, Index end) {
    std::vector<double> du(static_cast<std::size_t>(params));
    const Index first = begin * params * sides();
    const double* g = rows_.g.data() + first;
    double* gradient_g = gradient->data() + first;
    double* curvature_g = curvature->data() + first;
    for (Index i = begin; i < end; ++i)
      for (int side = 0; side < sides(); ++side, g += params) {
        rows_.transform.log_scale_grad(g, du.data());
        const Slope of_loss = of_u(i, Index{side});
        for (const double slope : du) {
          *gradient_g++ = of_loss.gradient * slope;
          *curvature_g++ = of_loss.curvature * slope * slope;
        }
      }
  });
}

}  // namespace taut
