#include <taut/calibrate/quantile_scale.hpp>

#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace taut {

namespace {

using Limits = std::numeric_limits<double>;

double log_odds_of(double p) { return std::log(p) - std::log1p(-p); }

// The place of a finite double in the order of all doubles; both zeros are 0, and −y is at minus the place of y.
std::int64_t place_of(double y) {
  const auto bits = std::bit_cast<std::int64_t>(std::abs(y));
  return y < 0 ? -bits : bits;
}
double double_at(std::int64_t place) {
  const auto size = std::bit_cast<double>(place < 0 ? -place : place);
  return place < 0 ? -size : size;
}

// a + share · (b − a) for a share from 0 to 1, without overflow, and never outside of [a, b].
double between(double a, double b, double share) {
  const double run = b - a, value = std::isfinite(run) ? a + share * run : a * (1 - share) + b * share;
  return std::clamp(value, a, b);
}

// The log-odds of the mean of the probabilities with these log-odds.
double middle_of(double low, double high) {
  const auto probability = [](double l) { return 1 / (1 + std::exp(-l)); };
  return std::clamp(log_odds_of((probability(low) + probability(high)) / 2), low, high);
}

// (y − a) / (b − a) for a <= y < b.
double share_of(double y, double a, double b) {
  const double run = b - a;
  return std::isfinite(run) ? (y - a) / run : (y / 2 - a / 2) / (b / 2 - a / 2);
}

}  // namespace

QuantileLevels::QuantileLevels(std::vector<double> levels) : levels_(std::move(levels)) {
  if (levels_.size() < 2) throw UsageError("a distribution needs quantiles at two levels or more");
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    if (!(levels_[k] > 0 && levels_[k] < 1) || (k > 0 && !(levels_[k] > levels_[k - 1])))
      throw UsageError("the levels of given quantiles must lie between 0 and 1, both excluded, and rise");
    log_odds_.push_back(log_odds_of(levels_[k]));
  }
}

double QuantileLevels::quantile(std::span<const double> ascending, double p) const {
  const double l = log_odds_of(p);
  const auto above = std::upper_bound(log_odds_.begin() + 1, log_odds_.end() - 1, l) - log_odds_.begin();
  const auto k = static_cast<std::size_t>(above) - 1;
  if (l == log_odds_[k]) return ascending[k];
  const double share = (l - log_odds_[k]) / (log_odds_[k + 1] - log_odds_[k]);
  const double value = share >= 0 && share <= 1 ? between(ascending[k], ascending[k + 1], share)
                                                : ascending[k] + share * (ascending[k + 1] - ascending[k]);
  return std::clamp(value, Limits::lowest(), Limits::max());
}

std::vector<double> levels_of_samples(Index count) {
  std::vector<double> levels = {0.01, 0.025};
  for (int k = 1; k < 20; ++k) levels.push_back(k / 20.0);
  levels.insert(levels.end(), {0.975, 0.99});
  const double first = 1 / (static_cast<double>(count) + 1);
  std::erase_if(levels, [&](double p) { return p < first || p > 1 - first; });
  return levels;
}

double quantile_of_samples(std::span<const double> ascending, double p) {
  const auto n = static_cast<double>(ascending.size());
  const double rank = std::clamp((n + 1) * p, 1.0, n), whole = std::floor(rank);
  const auto at = static_cast<std::size_t>(whole) - 1;
  return between(ascending[at], ascending[std::min(at + 1, ascending.size() - 1)], rank - whole);
}

QuantileScale::QuantileScale(std::span<const double> quantiles, std::span<const double> log_odds, double min_slope)
    : quantiles_(quantiles), log_odds_(log_odds) {
  const std::size_t last = quantiles.size() - 1;
  const auto slope = [&](std::size_t from, std::size_t to) {
    const double run = log_odds_[to] - log_odds_[from];
    return std::clamp(quantiles_[to] / run - quantiles_[from] / run, 0.0, Limits::max());
  };
  if (!(min_slope > 0)) {
    constexpr double of_equal_quantiles = 1e-6;  // as a share of the median, or of 1
    const double own = slope(0, last), size = std::max(1.0, std::abs(quantiles[quantiles.size() / 2]));
    min_slope = own > 0 ? min_share * own : of_equal_quantiles * size;
  }
  min_slope = std::max(min_slope, Limits::min());
  // The quantile nearest to the median, but not an outermost one.
  const auto nearest = std::min_element(log_odds_.begin(), log_odds_.end(),
                                        [](double one, double other) { return std::abs(one) < std::abs(other); });
  const auto middle = static_cast<std::size_t>(nearest - log_odds_.begin());
  below_ = std::max({slope(0, 1), slope(0, std::max<std::size_t>(middle, 1)) / 2, min_slope});
  above_ = std::max({slope(last - 1, last), slope(std::min(middle, last - 1), last) / 2, min_slope});
}

