#include <taut/task/label/compared_losses.hpp>

#include <taut/task/label/softmax.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

bool ComparedLosses::is_better() const {
  if (!std::isfinite(with)) return false;
  return !std::isfinite(without) || without - with > error;
}

ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, std::span<const Index> labels) {
  ComparedLosses losses{0, 0, 0};
  double square = 0;
  const auto width = static_cast<std::size_t>(without.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const double before = log_loss_of({without.row(row).data(), width}, beta, labels[i]);
    const double after = log_loss_of({with.row(row).data(), width}, 1, labels[i]);
    losses.without += before;
    losses.with += after;
    square += (before - after) * (before - after);
  }
  const auto n = static_cast<double>(labels.size());
  losses.without /= n;
  losses.with /= n;
  const double difference = losses.without - losses.with;
  losses.error = std::sqrt(std::max(0.0, square / n - difference * difference) / n);
  return losses;
}

}  // namespace taut
