#include <taut/task/several/common_scale.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace taut {

namespace {

// The quantile of the Laplace distribution with probability rank / (rows + 1).
double laplace_quantile(double rank, double rows) {
  const double p = rank / (rows + 1);
  return p < 0.5 ? std::log(2 * p) : -std::log(2 * (1 - p));
}

// Ranks from both ends inward, each a quarter further than the one before: few scores lie between two of them in the tails, where
// the boundaries of regions are, and noise is smoothed elsewhere.
std::vector<std::size_t> ranks_of_knots(std::size_t rows, std::size_t tail_rows) {
  std::vector<std::size_t> ranks;
  for (double from_end = static_cast<double>(tail_rows); from_end < static_cast<double>(rows) / 2 + 0.5; from_end *= 1.25) {
    const auto rank = static_cast<std::size_t>(std::llround(from_end));
    ranks.push_back(rank);
    ranks.push_back(rows + 1 - rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase_if(ranks, [&](std::size_t rank) { return rank < 1 || rank > rows; });
  return ranks;
}

// Doubles in their order as integers, to bisect among them.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
double at_place(std::int64_t place) {
  return std::bit_cast<double>(place < 0 ? std::numeric_limits<std::int64_t>::min() - place : place);
}

// The largest double with holds(), which is true up to some double and false beyond it. holds(−infinity) is true. `near`: a
// guess.
template <class Holds>
double largest_with(Holds holds, double near) {
  std::int64_t low = place_of(-infinity), high = place_of(infinity);
  if (holds(infinity)) return infinity;
  // A few doubles around the guess almost always enclose the answer.
  if (std::isfinite(near)) {
    const std::int64_t place = place_of(near);
    for (std::int64_t step = 4; step < (std::int64_t{1} << 40); step *= 16) {
      const std::int64_t left = std::max(low, place - step), right = std::min(high, place + step);
      if (holds(at_place(left)) && !holds(at_place(right))) {
        low = left;
        high = right;
        break;
      }
    }
  }
  while (high - low > 1) {  // the sum of the two would overflow
    const std::int64_t middle =
        low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
    (holds(at_place(middle)) ? low : high) = middle;
  }
  return at_place(low);
}

}  // namespace

CommonScale::OneSide CommonScale::side_of_scores(const std::vector<SignedScore>& sorted, Side side, std::size_t tail_rows) {
  const auto rows = static_cast<double>(sorted.size());
  OneSide own;
  own.sign = side == Side::below ? -1 : 1;
  std::vector<std::size_t> members, knots = ranks_of_knots(sorted.size(), tail_rows);
  for (std::size_t rank = 1; rank <= sorted.size(); ++rank)
    if (sorted[rank - 1].side == side && std::isfinite(sorted[rank - 1].score)) members.push_back(rank);
  if (side == Side::below) std::reverse(members.begin(), members.end());  // outward
  std::erase_if(knots, [&](std::size_t rank) { return sorted[rank - 1].side != side || !std::isfinite(sorted[rank - 1].score); });
  if (side == Side::below) std::reverse(knots.begin(), knots.end());
  if (knots.empty() && !members.empty()) knots = {members.front()};
  for (const std::size_t rank : knots) {
    const double score = sorted[rank - 1].score;
    if (!own.scores.empty() && !(score > own.scores.back())) continue;
    own.scores.push_back(score);
    own.w.push_back(laplace_quantile(static_cast<double>(rank), rows));
  }
  if (own.scores.empty()) return own;
  double sum = 0, count = 0;
  for (const std::size_t rank : members)
    if (const double excess = sorted[rank - 1].score - own.scores.back(); excess > 0) {
      sum += excess;
      ++count;
    }
  const double span = own.scores.back() - own.scores.front(), rise = own.sign * (own.w.back() - own.w.front());
  // Without scores beyond the last knot the slope between knots goes on.
  own.slope = sum > 0 ? count / sum : span > 0 && rise > 0 ? rise / span : 1;
  if (!std::isfinite(own.slope) || !(own.slope > 0)) own.slope = 1;
  return own;
}

CommonScale::CommonScale(std::vector<SignedScore> scores) {
  if (scores.empty()) throw Error("there are no rows outside of training to bring the scores of several targets to one scale");
  std::sort(scores.begin(), scores.end());
  const auto tail_rows =
      static_cast<std::size_t>(std::clamp(std::lround(std::sqrt(static_cast<double>(scores.size())) / 2), 1L, 30L));
  below_ = side_of_scores(scores, Side::below, tail_rows);
  above_ = side_of_scores(scores, Side::above, tail_rows);
  const auto n_below = std::count_if(scores.begin(), scores.end(), [](const SignedScore& t) { return t.side == Side::below; });
  centre_ = laplace_quantile(static_cast<double>(n_below) + 0.5, static_cast<double>(scores.size()));
  // A side that no row is on gets the tail of the other.
  for (auto [own, other] : {std::pair(&below_, &above_), std::pair(&above_, &below_)}) {
    if (!own->scores.empty()) continue;
    own->scores = {other->scores.empty() ? 0.0 : other->scores.front()};
    own->w = {centre_};
    own->slope = other->slope;
  }
  // Between the sides w never falls.
  const double lowest_above = above_.w.front(), highest_below = below_.w.front();
  centre_ = std::clamp(centre_, std::min(highest_below, lowest_above), std::max(highest_below, lowest_above));
  // From the centre on w is linear too, beginning at the smallest score.
  for (auto [own, side] : {std::pair(&below_, Side::below), std::pair(&above_, Side::above)}) {
    double smallest = own->scores.front();
    for (const SignedScore& t : scores)
      if (t.side == side && std::isfinite(t.score)) smallest = std::min(smallest, t.score);
    if (!(smallest < own->scores.front())) continue;
    own->scores.insert(own->scores.begin(), smallest);
    own->w.insert(own->w.begin(), centre_);
  }
}

double CommonScale::OneSide::at(double score, double centre) const {
  if (!(score >= scores.front())) return centre;
  if (score >= scores.back()) {
    const double beyond = sign * w.back() + (score - scores.back()) * slope;
    return sign * (std::isnan(beyond) ? infinity : beyond);
  }
  const auto next = static_cast<std::size_t>(std::upper_bound(scores.begin(), scores.end(), score) - scores.begin());
  const double share = (score - scores[next - 1]) / (scores[next] - scores[next - 1]);
  const double from = sign * w[next - 1], to = sign * w[next];
  return sign * std::clamp(from + share * (to - from), from, to);
}

double CommonScale::OneSide::inverse(double value) const {
  const double outward = sign * value;
  if (!(outward > sign * w.front())) return scores.front();
  if (outward >= sign * w.back()) return scores.back() + (outward - sign * w.back()) / slope;
  std::size_t next = 1;
  while (sign * w[next] <= outward) ++next;
  const double from = sign * w[next - 1], to = sign * w[next];
  return scores[next - 1] + (outward - from) / (to - from) * (scores[next] - scores[next - 1]);
}

double CommonScale::operator()(const SignedScore& t) const { return value(t.side, t.score); }

SignedScore CommonScale::highest_at(double w) const {
  if (value(Side::above, -infinity) <= w)
    return {Side::above, largest_with([&](double s) { return value(Side::above, s) <= w; }, above_.inverse(w))};
  // The smallest score below f at which w is low enough.
  if (value(Side::below, -infinity) <= w) return {Side::below, -infinity};
  const double last = largest_with([&](double s) { return value(Side::below, s) > w; }, below_.inverse(w));
  return {Side::below, last == infinity ? infinity : std::nextafter(last, infinity)};
}

SignedScore CommonScale::lowest_at(double w) const {
  if (value(Side::below, -infinity) >= w)
    return {Side::below, largest_with([&](double s) { return value(Side::below, s) >= w; }, below_.inverse(w))};
  if (value(Side::above, -infinity) >= w) return {Side::above, -infinity};
  const double last = largest_with([&](double s) { return value(Side::above, s) < w; }, above_.inverse(w));
  return {Side::above, last == infinity ? infinity : std::nextafter(last, infinity)};
}

SignedScore CommonScale::at(double w) const {
  const Side side = w >= centre_ ? Side::above : Side::below;
  return {side, of(side).inverse(w)};
}

void CommonScale::save(Archive archive) const {
  for (const auto& [name, side] : {std::pair("below", &below_), std::pair("above", &above_)}) {
    Archive own = archive.scope(name);
    own.put("scores", side->scores);
    own.put("w", side->w);
    own.put("slope", side->slope);
  }
  archive.put("centre", centre_);
}

CommonScale CommonScale::load(const Archive& archive) {
  CommonScale scale;
  scale.centre_ = archive.number("centre");
  bool fits = std::isfinite(scale.centre_);
  for (const auto& [name, side] : {std::pair("below", &scale.below_), std::pair("above", &scale.above_)}) {
    const Archive own = archive.scope(name);
    side->sign = side == &scale.below_ ? -1 : 1;
    side->scores = own.get<std::vector<double>>("scores");
    side->w = own.get<std::vector<double>>("w");
    side->slope = own.number("slope");
    fits =
        fits && !side->scores.empty() && side->w.size() == side->scores.size() && side->slope > 0 && std::isfinite(side->slope);
    for (std::size_t i = 0; fits && i < side->w.size(); ++i)
      fits = std::isfinite(side->w[i]) && std::isfinite(side->scores[i]) &&
             (i == 0 || (side->scores[i] > side->scores[i - 1] && side->sign * side->w[i] >= side->sign * side->w[i - 1]));
  }
  if (!fits || !(scale.below_.w.front() <= scale.centre_ && scale.centre_ <= scale.above_.w.front()))
    throw Error("the model file's common scale of several targets makes no sense: it is damaged");
  return scale;
}

// Newton's method on log Φ(−x) = log p, from an approximation of the tail. Steps converge from the left because log Φ(−x) is
// concave.
double normal_score(double w) {
  const double log_p = -std::abs(w) - std::numbers::ln2;
  double x = std::sqrt(std::max(0.0, -2 * log_p - std::log(2 * std::numbers::pi * std::max(1.0, -2 * log_p)))) * 0.9;
  if (w == 0) return 0;
  if (std::abs(w) > 600) return std::copysign(std::sqrt(-2 * log_p), w);
  for (int step = 0; step < 20; ++step) {
    const double tail = 0.5 * std::erfc(x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double change = (std::log(tail) - log_p) * tail / density;
    x += change;
    if (std::abs(change) < 1e-12 * (1 + std::abs(x))) break;
  }
  return std::copysign(std::max(0.0, x), w);
}

double laplace_score(double normal) {
  const double size = std::abs(normal);
  // Far out Φ(−x) underflows: Φ(−x) ~ exp(−x²/2) / (x √2π).
  const double log_tail = size < 35 ? std::log(0.5 * std::erfc(size / std::numbers::sqrt2))
                                    : -0.5 * size * size - std::log(size * std::sqrt(2 * std::numbers::pi));
  return std::copysign(std::max(0.0, -log_tail - std::numbers::ln2), normal);
}

}  // namespace taut
