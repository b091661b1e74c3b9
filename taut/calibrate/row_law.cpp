#include <taut/calibrate/row_law.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/value_probabilities.hpp>
#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>

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

namespace {

// Half of what an interval may miss, for each of its tails: 1 − (1 − c) / 2 without the cancellation.
double confidence_of_tail(double confidence) {
  check_confidence(confidence);
  return fault("tail-not-halved") ? confidence : 0.5 + 0.5 * confidence;
}

// Between the two bounds at one half: a possible value too.
double middle_of(const Law& law, const RowScore& score, const TargetRange& range) {
  const auto low = law.lower(0.5), high = law.upper(0.5);
  if (!low || !high) return range.nearest_possible(score.f());
  const double least = score.lowest_at(*low), most = score.highest_at(*high);
  if (std::isinf(least) || std::isinf(most)) return range.nearest_possible(least == most ? least : score.f());
  return range.nearest_possible(least + (most - least) / 2);
}

}  // namespace

Interval RowLaw::interval(double confidence) const { return score_.at_most(law_.quantile(confidence), range_); }

Interval RowLaw::smoothed_interval(double confidence, double uniform) const {
  const auto q = law_.smoothed_quantile(confidence, uniform);
  return q ? score_.at_most(*q, range_) : Interval{infinity, -infinity};
}

Interval RowLaw::equal_tailed(double confidence) const {
  const double tail = confidence_of_tail(confidence);
  const int tails = fault("sure-of-each-tail-alone") ? 1 : 2;
  return {lower(tail, tails), upper(tail, tails)};
}

// The ends of possible values in steps are pulled inward, so a lower bound might pass an upper one where no possible value lies
// between them: both stop at the middle, which costs neither its promise.
double RowLaw::upper(double confidence) const { return upper(confidence, 1); }
double RowLaw::lower(double confidence) const { return lower(confidence, 1); }

double RowLaw::upper(double confidence, Index together) const {
  const auto t = law_.upper(confidence, together);
  const double bound = range_.highest_possible(t ? score_.highest_at(*t) : infinity);
  return confidence >= 0.5 && range_.restricts() ? std::max(bound, middle_of(law_, score_, range_)) : bound;
}

double RowLaw::lower(double confidence, Index together) const {
  const auto t = law_.lower(confidence, together);
  const double bound = range_.lowest_possible(t ? score_.lowest_at(*t) : -infinity);
  return confidence >= 0.5 && range_.restricts() ? std::min(bound, middle_of(law_, score_, range_)) : bound;
}

double RowLaw::quantile(double p) const {
  check_confidence(p);
  if (p > 0.5) return upper(p);
  return p < 0.5 ? lower(1 - p) : middle_of(law_, score_, range_);
}

RowLaw::Place RowLaw::place_at_quantile(double y, double p, double quantile) const {
  const auto least = p > 0.5 ? law_.upper(p) : law_.lower(1 - p), most = p < 0.5 ? least : law_.upper(p);
  const SignedScore own = score_.signed_at(y);
  return {y < quantile && (!most || own < *most), y <= quantile || (least && own <= *least)};
}

const RowProbabilities& RowLaw::probabilities() const {
  if (!probabilities_) probabilities_ = std::make_shared<const RowProbabilities>(*values_, *this, score_);
  return *probabilities_;
}

RowLaw::Probability RowLaw::below(double value) const {
  if (values_ == nullptr || law_.rows() == 0) return below_by_ranks(value);
  const double v = range_.highest_possible(value);
  if (v > value) return {0, 0, 0};  // no possible value is so low
  if (v >= range_.most()) return {1, 1, 1};
  const auto [low, probability, high] = probabilities().below(v);
  return {low, probability, high};
}

double RowLaw::share_below(const SignedScore& t, bool up_to) const {
  const auto [below, equal, own, all] = law_.weights_below(t);
  return (below + (up_to ? equal : 0) + own / 2) / all;
}

double RowLaw::value_reaching(double share) const {
  const auto [below, equal, own, all] = law_.weights_below(score_.signed_at(score_.f()));
  const double wanted = share * all - own / 2;
  const Index rank = wanted <= 0 ? 1 : law_.count_reaching(wanted);
  return value_at(std::clamp<Index>(rank, 1, law_.rows()));
}

RowLaw::Probability RowLaw::below_by_ranks(double value) const {
  const double v = range_.highest_possible(value);
  if (v > value) return {0, 0, 0};
  if (v >= range_.most()) return {1, 1, 1};
  const auto [below, equal, own, all] = law_.weights_below(score_.signed_at(v));
  double most_below = below + equal;
  // Between v and the next possible value no y lies, whatever t: scores there may count for either side.
  if (range_.restricts()) {
    const double next = range_.lowest_possible(std::nextafter(v, infinity));
    most_below = std::max(most_below, law_.weights_below(score_.signed_at(next)).beyond);
  }
  const double low = (below + equal) / all, high = (most_below + own) / all;
  return {low, low + (high - low) / 2, high};
}

double RowLaw::p_value(double y, Alternative alternative) const { return smoothed_p_value(y, 1, alternative); }

double RowLaw::smoothed_p_value(double y, double uniform, Alternative alternative) const {
  if (alternative == Alternative::two_sided) {
    const auto [beyond, equal, own, all] = law_.weights_above(score_(y));
    if (fault("ties-counted-whole")) return (beyond + equal + uniform * own) / all;
    return (beyond + uniform * (equal + own)) / all;
  }
  const auto [below, equal, own, all] = law_.weights_below(score_.signed_at(y));
  const double above = all - below - equal - own;
  return ((alternative == Alternative::less ? below : above) + uniform * (equal + own)) / all;
}

double RowLaw::value_at(Index rank) const { return range_.nearest_possible(score_.value_at(law_.signed_score(rank))); }

double RowLaw::sample(double uniform) const {
  if (values_ == nullptr || law_.rows() == 0) return sample_by_ranks(uniform);
  return range_.nearest_possible(probabilities().sample(uniform));
}

double RowLaw::sample_by_ranks(double uniform) const {
  if (law_.rows() == 0) return missing;
  const Index rank = law_.is_plain() ? 1 + static_cast<Index>(uniform * static_cast<double>(law_.rows()))
                                     : law_.count_reaching(uniform * law_.weight_of_first(law_.rows()));
  return value_at(std::clamp<Index>(rank, 1, law_.rows()));
}

std::vector<double> RowLaw::values() const {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(law_.rows()));
  for (Index rank = 1; rank <= law_.rows(); ++rank) result.push_back(value_at(rank));
  return result;
}

// Of each value in turn.
std::vector<double> RowLaw::weights() const {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(law_.rows()));
  for (Index rank = 1; rank <= law_.rows(); ++rank) result.push_back(law_.weight_of_first(rank) - law_.weight_of_first(rank - 1));
  return result;
}

double RowLaw::mean() const {
  double mean = 0, count = 0;
  const auto all = values();
  if (law_.is_plain()) {
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

double RowLaw::crps(double y) const {
  return law_.is_plain() ? crps_of_sorted(values(), y) : crps_of_weighted(values(), weights(), y);
}

double RowLaw::crps_from(Index most_values, double y) const {
  const Index rows = law_.rows();
  if (rows <= most_values || !law_.is_plain()) return crps(y);
  std::vector<double> some;
  some.reserve(static_cast<std::size_t>(most_values));
  for (Index i = 0; i < most_values; ++i) some.push_back(value_at(1 + (2 * i + 1) * rows / (2 * most_values)));
  return crps_of_sorted(some, y);
}

}  // namespace taut