QuantileScale QuantileScale::of(std::span<const double> quantiles) const {
  QuantileScale other = *this;
  other.quantiles_ = quantiles;
  return other;
}

double QuantileScale::forward(double y) const {
  if (std::isinf(y)) return y;
  if (y < quantiles_.front()) return log_odds_.front() - (quantiles_.front() - y) / below_;
  const auto above = static_cast<std::size_t>(std::upper_bound(quantiles_.begin(), quantiles_.end(), y) - quantiles_.begin());
  const std::size_t low = above - 1;  // the last quantile up to y
  if (y == quantiles_[low] && low > 0 && quantiles_[low - 1] == y) {
    const auto first = std::lower_bound(quantiles_.begin(), quantiles_.end(), y) - quantiles_.begin();
    return middle_of(log_odds_[static_cast<std::size_t>(first)], log_odds_[low]);
  }
  if (above == quantiles_.size()) return log_odds_[low] + (y - quantiles_[low]) / above_;
  return between(log_odds_[low], log_odds_[above], share_of(y, quantiles_[low], quantiles_[above]));
}

double QuantileScale::value(double z) const {
  if (std::isinf(z)) return z;
  const std::size_t last = quantiles_.size() - 1;
  double y = 0;
  if (z <= log_odds_[0]) {
    y = quantiles_.front() - (log_odds_[0] - z) * below_;
  } else if (z >= log_odds_[last]) {
    y = quantiles_.back() + (z - log_odds_[last]) * above_;
  } else {
    const auto above = std::upper_bound(log_odds_.begin(), log_odds_.end(), z) - log_odds_.begin();
    const auto k = static_cast<std::size_t>(above) - 1;
    y = between(quantiles_[k], quantiles_[k + 1], (z - log_odds_[k]) / (log_odds_[k + 1] - log_odds_[k]));
  }
  return std::clamp(y, Limits::lowest(), Limits::max());
}

// The last finite double in this direction that is inside. All doubles before one that is inside are inside too, so doubles are
// searched by their place in the order of all doubles, in steps that double and then halve. Distances between places need 64 bits
// without a sign.
template <class IsInside>
double QuantileScale::edge(double from, int direction, IsInside is_inside) const {
  const std::int64_t end = place_of(direction * Limits::max());
  std::int64_t inside = place_of(from), outside = inside;
  const auto distance = [&](std::int64_t near, std::int64_t far) {
    const auto a = static_cast<std::uint64_t>(near), b = static_cast<std::uint64_t>(far);
    return direction > 0 ? b - a : a - b;
  };
  const auto moved = [&](std::int64_t place, std::uint64_t steps) {
    const auto at = static_cast<std::uint64_t>(place);
    return static_cast<std::int64_t>(direction > 0 ? at + steps : at - steps);
  };
  std::uint64_t step = 1;
  if (is_inside(from)) {
    for (;; step *= 2) {
      if (distance(inside, end) <= step) {
        if (is_inside(double_at(end))) return double_at(end);
        outside = end;
        break;
      }
      outside = moved(inside, step);
      if (!is_inside(double_at(outside))) break;
      inside = outside;
    }
  } else {
    for (;; step *= 2) {
      if (distance(-end, outside) <= step) return double_at(-end);
      inside = moved(outside, -step);
      if (is_inside(double_at(inside))) break;
      outside = inside;
    }
  }
  while (distance(inside, outside) > 1) {
    const std::int64_t middle = moved(inside, distance(inside, outside) / 2);
    (is_inside(double_at(middle)) ? inside : outside) = middle;
  }
  return double_at(inside);
}

double QuantileScale::highest(double z) const {
  if (std::isinf(z)) return z;
  const double y = edge(value(z), 1, [&](double one) { return forward(one) <= z; });
  return fault("given-edge-excluded") ? std::nextafter(y, -infinity) : y;
}

double QuantileScale::lowest(double z) const {
  if (std::isinf(z)) return z;
  return edge(value(z), -1, [&](double y) { return forward(y) >= z; });
}

}  // namespace taut
