#include <taut/calibrate/row_score.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double upper_end(double f, double half_width) {
  double upper = f + half_width;
  const double next = std::nextafter(upper, infinity);
  if (next - f <= half_width) upper = next;
  // Near 0, y is finer than y − f: several y share one residual, and all of them belong.
  if (std::abs(upper) < half_width && std::isfinite(upper)) upper += std::numeric_limits<double>::epsilon() * half_width;
  return upper;
}

double lower_end(double f, double half_width) { return -upper_end(-f, half_width); }

double RowScore::operator()(double y) const {
  return transform.conformity(std::abs(y - f) / unit, side_of(f, y) == Side::below ? below : above);
}

SignedScore RowScore::signed_at(double y) const { return {side_of(f, y), (*this)(y)}; }

double RowScore::value_at(const SignedScore& t) const {
  const bool is_above = t.side == Side::above;
  const double reach = unit * std::max(transform.half_width(t.score, is_above ? above : below), 0.0);
  return is_above ? f + reach : f - reach;
}

double RowScore::highest_at(const SignedScore& t) const {
  if (t.side == Side::below) return toward_f(t);
  return upper_end(f, unit * std::max(transform.half_width(t.score, above), 0.0));
}

double RowScore::lowest_at(const SignedScore& t) const {
  if (t.side == Side::above) return toward_f(t);
  return lower_end(f, unit * std::max(transform.half_width(t.score, below), 0.0));
}

// The end of {y : score >= t's, on t's side} that is nearer to f. half_width rounds outward; here it has to be inward, so the
// value moves on toward f until no y of that score lies behind it: mostly not at all or by one double, by more where many doubles
// share a score.
double RowScore::toward_f(const SignedScore& t) const {
  double end = value_at(t);
  const double far = std::abs(end - f);
  const auto is_behind = [&](double y) { return side_of(f, y) == t.side && y != f && (*this)(y) >= t.score; };
  if (!std::isfinite(end)) return end;
  if (const double next = std::nextafter(end, f); !is_behind(next)) return end;
  for (double step = std::numeric_limits<double>::epsilon(); step < 1; step *= 4) {
    end = f + (1 - step) * (t.side == Side::above ? far : -far);
    if (end == f || !is_behind(end)) return end;
  }
  return f;
}

Interval RowScore::at_most(double q) const {
  const double down = transform.half_width(q, below);
  const double up = above == below ? down : transform.half_width(q, above);
  if (down < 0 && up < 0) return {infinity, -infinity};
  return {lower_end(f, unit * std::max(down, 0.0)), upper_end(f, unit * std::max(up, 0.0))};
}

Interval RowScore::at_most(double q, const TargetRange& range) const {
  const Interval set = at_most(q);
  return range.restricts() ? range.cut(set, first_possible(range)) : set;
}

// Of the possible values the one with the least score: on each side of f the nearest comes first.
double RowScore::first_possible(const TargetRange& range) const {
  const auto [lower, upper] = range.neighbours(f);
  if (std::isnan(lower) || std::isnan(upper)) return std::isnan(lower) ? upper : lower;
  return (*this)(upper) < (*this)(lower) ? upper : lower;
}

}  // namespace taut
