#include <taut/train/residual_curve.hpp>

#include <taut/core/error.hpp>
#include <taut/transform/curve.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The minimum length of a segment as a share of the whole curve. It keeps scores strictly increasing within a segment.
constexpr double min_segment = 1e-3;
constexpr auto knots_of_side = static_cast<Index>(n_curve_knots);
constexpr Index n_quantiles = 2 * knots_of_side + 1;

}  // namespace

std::vector<double> all_curve_probabilities() {
  std::vector<double> all;
  for (std::size_t k = n_curve_knots; k-- > 0;) all.push_back(1 - curve_probabilities[k]);
  all.push_back(0.5);
  all.insert(all.end(), curve_probabilities.begin(), curve_probabilities.end());
  return all;
}

MatrixF curve_inputs(const Inputs& x, const Matrix& log_scales) {
  MatrixF all(x.rows(), x.cols() + log_scales.cols());
  all.leftCols(x.cols()) = x;
  all.rightCols(log_scales.cols()) = log_scales.cast<float>();
  return all;
}

Matrix curve_params(Matrix quantiles, const Matrix& log_scales) {
  Matrix g(quantiles.rows(), n_quantiles);
  for (Index row = 0; row < g.rows(); ++row) {
    double* const y = quantiles.row(row).data();  // quantiles of z, then of y − f in units of the residuals
    std::sort(y, y + n_quantiles);
    const double below = std::exp(log_scales(row, 0)), above = std::exp(log_scales(row, log_scales.cols() - 1));
    for (Index k = 0; k < n_quantiles; ++k) y[k] *= y[k] < 0 ? below : above;
    const double minimum = std::max(min_segment * (y[n_quantiles - 1] - y[0]), 1e-12 * std::max(below, above));
    const auto log_width = [&](Index from, Index to) { return std::log(std::max(y[to] - y[from], minimum)); };
    for (Index k = 0; k < knots_of_side; ++k) {
      g(row, k) = log_width(knots_of_side - k - 1, knots_of_side - k);
      g(row, knots_of_side + k) = log_width(knots_of_side + k, knots_of_side + k + 1);
    }
    g(row, 2 * knots_of_side) = y[knots_of_side];
  }
  return g;
}

Matrix ResidualCurve::params(const Inputs& x, const Matrix& log_scales, int threads) const {
  const MatrixF inputs = curve_inputs(x, log_scales);
  Matrix mean = Matrix::Zero(x.rows(), n_quantiles), one(x.rows(), n_quantiles);
  for (const Member& member : members_) {
    member.forest.evaluate(inputs, one, threads);
    mean += one;
    member.lines.add_slopes(inputs, mean);
    mean.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(member.initial.data(), n_quantiles);
  }
  mean /= static_cast<double>(members_.size());
  return curve_params(std::move(mean), log_scales);
}

std::optional<DescribedQuantiles> ResidualCurve::describe() const {
  DescribedQuantiles all{all_curve_probabilities(), {}};
  for (const Member& member : members_)
    all.members.push_back({member.initial, member.lines.describe(), member.forest.describe()});
  return all;
}

void ResidualCurve::save(Archive archive) const {
  archive.put("probabilities", all_curve_probabilities());
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Archive scope = archive.scope("member" + std::to_string(m));
    scope.put("initial", members_[m].initial);
    if (members_[m].lines.has_slopes()) members_[m].lines.save(scope.scope("lines"));
    members_[m].forest.save(scope.scope("trees"));
  }
}

ResidualCurve ResidualCurve::load(const Archive& archive, Index inputs, Index sides) {
  constexpr std::int64_t max_members = 1000;
  if (archive.get<std::vector<double>>("probabilities") != all_curve_probabilities())
    throw Error("the model file's curve has other quantiles than this version of Taut supports: it is damaged or newer");
  std::vector<Member> members(static_cast<std::size_t>(archive.integer_in("members", 1, max_members)));
  for (std::size_t m = 0; m < members.size(); ++m) {
    const Archive scope = archive.scope("member" + std::to_string(m));
    members[m].initial = scope.get<std::vector<double>>("initial");
    if (std::ssize(members[m].initial) != n_quantiles ||
        !std::all_of(members[m].initial.begin(), members[m].initial.end(), [](double z) { return std::isfinite(z); }))
      throw Error("the model file's curve does not start from finite quantiles: it is damaged");
    if (scope.has_scope("lines")) members[m].lines = QuantileLines::load(scope.scope("lines"), inputs + sides, n_quantiles);
    members[m].forest = VectorForest::load(scope.scope("trees"), inputs + sides, n_quantiles);
  }
  return ResidualCurve(std::move(members));
}

}  // namespace taut
