#include <taut/predict/stack_weights.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

using Vector = Eigen::VectorXd;

constexpr Index enough_rows = 50'000;  // more rows would not change a dozen weights
constexpr double min_weight = 0.03;
constexpr int reweightings = 12;

// Minimises wᵀGw − 2cᵀw over the simplex by moving weight between two members at a time, each time by the optimal step. G is a
// Gram matrix, so the problem is convex and the objective never rises.
void solve_on_simplex(const Eigen::MatrixXd& gram, const Vector& product, const std::vector<bool>& allowed, Vector& weights) {
  constexpr int sweeps = 400;
  const Index n = gram.rows();
  Vector slope = gram * weights - product;
  const double negligible = 1e-12 * std::max(1e-300, gram.diagonal().mean());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (Index to = 0; to < n; ++to)
      for (Index from = 0; from < n; ++from) {
        if (to == from || weights[from] <= 0 || !allowed[static_cast<std::size_t>(to)]) continue;
        const double bend = gram(to, to) + gram(from, from) - 2 * gram(to, from);
        if (!(bend > negligible)) continue;
        const double step = std::min(weights[from], (slope[from] - slope[to]) / bend);
        if (!(step > 0)) continue;
        weights[to] += step;
        weights[from] = step == weights[from] ? 0 : weights[from] - step;
        slope += step * (gram.col(to) - gram.col(from));
        moved += step;
      }
    if (moved < 1e-10) return;
  }
}

struct StackSample {
  Eigen::MatrixXd predictions;  // errors (prediction − y), rows x members, in units of the mean error of the best member
  Vector of_rows{};             // weights of the rows; empty if all count once
  bool mean = false;            // squared errors
  Index members() const { return predictions.cols(); }
};

Vector mean_errors(const StackSample& sample) {
  if (sample.of_rows.size() == 0) return sample.predictions.cwiseAbs().colwise().mean().transpose();
  return sample.predictions.cwiseAbs().transpose() * sample.of_rows / sample.of_rows.sum();
}

// Errors of evenly spaced rows, divided by the mean error of the best member. Since weights sum to 1, the weighted mean of the
// members' errors is the error of the stack.
StackSample errors_of(const Matrix& predictions, std::span<const double> y, RowWeights of_rows) {
  const Index stride = std::max<Index>(1, predictions.rows() / enough_rows), n = (predictions.rows() + stride - 1) / stride;
  StackSample sample{Eigen::MatrixXd(n, predictions.cols())};
  sample.of_rows.resize(of_rows.empty() ? 0 : n);
  for (Index i = 0; i < sample.of_rows.size(); ++i) sample.of_rows[i] = weight_of(of_rows, i * stride);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < predictions.cols(); ++k)
      sample.predictions(i, k) = std::clamp(predictions(i * stride, k) - y[static_cast<std::size_t>(i * stride)], -1e100, 1e100);
  const double unit = mean_errors(sample).minCoeff();
  if (unit > 0) sample.predictions /= unit;
  // Squares of these are summed. Clamping keeps the sums finite even if one member is far off everywhere.
  sample.predictions = sample.predictions.cwiseMax(-1e100).cwiseMin(1e100);
  return sample;
}

// Minimises the pseudo-Huber loss with δ = the mean error of the best member, by iteratively reweighted least squares. Each step
// minimises the parabola that touches the loss from above.
Vector best_weights(const StackSample& sample, const std::vector<bool>& allowed, Index start) {
  Vector weights = Vector::Zero(sample.members());
  weights[start] = 1;
  for (int round = 0; round < reweightings; ++round) {
    const Vector error = sample.predictions * weights;
    Vector row_weights = (1 + error.array().square()).sqrt().inverse();
    if (sample.mean) row_weights.setOnes();
    if (sample.of_rows.size() > 0) row_weights.array() *= sample.of_rows.array();
    const Eigen::MatrixXd gram = sample.predictions.transpose() * row_weights.asDiagonal() * sample.predictions;
    const Vector before = weights;
    solve_on_simplex(gram, Vector::Zero(sample.members()), allowed, weights);
    if ((weights - before).cwiseAbs().sum() < 1e-6) break;
  }
  return weights;
}

}  // namespace

double mean_absolute_error(const Matrix& predictions, Index column, std::span<const double> y, RowWeights of_rows) {
  const double all = total_weight(of_rows, predictions.rows());
  double sum = 0;
  for (Index i = 0; i < predictions.rows(); ++i)
    sum += weight_of(of_rows, i) * (std::abs(predictions(i, column) - y[static_cast<std::size_t>(i)]) / all);
  return sum;
}

std::vector<bool> needed_in_stack(const Matrix& predictions, std::span<const double> y, RemovalLimits limits,
                                  RowWeights of_rows) {
  const auto stack_of = [&](const std::vector<Index>& members) -> Matrix {
    const Matrix some = predictions(Eigen::all, members);
    const auto weights = stack_weights(some, y, of_rows);
    return some * Eigen::Map<const Vector>(weights.data(), std::ssize(weights));
  };
  std::vector<double> alone;
  std::vector<Index> kept;
  for (Index k = 0; k < predictions.cols(); ++k) {
    alone.push_back(mean_absolute_error(predictions, k, y, of_rows));
    kept.push_back(k);
  }
  const double min_alone = *std::min_element(alone.begin(), alone.end());
  const Matrix all = stack_of(kept);
  const double error_of_all = mean_absolute_error(all, 0, y, of_rows);
  const std::vector<double> zeros(y.size());
  const auto change_to = [&](const Matrix& without) {
    return of_rows.empty() ? (without - all).cwiseAbs().mean() : mean_absolute_error(without - all, 0, zeros, of_rows);
  };
  for (;;) {
    std::vector<Index> best;
    double minimum = (1 + limits.error) * error_of_all;
    for (const Index k : kept) {
      if (kept.size() == 1 || !(alone[static_cast<std::size_t>(k)] > limits.clearly * min_alone)) continue;
      std::vector<Index> others = kept;
      std::erase(others, k);
      const Matrix without = stack_of(others);
      const double error = mean_absolute_error(without, 0, y, of_rows);
      if (!(error <= minimum) || !(change_to(without) <= limits.change * error_of_all)) continue;
      minimum = error;
      best = std::move(others);
    }
    if (best.empty()) break;
    kept = std::move(best);
  }
  std::vector<bool> needed(alone.size(), false);
  for (const Index k : kept) needed[static_cast<std::size_t>(k)] = true;
  return needed;
}

std::vector<double> stack_weights(const Matrix& predictions, std::span<const double> y, RowWeights of_rows, bool mean) {
  StackSample sample = errors_of(predictions, y, of_rows);
  sample.mean = mean;
  Index best = 0;
  mean_errors(sample).minCoeff(&best);
  std::vector<bool> allowed(static_cast<std::size_t>(sample.members()), true);
  Vector weights = best_weights(sample, allowed, best);
  // While a weight is below `min_weight`, remove the member with the smallest weight and fit the others again.
  for (;;) {
    Index minimum = -1;
    for (Index k = 0; k < weights.size(); ++k)
      if (weights[k] > 0 && weights[k] < min_weight && (minimum < 0 || weights[k] < weights[minimum])) minimum = k;
    if (minimum < 0) break;
    allowed[static_cast<std::size_t>(minimum)] = false;
    Index largest = 0;
    weights.maxCoeff(&largest);
    weights = best_weights(sample, allowed, largest);
  }
  return {weights.begin(), weights.end()};
}

}  // namespace taut
