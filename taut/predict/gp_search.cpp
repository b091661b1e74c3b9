#include <taut/predict/gp_search.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double first_step = 0.2, least_step = 1e-3, most_step = 1;
constexpr double longer = 1.2, shorter = 0.5;

// Beyond these the covariance is a constant, or cannot be factored.
void keep_within_reason(Eigen::VectorXd& logs) {
  const Index columns = logs.size() - 3;
  logs.head(columns) = logs.head(columns).cwiseMax(std::log(0.05)).cwiseMin(std::log(1e3));
  logs[columns] = std::clamp(logs[columns], std::log(0.02), std::log(20.0));
  logs[columns + 1] = std::clamp(logs[columns + 1], std::log(1e-3), std::log(10.0));
  logs[columns + 2] = std::clamp(logs[columns + 2], std::log(0.005), std::log(2.0));
}

// Rprop (Riedmiller and Braun, 1993): a step of its own for each logarithm, longer while the sign of its derivative stays and
// shorter when it changes. It needs no line search, and no second derivatives that differ wildly between lengths and noise.
void descend(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, Index steps, double first, const ExecutionContext& context,
             Eigen::VectorXd& best) {
  Eigen::VectorXd logs = best;
  Eigen::VectorXd step = Eigen::VectorXd::Constant(logs.size(), first);
  Eigen::VectorXd before = Eigen::VectorXd::Zero(logs.size());
  double least = infinity;
  for (Index i = 0; i < steps; ++i) {
    context.report("gp", static_cast<double>(i) / static_cast<double>(steps));
    const GpEvidence evidence = gp_evidence(x, y, logs);
    if (!std::isfinite(evidence.value)) {  // back to what worked, and on from there more carefully
      logs = best;
      step *= shorter;
      before.setZero();
      continue;
    }
    if (evidence.value < least) {
      least = evidence.value;
      best = logs;
    }
    for (Index k = 0; k < logs.size(); ++k) {
      double slope = evidence.gradient[k];
      if (slope * before[k] > 0) step[k] = std::min(step[k] * longer, most_step);
      if (slope * before[k] < 0) {
        step[k] = std::max(step[k] * shorter, least_step);
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
                          const ExecutionContext& context) {
  Eigen::VectorXd logs = gp_usual_logs(x.cols());
  const Index few = std::min(search.few_rows, x.rows());
  descend(x.topRows(few), y.head(few), search.steps_on_few, first_step, context, logs);
  if (few < x.rows()) descend(x, y, search.steps, first_step / 2, context, logs);
  return logs;
}

}  // namespace taut
