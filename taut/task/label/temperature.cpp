#include <taut/task/label/temperature.hpp>

#include <taut/core/threads.hpp>

namespace taut {

namespace {

constexpr double min_beta = 0.05, max_beta = 20;
constexpr double min_logit = -60;  // a true label with probability 0 would make the loss infinite for every β

}  // namespace

double best_inverse_temperature(const Matrix& logits, RowLabels labels, int threads, double doubt) {
  const Index classes = logits.cols();
  Matrix bounded = logits;
  for (Index row = 0; row < bounded.rows(); ++row)
    bounded.row(row) = (bounded.row(row).array() - bounded.row(row).maxCoeff()).max(min_logit).matrix();
  const auto loss = [&](double log_beta) {
    const double beta = std::exp(log_beta);
    return parallel_sum(bounded.rows(), threads, [&](Index begin, Index end) {
      double sum = 0;
      for (Index row = begin; row < end; ++row)
        if (const Index label = labels[static_cast<std::size_t>(row)]; label < classes) {
          sum += labels.weight(row) * log_loss_of({bounded.row(row).data(), static_cast<std::size_t>(classes)}, beta, label);
          if (doubt > 0) sum += labels.weight(row) * (doubt * beta * (bounded(row, label) - bounded.row(row).mean()));
        }
      return sum;
    });
  };
  // The loss is convex in β, so it has one minimum in log β: golden-section search.
  constexpr double golden = 0.6180339887498949;
  double low = std::log(min_beta), high = std::log(max_beta);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = loss(left), at_right = loss(right);
  while (high - low > 1e-3) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = loss(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = loss(right);
    }
  }
  const double best = 0.5 * (low + high);
  return loss(best) < loss(0) ? std::exp(best) : 1;
}

}  // namespace taut
