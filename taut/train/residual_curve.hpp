// The second stage of g: what a scale leaves over. Quantile curves of the scaled signed residual, which give φ = `curve` its
// parameters and every row a centre of its own.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/train/quantile_lines.hpp>
#include <taut/trees/vector_forest.hpp>

#include <vector>

namespace taut {

// Q_p(x), the p-quantiles of z = (y − f) / s given x, f and log s, p = curve_probabilities and their mirror images around the
// median: a mean over members, each trained without one fold.
class ResidualCurve {
 public:
  struct Member {
    std::vector<double> initial;
    QuantileLines lines;  // on top of these, where it has slopes
    VectorForest forest;
  };

  ResidualCurve() = default;
  explicit ResidualCurve(std::vector<Member> members) : members_(std::move(members)) {}

  bool is_trained() const { return !members_.empty(); }
  Index n_members() const { return std::ssize(members_); }

  // For rows with these inputs of the localizer and these log-scales, one a row or one for each side: the parameters of φ below
  // the centre, those above it, and how far the centre lies above f, everything in units of the residuals.
  Matrix params(const Inputs& x, const Matrix& log_scales, int threads) const;

  void save(Archive archive) const;
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
