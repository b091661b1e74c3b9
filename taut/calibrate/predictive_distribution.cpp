#include <taut/calibrate/predictive_distribution.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/value_probabilities.hpp>
#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>

#include <cmath>

namespace taut {

// With ascending values, Σ_ij |v_i − v_j| = 2 Σ_i (2i + 1 − n) v_i. With v − y instead of v, a large offset loses no digits.
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

std::vector<double> ScaleCrps::reaches(const ScoreDistribution& distribution, const Transform& transform, Side side) {
  std::vector<double> g(static_cast<std::size_t>(transform.n_params()) + 1);
  transform.initial(g.data());
  const double scale = std::exp(transform.log_scale(g.data()));
  std::vector<double> result;
  for (Index rank = 1; rank <= distribution.rows(); ++rank)
    if (const SignedScore& t = distribution.signed_score(rank); t.side == side)
      result.push_back(transform.half_width(t.score, g.data()) / scale);
  return result;
}

ScaleCrps::ScaleCrps(const ScoreDistribution& distribution, const Transform& transform)
    : below_(reaches(distribution, transform, Side::below)), above_(reaches(distribution, transform, Side::above)) {}

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

namespace {

// Each tail gets half of the error rate: 1 − (1 − c) / 2, computed without cancellation.
double confidence_of_tail(double confidence) {
  check_confidence(confidence);
  return fault("tail-not-halved") ? confidence : 0.5 + 0.5 * confidence;
}

// The midpoint of the two bounds at confidence 1/2, rounded to a possible value.
double middle_of(const ScoreDistribution& distribution, const RowScore& score, const TargetRange& range) {
  const auto low = distribution.lower(0.5), high = distribution.upper(0.5);
  if (!low || !high) return range.nearest_possible(score.f());
  const double minimum = score.lowest_at(*low), maximum = score.highest_at(*high);
  if (std::isinf(minimum) || std::isinf(maximum)) return range.nearest_possible(minimum == maximum ? minimum : score.f());
  return range.nearest_possible(minimum + (maximum - minimum) / 2);
}

}  // namespace

Interval PredictiveDistribution::interval(double confidence) const {
  return score_.at_most(distribution_.quantile(confidence), range_);
}

Interval PredictiveDistribution::smoothed_interval(double confidence, double uniform) const {
  const auto q = distribution_.smoothed_quantile(confidence, uniform);
  return q ? score_.at_most(*q, range_) : Interval{infinity, -infinity};
}

Interval PredictiveDistribution::equal_tailed(double confidence) const {
  const double tail = confidence_of_tail(confidence);
  const int tails = fault("sure-of-each-tail-alone") ? 1 : 2;
  return {lower(tail, tails), upper(tail, tails)};
}

// Bounds are rounded inward to possible values, so a lower bound could exceed an upper one if no possible value lies between
// them. Both therefore stop at the middle, which costs no coverage.
double PredictiveDistribution::upper(double confidence) const { return upper(confidence, 1); }
double PredictiveDistribution::lower(double confidence) const { return lower(confidence, 1); }

double PredictiveDistribution::upper(double confidence, Index together) const {
  const auto t = distribution_.upper(confidence, together);
  const double bound = range_.highest_possible(t ? score_.highest_at(*t) : infinity);
  return confidence >= 0.5 && range_.restricts() ? std::max(bound, middle_of(distribution_, score_, range_)) : bound;
}

double PredictiveDistribution::lower(double confidence, Index together) const {
  const auto t = distribution_.lower(confidence, together);
  const double bound = range_.lowest_possible(t ? score_.lowest_at(*t) : -infinity);
  return confidence >= 0.5 && range_.restricts() ? std::min(bound, middle_of(distribution_, score_, range_)) : bound;
}

double PredictiveDistribution::quantile(double p) const {
  check_confidence(p);
  if (p > 0.5) return upper(p);
  return p < 0.5 ? lower(1 - p) : middle_of(distribution_, score_, range_);
}

PredictiveDistribution::Place PredictiveDistribution::place_at_quantile(double y, double p, double quantile) const {
  const auto minimum = p > 0.5 ? distribution_.upper(p) : distribution_.lower(1 - p),
             maximum = p < 0.5 ? minimum : distribution_.upper(p);
  const SignedScore own = score_.signed_at(y);
  return {y < quantile && (!maximum || own < *maximum), y <= quantile || (minimum && own <= *minimum)};
}

const RowProbabilities& PredictiveDistribution::probabilities() const {
  if (!probabilities_) probabilities_ = std::make_shared<const RowProbabilities>(*values_, *this, score_);
  return *probabilities_;
}

PredictiveDistribution::Probability PredictiveDistribution::below(double value) const {
  if (values_ == nullptr || distribution_.rows() == 0) return below_by_ranks(value);
  const double v = range_.highest_possible(value);
  if (v > value) return {0, 0, 0};  // all possible values are larger
  if (v >= range_.maximum()) return {1, 1, 1};
  const auto [low, probability, high] = probabilities().below(v);
  return {low, probability, high};
}

double PredictiveDistribution::share_below(const SignedScore& t, bool up_to) const {
  const auto [below, equal, own, all] = distribution_.weights_below(t);
  return (below + (up_to ? equal : 0) + own / 2) / all;
}

double PredictiveDistribution::value_reaching(double share) const {
  const auto [below, equal, own, all] = distribution_.weights_below(score_.signed_at(score_.f()));
  const double wanted = share * all - own / 2;
  const Index rank = wanted <= 0 ? 1 : distribution_.count_reaching(wanted);
  return value_at(std::clamp<Index>(rank, 1, distribution_.rows()));
}

PredictiveDistribution::Probability PredictiveDistribution::below_by_ranks(double value) const {
  const double v = range_.highest_possible(value);
  if (v > value) return {0, 0, 0};
  if (v >= range_.maximum()) return {1, 1, 1};
  const auto [below, equal, own, all] = distribution_.weights_below(score_.signed_at(v));
  double max_below = below + equal;
  // No y lies between v and the next possible value, so scores between them may count for either side.
  if (range_.restricts()) {
    const double next = range_.lowest_possible(std::nextafter(v, infinity));
    max_below = std::max(max_below, distribution_.weights_below(score_.signed_at(next)).beyond);
  }
  const double low = (below + equal) / all, high = (max_below + own) / all;
  return {low, low + (high - low) / 2, high};
}

double PredictiveDistribution::p_value(double y, Alternative alternative) const { return smoothed_p_value(y, 1, alternative); }

double PredictiveDistribution::smoothed_p_value(double y, double uniform, Alternative alternative) const {
  if (alternative == Alternative::two_sided) {
    const auto [beyond, equal, own, all] = distribution_.weights_above(score_(y));
    if (fault("ties-counted-whole")) return (beyond + equal + uniform * own) / all;
    return (beyond + uniform * (equal + own)) / all;
  }
  const auto [below, equal, own, all] = distribution_.weights_below(score_.signed_at(y));
  const double above = all - below - equal - own;
  return ((alternative == Alternative::less ? below : above) + uniform * (equal + own)) / all;
}

double PredictiveDistribution::value_at(Index rank) const {
  return range_.nearest_possible(score_.value_at(distribution_.signed_score(rank)));
}

double PredictiveDistribution::sample(double uniform) const {
  if (values_ == nullptr || distribution_.rows() == 0) return sample_by_ranks(uniform);
  return range_.nearest_possible(probabilities().sample(uniform));
}

double PredictiveDistribution::sample_by_ranks(double uniform) const {
  if (distribution_.rows() == 0) return missing;
  const Index rank = distribution_.is_plain()
                         ? 1 + static_cast<Index>(uniform * static_cast<double>(distribution_.rows()))
                         : distribution_.count_reaching(uniform * distribution_.weight_of_first(distribution_.rows()));
  return value_at(std::clamp<Index>(rank, 1, distribution_.rows()));
}

std::vector<double> PredictiveDistribution::values() const {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(distribution_.rows()));
  for (Index rank = 1; rank <= distribution_.rows(); ++rank) result.push_back(value_at(rank));
  return result;
}

