#include <taut/metric/hypergeometric.hpp>

#include <taut/core/beta.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// log C(n, k) = −log(n + 1) − log B(k + 1, n − k + 1)
double log_choose(Index n, Index k) {
  return -std::log(static_cast<double>(n + 1)) - log_beta(static_cast<double>(k + 1), static_cast<double>(n - k + 1));
}

}  // namespace

// From x on upward by P(x + 1) / P(x) = (marked − x)(drawn − x) / ((x + 1)(all − marked − drawn + x + 1)), until terms are
// negligible. Below the mode, where terms would first rise, the other tail is summed: at least x marked are at most drawn − x
// others.
double hypergeometric_tail(Index least, Index all, Index marked, Index drawn, double enough) {
  const Index smallest = std::max<Index>(0, drawn + marked - all), largest = std::min(marked, drawn);
  if (least <= smallest) return 1;
  if (least > largest) return 0;
  const double mode = static_cast<double>(drawn + 1) / static_cast<double>(all + 2) * static_cast<double>(marked + 1);
  if (static_cast<double>(least) < mode - 1) return 1 - hypergeometric_tail(drawn - least + 1, all, all - marked, drawn);
  double term = std::exp(log_choose(marked, least) + log_choose(all - marked, drawn - least) - log_choose(all, drawn));
  double sum = 0;
  for (Index x = least; x <= largest && sum <= enough; ++x) {
    sum += term;
    const double ratio = static_cast<double>(marked - x) / static_cast<double>(x + 1) * static_cast<double>(drawn - x) /
                         static_cast<double>(all - marked - drawn + x + 1);
    if (ratio < 1 && term < 1e-17 * sum * (1 - ratio)) break;
    term *= ratio;
  }
  return std::min(sum, 1.0);
}

}  // namespace taut
