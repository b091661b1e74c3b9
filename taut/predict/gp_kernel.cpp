#include <taut/predict/gp_kernel.hpp>

#include <taut/algebra/dense.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

using Vector = Eigen::VectorXd;
using Square = Eigen::MatrixXd;

constexpr double prior_spread = 1.5;  // standard deviation of each logarithm in the prior: a factor of 4.5 either way is common

}  // namespace

GpKernel::GpKernel(const Vector& logs)
    : lengths(logs.head(logs.size() - 3).array().exp().matrix().transpose()),
      amplitude(std::exp(logs[logs.size() - 3])),
      slope(std::exp(logs[logs.size() - 2])),
      noise(std::exp(logs[logs.size() - 1])) {}

Square GpKernel::scaled(const Square& x) const { return x.array().rowwise() * (std::sqrt(5.0) * lengths.array().inverse()); }

Square gp_distances(const Square& left, const Square& right) {
  const Vector left_squares = left.rowwise().squaredNorm(), right_squares = right.rowwise().squaredNorm();
  Square d = -2 * multiply(left, right, Transpose::right);
  d.colwise() += left_squares;
  d.rowwise() += right_squares.transpose();
  return d.array().max(0.0).sqrt();
}

Square GpKernel::covariance(const Square& left, const Square& right) const {
  const Square d = gp_distances(scaled(left), scaled(right));
  Square k = slope * slope * multiply(left, right, Transpose::right);
  k.array() += slope * slope + amplitude * amplitude * (1 + d.array() + d.array().square() / 3) * (-d.array()).exp();
  return k;
}

Vector gp_usual_logs(Index columns) {
  Vector logs = Vector::Constant(columns + 3, std::log(1.5 * std::sqrt(static_cast<double>(std::max<Index>(columns, 1)))));
  logs.tail(3) << std::log(1.0), std::log(0.3), std::log(0.2);
  return logs;
}

// With G = K⁻¹ - ααᵀ, α = K⁻¹y, each derivative is ½ Σ G ⊙ ∂K. By log ℓ_c, ∂K = a²·w ⊙ (u_c - u'_c)² with w = (1 + d)e^(-d)/3;
// the sum over pairs of H ⊙ (u_c - u'_c)² is 2(Σ h u_c² - u_cᵀ H u_c), h the row sums of H = G ⊙ a²w: one product for all
// columns.
GpEvidence gp_evidence(const Square& x, const Vector& y, const Vector& logs, RowWeights weights) {
  const GpKernel kernel(logs);
  const Index columns = x.cols();
  const Square u = kernel.scaled(x);
  const Square d = gp_distances(u, u);
  const Square decay = (kernel.amplitude * kernel.amplitude * (-d.array()).exp()).matrix();
  const Square matern = (decay.array() * (1 + d.array() + d.array().square() / 3)).matrix();
  Square linear = kernel.slope * kernel.slope * multiply(x, x, Transpose::right);
  linear.array() += kernel.slope * kernel.slope;
  Square covariance = matern + linear;
  const double noise = kernel.noise * kernel.noise;
  for (Index i = 0; i < covariance.rows(); ++i) covariance(i, i) += noise / weight_of(weights, i);
  const Cholesky factor(std::move(covariance));
  GpEvidence result{infinity, Vector::Zero(logs.size())};
  if (!factor.succeeded()) return result;
  const Vector alpha = factor.solve(y);
  const Vector away = (logs - gp_usual_logs(columns)) / prior_spread;
  result.value = 0.5 * y.dot(alpha) + 0.5 * factor.log_determinant() + 0.5 * away.squaredNorm();
  double further = 0;  // equal observations beyond the first of each row
  for (const double weight : weights) further += weight - 1;
  result.value += further * logs[columns + 2];
  if (!std::isfinite(result.value)) return {infinity, Vector::Zero(logs.size())};

  Square g = factor.inverse();
  g.noalias() -= alpha * alpha.transpose();
  const Square h = (g.array() * decay.array() * (1 + d.array()) / 3).matrix();
  const Vector h_sums = h.rowwise().sum();
  const Square hu = multiply(h, u);
  for (Index c = 0; c < columns; ++c)
    result.gradient[c] = (h_sums.array() * u.col(c).array().square()).sum() - u.col(c).dot(hu.col(c));
  result.gradient[columns] = (g.array() * matern.array()).sum();
  result.gradient[columns + 1] = (g.array() * linear.array()).sum();
  double spread = 0;
  for (Index i = 0; i < g.rows() && !weights.empty(); ++i) spread += g(i, i) / weight_of(weights, i);
  result.gradient[columns + 2] = (weights.empty() ? g.diagonal().sum() : spread) * kernel.noise * kernel.noise + further;
  result.gradient += away / prior_spread;
  return result;
}

namespace {

constexpr double first_step = 0.2, min_step = 1e-3, max_step = 1;
constexpr double longer = 1.2, shorter = 0.5;

// Beyond these bounds the covariance is constant or cannot be factored.
void keep_within_reason(Eigen::VectorXd& logs) {
  const Index columns = logs.size() - 3;
  logs.head(columns) = logs.head(columns).cwiseMax(std::log(0.05)).cwiseMin(std::log(1e3));
  logs[columns] = std::clamp(logs[columns], std::log(0.02), std::log(20.0));
  logs[columns + 1] = std::clamp(logs[columns + 1], std::log(1e-3), std::log(10.0));
  logs[columns + 2] = std::clamp(logs[columns + 2], std::log(0.005), std::log(2.0));
}

// Rprop (Riedmiller and Braun, 1993): each logarithm has its step size, which grows while the sign of the derivative stays and
// shrinks when it changes. It needs no line search and no second derivatives, which differ widely between lengths and noise.
void descend(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, RowWeights weights, Index steps, double first,
             const ExecutionContext& context, Eigen::VectorXd& best) {
  Eigen::VectorXd logs = best;
  Eigen::VectorXd step = Eigen::VectorXd::Constant(logs.size(), first);
  Eigen::VectorXd before = Eigen::VectorXd::Zero(logs.size());
  double minimum = infinity;
  for (Index i = 0; i < steps; ++i) {
    context.report("gp", static_cast<double>(i) / static_cast<double>(steps));
    const GpEvidence evidence = gp_evidence(x, y, logs, weights);
    if (!std::isfinite(evidence.value)) {  // return to the best parameters and continue with smaller steps
      logs = best;
      step *= shorter;
      before.setZero();
      continue;
    }
    if (evidence.value < minimum) {
      minimum = evidence.value;
      best = logs;
    }
    for (Index k = 0; k < logs.size(); ++k) {
      double slope = evidence.gradient[k];
      if (slope * before[k] > 0) step[k] = std::min(step[k] * longer, max_step);
      if (slope * before[k] < 0) {
        step[k] = std::max(step[k] * shorter, min_step);
        slope = 0;
      }
      if (slope != 0) logs[k] -= std::copysign(step[k], slope);
      before[k] = slope;
    }
    keep_within_reason(logs);
  }
}

}  // namespace

Eigen::VectorXd gp_search(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const GpSearch& search,
                          const ExecutionContext& context, RowWeights weights) {
  Eigen::VectorXd logs = gp_usual_logs(x.cols());
  const Index few = std::min(search.few_rows, x.rows());
  const RowWeights of_few = weights.empty() ? weights : weights.first(static_cast<std::size_t>(few));
  descend(x.topRows(few), y.head(few), of_few, search.steps_on_few, first_step, context, logs);
  if (few < x.rows()) descend(x, y, weights, search.steps, first_step / 2, context, logs);
  return logs;
}

}  // namespace taut
