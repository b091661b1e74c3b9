// Quantile curves of the scaled signed residual. They determine the parameters of φ = `curve` and the centre of every row.
#pragma once

#include <taut/train/quantile_lines.hpp>
#include <taut/train/shape.hpp>
#include <taut/trees/vector_forest.hpp>

#include <vector>

namespace taut {

// Q_p(x), the p-quantiles of z = (y − f) / s given x, f and log s. The p are 0.5, curve_probabilities and their mirror images
// 1 − p. Q is the mean over members, each trained without one fold.
class ResidualCurve final : public Shape {
 public:
  struct Member {
    std::vector<double> initial;
    QuantileLines lines;  // added to `initial` if it has slopes
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
// The inputs of lines and trees: those of the localizer, then log s.
MatrixF curve_inputs(const Inputs& x, const Matrix& log_scales);
// The parameters of Shape::params() from quantiles of z, which may be unsorted.
Matrix curve_params(Matrix quantiles, const Matrix& log_scales);

}  // namespace taut
