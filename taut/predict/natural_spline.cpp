#include <taut/predict/natural_spline.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Green and Silverman, Nonparametric Regression and Generalized Linear Models, section 2.1: R γ = Qᵀ g, with γ the second
// derivatives at the inner knots and g the values.
struct SplineBands {
  Eigen::MatrixXd q;  // Qᵀ: inner knots x knots
  Eigen::MatrixXd r;  // R: inner knots x inner knots
};

SplineBands bands_of(const std::vector<double>& knots) {
  const Index inner = std::ssize(knots) - 2;
  SplineBands bands{Eigen::MatrixXd::Zero(inner, inner + 2), Eigen::MatrixXd::Zero(inner, inner)};
  for (Index i = 0; i < inner; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double before = knots[at + 1] - knots[at], after = knots[at + 2] - knots[at + 1];
    bands.q(i, i) = 1 / before;
    bands.q(i, i + 1) = -1 / before - 1 / after;
    bands.q(i, i + 2) = 1 / after;
    bands.r(i, i) = (before + after) / 3;
    if (i + 1 < inner) bands.r(i, i + 1) = bands.r(i + 1, i) = after / 6;
  }
  return bands;
}

}  // namespace

SplineKnots::SplineKnots(std::vector<double> knots) : knots_(std::move(knots)), bends_(Eigen::MatrixXd::Zero(size(), size())) {
  if (size() < 3) return;
  const SplineBands bands = bands_of(knots_);
  bends_.middleRows(1, size() - 2) = bands.r.llt().solve(bands.q);
}

Eigen::MatrixXd SplineKnots::roughness() const {
  if (size() < 3) return Eigen::MatrixXd::Zero(size(), size());
  return bands_of(knots_).q.transpose() * bends_.middleRows(1, size() - 2);
}

Eigen::MatrixXd SplineKnots::curves() const {
  const Index count = std::max<Index>(0, size() - 2);
  if (count == 0) return Eigen::MatrixXd::Zero(size(), 0);
  const Eigen::MatrixXd rough = roughness();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((rough + rough.transpose()) / 2);
  // Ascending: the first two are the straight lines.
  const double least = solver.eigenvalues()[size() - 1] * 1e-15;
  const Eigen::VectorXd lengths = solver.eigenvalues().tail(count).cwiseMax(least).cwiseSqrt().cwiseInverse();
  return solver.eigenvectors().rightCols(count) * lengths.asDiagonal();
}

NaturalSpline::NaturalSpline(std::vector<double> knots, std::vector<double> values, double low, double high)
    : knots_(std::move(knots)), values_(std::move(values)), low_(low), high_(high) {
  const auto count = static_cast<Index>(knots_.size());
  const Eigen::VectorXd at_knots = Eigen::Map<const Eigen::VectorXd>(values_.data(), count);
  const Eigen::VectorXd bends = SplineKnots(knots_).bends() * at_knots;
  for (Index k = 0; k + 1 < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double width = knots_[at + 1] - knots_[at];
    const double slope = (values_[at + 1] - values_[at]) / width - width * (2 * bends[k] + bends[k + 1]) / 6;
    if (k == 0) pieces_.push_back({knots_[0], values_[0], slope, 0, 0});
    pieces_.push_back({knots_[at], values_[at], slope, bends[k] / 2, (bends[k + 1] - bends[k]) / (6 * width)});
    if (k + 2 < count) continue;
    const double last = (values_[at + 1] - values_[at]) / width + width * (bends[k] + 2 * bends[k + 1]) / 6;
    pieces_.push_back({knots_[at + 1], values_[at + 1], last, 0, 0});
  }
}

double NaturalSpline::operator()(double x) const {
  x = x > low_ ? std::min(x, high_) : low_;
  std::size_t which = 0;
  for (const double knot : knots_) which += x >= knot ? 1 : 0;
  const Piece& piece = pieces_[which];
  const double d = x - piece.from;
  return piece.constant + d * (piece.slope + d * (piece.square + d * piece.cube));
}

}  // namespace taut
