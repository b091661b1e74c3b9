#include <taut/calibrate/crps.hpp>

#include <cmath>

namespace taut {

// With ascending values, Σ_ij |v_i − v_j| = 2 Σ_i (2i + 1 − n) v_i; taken about y, so that a large common offset costs no digits.
double crps_of_sorted(std::span<const double> ascending, double y) {
  const auto n = static_cast<double>(ascending.size());
  double apart = 0, spread = 0, weight = 1 - n;
  for (const double value : ascending) {
    apart += std::abs(value - y);
    spread += weight * (value - y);
    weight += 2;
  }
  return ascending.empty() ? missing : apart / n - spread / (n * n);
}

// With S_i the weight up to value i: ½ Σ_ij w_i w_j |v_i − v_j| = Σ_i w_i (S_i + S_{i−1} − W) v_i.
double crps_of_weighted(std::span<const double> ascending, std::span<const double> weights, double y) {
  double all = 0;
  for (const double weight : weights) all += weight;
  if (!(all > 0)) return missing;
  double apart = 0, spread = 0, below = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    apart += weights[i] * std::abs(ascending[i] - y);
    spread += weights[i] * (2 * below + weights[i] - all) * (ascending[i] - y);
    below += weights[i];
  }
  return apart / all - spread / (all * all);
}

ScaleCrps::Steps::Steps(std::vector<double> from_f) : reach(std::move(from_f)), sums{0} {
  std::sort(reach.begin(), reach.end());
  double weight = 1 - rows();
  for (const double one : reach) {
    sums.push_back(sums.back() + one);
    pairs += 2 * weight * one;
    weight += 2;
  }
}

double ScaleCrps::Steps::distance(double away) const {
  const auto nearer = std::upper_bound(reach.begin(), reach.end(), away) - reach.begin();
  const double up_to = sums[static_cast<std::size_t>(nearer)], count = static_cast<double>(nearer);
  return (away * count - up_to) + (sum() - up_to - away * (rows() - count));
}

std::vector<double> ScaleCrps::reaches(const Law& law, const Transform& transform, Side side) {
  std::vector<double> g(static_cast<std::size_t>(transform.n_params()) + 1);
  transform.initial(g.data());
  const double scale = std::exp(transform.log_scale(g.data()));
  std::vector<double> result;
  for (Index rank = 1; rank <= law.rows(); ++rank)
    if (const SignedScore& t = law.signed_score(rank); t.side == side)
      result.push_back(transform.half_width(t.score, g.data()) / scale);
  return result;
}

ScaleCrps::ScaleCrps(const Law& law, const Transform& transform)
    : below_(reaches(law, transform, Side::below)), above_(reaches(law, transform, Side::above)) {}

double ScaleCrps::operator()(const RowScore& score, double y) const {
  const double below = score.unit * std::exp(score.transform.log_scale(score.below));
  const double above = score.unit * std::exp(score.transform.log_scale(score.above));
  const bool is_above = side_of(score.f(), y) == Side::above;
  const Steps& own = is_above ? above_ : below_;
  const Steps& other = is_above ? below_ : above_;
  const double own_scale = is_above ? above : below, other_scale = is_above ? below : above;
  const double away = std::abs(y - score.f());
  const double apart = own_scale * own.distance(away / own_scale) + other_scale * other.sum() + other.rows() * away;
  const double pairs =
      below * (below_.pairs + 2 * above_.rows() * below_.sum()) + above * (above_.pairs + 2 * below_.rows() * above_.sum());
  const double n = below_.rows() + above_.rows();
  return n > 0 ? apart / n - 0.5 * pairs / (n * n) : missing;
}

}  // namespace taut
