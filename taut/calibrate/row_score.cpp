#include <taut/calibrate/row_score.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

Residuals residuals(std::span<const double> f, std::span<const double> y, double unit) {
  Residuals result;
  result.size.reserve(f.size());
  result.side.reserve(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    result.size.push_back(std::abs(y[i] - f[i]) / unit);
    result.side.push_back(side_of(f[i], y[i]));
  }
  return result;
}

Residuals pick(const Residuals& all, RowsView rows) {
  Residuals result;
  result.size.reserve(rows.size());
  result.side.reserve(rows.size());
  for (const Index row : rows) {
    const auto at = static_cast<std::size_t>(row);
    result.size.push_back(all.size[at]);
    result.side.push_back(all.side[at]);
    if (!all.half_width.empty()) result.half_width.push_back(all.half_width[at]);
    if (!all.weight.empty()) result.weight.push_back(all.weight[at]);
  }
  return result;
}

RowPrediction::RowPrediction(double from, double to) : f((from + to) / 2), lower(from), upper(to) {
  if (std::isinf(f)) f = from / 2 + to / 2;  // the sum overflowed
}

RowPredictions::RowPredictions(std::vector<double> lower, std::vector<double> upper)
    : lower_(std::move(lower)), upper_(std::move(upper)) {
  f_.reserve(lower_.size());
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (lower_[i] > upper_[i]) {
      std::swap(lower_[i], upper_[i]);
      ++crossed_;
    }
    f_.push_back((*this)[i].f);
  }
}

namespace {

constexpr double level_of_ends = 0.1;

}  // namespace

RowPrediction::RowPrediction(const QuantileLevels& levels, std::span<const double> ascending)
    : f(levels.quantile(ascending, 0.5)),
      lower(std::min(f, levels.quantile(ascending, level_of_ends))),
      upper(std::max(f, levels.quantile(ascending, 1 - level_of_ends))),
      quantiles(ascending) {}

RowPredictions::RowPredictions(std::shared_ptr<const QuantileLevels> levels, Matrix quantiles)
    : levels_(std::move(levels)), quantiles_(std::move(quantiles)) {
  f_.reserve(static_cast<std::size_t>(quantiles_.rows()));
  for (Index row = 0; row < quantiles_.rows(); ++row) {
    double* const own = quantiles_.row(row).data();
    if (!std::is_sorted(own, own + quantiles_.cols())) {
      std::sort(own, own + quantiles_.cols());
      ++crossed_;
    }
    f_.push_back(levels_->quantile(row_of(quantiles_, row), 0.5));
  }
}

RowPredictions RowPredictions::at(RowsView rows) const {
  RowPredictions some;
  some.levels_ = levels_;
  some.quantiles_.resize(has_quantiles() ? std::ssize(rows) : 0, quantiles_.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    some.f_.push_back(f_[row]);
    if (has_disagreement()) some.disagreement_.push_back(disagreement_[row]);
    if (has_ends()) {
      some.lower_.push_back(lower_[row]);
      some.upper_.push_back(upper_[row]);
    }
    if (has_quantiles()) some.quantiles_.row(static_cast<Index>(i)) = quantiles_.row(rows[i]);
  }
  return some;
}

void RowPredictions::hold_quantiles(double low, double high) {
  quantiles_ = quantiles_.array().max(low).min(high);
  for (std::size_t i = 0; i < f_.size(); ++i) f_[i] = levels_->quantile(row_of(quantiles_, static_cast<Index>(i)), 0.5);
}

double upper_end(double from, double reach) {
  double upper = from + reach;
  const double next = std::nextafter(upper, infinity);
  if (next - from <= reach) upper = next;
  // Near 0, doubles are denser than the distances y − from: several y share one distance, and all must be included. None of them
  // is above |reach|, where an end without this addition may lie, so the end never falls as `from` grows.
  const double size = std::abs(reach);
  if (std::abs(upper) < size && std::isfinite(upper))
    upper = std::min(upper + std::numeric_limits<double>::epsilon() * size, size);
  return upper;
}

double lower_end(double from, double reach) { return -upper_end(-from, reach); }

RowScore RowScore::moved_by(double shift) const {
  RowScore moved = *this;
  if (shift == 0) return moved;
  moved.predicted = predicted.upper > predicted.lower ? RowPrediction(predicted.lower + shift, predicted.upper + shift)
                                                      : RowPrediction(predicted.f + shift);
  if (reported) moved.reported = scale.value(scale.centre(*reported) + shift);
  return moved;
}

