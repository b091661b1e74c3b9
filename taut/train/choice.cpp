#include <taut/train/choice.hpp>

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// Losses that are not finite never win.
std::size_t choose(std::span<const double> losses) {
  std::size_t kept = 0;
  for (std::size_t c = 1; c < losses.size(); ++c)
    if (is_lower_loss(losses[c], losses[kept])) kept = c;
  return kept;
}

double standard_error(const ClassLoss& richer, const ClassLoss& simpler) {
  const auto a = richer.of_groups, b = simpler.of_groups;
  const auto groups = static_cast<double>(a.size());
  if (groups < 2) return infinity;
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] - b[k];
    squares += (a[k] - b[k]) * (a[k] - b[k]);
  }
  const double spread = squares - sum * sum / groups;
  if (!std::isfinite(spread)) return infinity;  // not 0, which max() makes of NaN
  return std::sqrt(std::max(0.0, spread) / (groups - 1) / groups);
}

// Not where the standard error is unknown.
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler) {
  return is_lower_loss(richer.validation_loss + standard_error(richer, simpler), simpler.validation_loss);
}

}  // namespace taut
