// Quantile curves of the scaled signed residual, which give φ = `curve` its parameters and every row a centre of its own.
#pragma once

#include <taut/train/quantile_lines.hpp>
#include <taut/train/shape.hpp>
#include <taut/trees/vector_forest.hpp>

#include <vector>

namespace taut {

// Q_p(x), the p-quantiles of z = (y − f) / s given x, f and log s, p = curve_probabilities and their mirror images around the
// median: a mean over members, each trained without one fold.
class ResidualCurve final : public Shape {
 public:
  struct Member {
    std::vector<double> initial;
    QuantileLines lines;  // on top of these, where it has slopes
    VectorForest forest;
  };

  explicit ResidualCurve(std::vector<Member> members) : members_(std::move(members)) {}

  Index n_members() const override { return std::ssize(members_); }
  Matrix params(const Inputs& x, const Matrix& log_scales, int threads) const override;
  std::optional<DescribedQuantiles> describe() const override;
  void save(Archive archive) const override;
  static ResidualCurve load(const Archive& archive, Index inputs, Index sides);

 private:
  std::vector<Member> members_;
};

// All probabilities of the curve, ascending.
std::vector<double> all_curve_probabilities();
// What lines and trees see: the localizer's inputs, then log s.
MatrixF curve_inputs(const Inputs& x, const Matrix& log_scales);
// Quantiles of z, in any order, become parameters as above.
Matrix curve_params(Matrix quantiles, const Matrix& log_scales);

}  // namespace taut