// An infinite distance has an infinite score in every class; some would compute infinity − infinity.
double RowScore::at_scaled(double z) const {
  if (std::isinf(z)) return infinity;
  return transform.conformity(predicted.beyond(z) / unit, side_of(predicted.f, z) == Side::below ? below : above);
}

SignedScore RowScore::signed_at_error(double y, double other_prediction) const {
  return signed_at_scaled(scale.centre(prediction()) + scale.forward(y) - scale.centre(other_prediction));
}

// The distance is smallest at the centre. A set with a smaller reach contains no value of that side.
std::optional<double> RowScore::reach(double q, const double* g) const {
  const double reached = unit * transform.half_width(q, g), minimum = predicted.minimum();
  return reached < minimum ? std::nullopt : std::optional(reached);
}

double RowScore::upper_of(const std::optional<double>& reach) const {
  return reach ? std::max(predicted.f, upper_end(predicted.upper, *reach)) : predicted.f;
}

double RowScore::lower_of(const std::optional<double>& reach) const {
  return reach ? std::min(predicted.f, lower_end(predicted.lower, *reach)) : predicted.f;
}

// What is at −infinity on a bounded scale has an infinite score and is in no other set, even if its reach overflows.
double RowScore::lowest_of(double q, double z) const {
  return scale.lowest(scale.is_bounded() && q < infinity ? std::max(z, std::numeric_limits<double>::lowest()) : z);
}

double RowScore::scaled_at(const SignedScore& t) const {
  const bool is_above = t.side == Side::above;
  const auto far = reach(t.score, is_above ? above : below);
  if (!far) return predicted.f;
  return is_above ? std::max(predicted.f, predicted.upper + *far) : std::min(predicted.f, predicted.lower - *far);
}

double RowScore::highest_at(const SignedScore& t) const {
  return scale.highest(t.side == Side::below ? toward_centre(t) : upper_of(reach(t.score, above)));
}

double RowScore::lowest_at(const SignedScore& t) const {
  return t.side == Side::above ? scale.lowest(toward_centre(t)) : lowest_of(t.score, lower_of(reach(t.score, below)));
}

// The end of {z : score >= t.score, on t's side} that is nearer to the centre. half_width rounds outward, but here the end must
// be rounded toward the centre. So it moves there until no z of that score lies behind it: mostly by at most one double, by more
// if many doubles share a score.
double RowScore::toward_centre(const SignedScore& t) const {
  const double f = predicted.f;
  // The whole side is in the set. With predicted ends, rounding could stop short of f.
  if (predicted.upper > predicted.lower && t.score <= at_scaled(f)) return f;
  double end = scaled_at(t);
  const double far = std::abs(end - f);
  const auto is_behind = [&](double z) { return side_of(f, z) == t.side && z != f && at_scaled(z) >= t.score; };
  if (!std::isfinite(end)) return end;
  if (const double next = std::nextafter(end, f); !is_behind(next)) return end;
  for (double step = std::numeric_limits<double>::epsilon(); step < 1; step *= 4) {
    end = f + (1 - step) * (t.side == Side::above ? far : -far);
    if (end == f || !is_behind(end)) return end;
  }
  return f;
}

Interval RowScore::scaled_at_most(double q) const {
  const auto down = reach(q, below);
  const auto up = above == below ? down : reach(q, above);
  if (!down && !up) return {infinity, -infinity};
  return {lower_of(down), upper_of(up)};
}

Interval RowScore::at_most(double q) const {
  const Interval set = scaled_at_most(q);
  return set.empty() ? set : Interval{lowest_of(q, set.lower), scale.highest(set.upper)};
}

Interval RowScore::at_most(double q, const TargetRange& range) const {
  const Interval set = at_most(q);
  return range.restricts() ? range.cut(set, first_possible(range)) : set;
}

// The possible value with the lowest score. On each side of f that is the nearest one.
double RowScore::first_possible(const TargetRange& range) const {
  const auto [lower, upper] = range.neighbours(f());
  if (std::isnan(lower) || std::isnan(upper)) return std::isnan(lower) ? upper : lower;
  return (*this)(upper) < (*this)(lower) ? upper : lower;
}

}  // namespace taut