// The weight of each entry of values().
std::vector<double> PredictiveDistribution::weights() const {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(distribution_.rows()));
  for (Index rank = 1; rank <= distribution_.rows(); ++rank)
    result.push_back(distribution_.weight_of_first(rank) - distribution_.weight_of_first(rank - 1));
  return result;
}

double PredictiveDistribution::mean() const {
  double mean = 0, count = 0;
  const auto all = values();
  if (distribution_.is_plain()) {
    for (const double value : all) mean += (value - mean) / ++count;
    return count > 0 ? mean : missing;
  }
  const auto own = weights();
  for (std::size_t i = 0; i < all.size(); ++i) {
    count += own[i];
    if (own[i] > 0) mean += (all[i] - mean) * (own[i] / count);
  }
  return count > 0 ? mean : missing;
}

double PredictiveDistribution::crps(double y) const {
  return distribution_.is_plain() ? crps_of_sorted(values(), y) : crps_of_weighted(values(), weights(), y);
}

double PredictiveDistribution::crps_from(Index max_values, double y) const {
  const Index rows = distribution_.rows();
  if (rows <= max_values || !distribution_.is_plain()) return crps(y);
  std::vector<double> some;
  some.reserve(static_cast<std::size_t>(max_values));
  for (Index i = 0; i < max_values; ++i) some.push_back(value_at(1 + (2 * i + 1) * rows / (2 * max_values)));
  return crps_of_sorted(some, y);
}

}  // namespace taut
