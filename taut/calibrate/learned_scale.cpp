#include <taut/calibrate/learned_scale.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

// With fewer rows in a group its mean residual is off by more than a tenth, which costs more than the scale gains.
constexpr Index rows_of_group = 50, max_groups = 16, min_groups = 3;
// Residuals of a group count as at least this share of the mean, so that no slope is extreme.
constexpr double least_spread = 0.05;

// The piece that holds `at`: the number of entries at or below it.
std::size_t piece_of(const std::vector<double>& from, double at) {
  return static_cast<std::size_t>(std::upper_bound(from.begin(), from.end(), at) - from.begin());
}

bool all_ascend(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }) &&
         std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

}  // namespace

std::optional<LearnedScale> LearnedScale::of(std::span<const double> f, std::span<const double> y, RowWeights weights) {
  const Index n = std::ssize(f), groups = std::min(max_groups, counted_rows(weights, n) / rows_of_group);
  if (groups < min_groups) return {};
  const double total = total_weight(weights, n);
  Rows order = all_rows(n);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const double one = f[static_cast<std::size_t>(a)], other = f[static_cast<std::size_t>(b)];
    return one != other ? one < other : a < b;
  });
  const auto f_at = [&](Index place) { return f[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])]; };
  std::vector<double> spreads, knots;
  double sum = 0, rows = 0, counted = 0, mean = 0;
  for (Index place = 0; place < n; ++place) {
    const auto row = static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
    const double weight = weight_of(weights, static_cast<Index>(row));
    const double size = weight * std::abs(y[row] - f[row]);
    sum += size;
    rows += weight;
    counted += weight;
    mean += size / total;
    const double end_of_group = std::floor(static_cast<double>(std::ssize(knots) + 1) * total / static_cast<double>(groups));
    const bool is_last = place + 1 == n;
    if (!is_last && (counted < end_of_group || !(f_at(place) < f_at(place + 1)))) continue;
    spreads.push_back(sum / rows);
    if (!is_last) knots.push_back(f_at(place) / 2 + f_at(place + 1) / 2);
    sum = rows = 0;
  }
  if (std::ssize(spreads) < min_groups || !(mean > 0) || !std::isfinite(mean) || !all_ascend(knots)) return {};
  std::vector<double> slopes;
  for (std::size_t group = 0; group < spreads.size(); ++group) {
    const auto log_of = [&](std::size_t which) { return std::log(std::max(spreads[which] / mean, least_spread)); };
    const double before = log_of(group == 0 ? 0 : group - 1), after = log_of(std::min(group + 1, spreads.size() - 1));
    slopes.push_back(std::exp(-(before + 2 * log_of(group) + after) / 4));
  }
  LearnedScale scale(std::move(knots), std::move(slopes));
  if (!all_ascend(scale.values_)) return {};
  return scale;
}

// Rounding errors are a few units in the last place of y, of the nearest knot, and of z divided by a slope.
LearnedScale::LearnedScale(std::vector<double> knots, std::vector<double> slopes)
    : knots_(std::move(knots)), values_{knots_.front()}, slopes_(std::move(slopes)) {
  for (std::size_t k = 1; k < knots_.size(); ++k) values_.push_back(values_[k - 1] + slopes_[k] * (knots_[k] - knots_[k - 1]));
  constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
  const double flattest = *std::min_element(slopes_.begin(), slopes_.end());
  const auto largest = [](const std::vector<double>& of) { return std::max(std::abs(of.front()), std::abs(of.back())); };
  bound_ = {roundings * (largest(knots_) + largest(values_) / flattest), roundings, roundings / flattest};
}

// Both directions stay within the values at the ends of a piece, so that rounding does not turn back from one piece to the next.
double LearnedScale::forward(double y) const {
  const std::size_t piece = piece_of(knots_, y);
  if (piece == 0) return values_[0] + slopes_[0] * (y - knots_[0]);
  const double z = values_[piece - 1] + slopes_[piece] * (y - knots_[piece - 1]);
  return piece < values_.size() ? std::min(z, values_[piece]) : z;
}

double LearnedScale::value(double z) const {
  const std::size_t piece = piece_of(values_, z);
  if (piece == 0) return knots_[0] + (z - values_[0]) / slopes_[0];
  const double y = knots_[piece - 1] + (z - values_[piece - 1]) / slopes_[piece];
  return piece < knots_.size() ? std::min(y, knots_[piece]) : y;
}

double LearnedScale::error_at(double y, double z) const {
  return bound_.base + bound_.of_y * std::abs(y) + bound_.of_z * std::abs(z);
}

void LearnedScale::save(Archive archive) const {
  archive.put("score_knots", knots_);
  archive.put("score_slopes", slopes_);
}

LearnedScale LearnedScale::load(const Archive& archive) {
  auto knots = archive.get<std::vector<double>>("score_knots"), slopes = archive.get<std::vector<double>>("score_slopes");
  const bool is_sound = !knots.empty() && slopes.size() == knots.size() + 1 && all_ascend(knots) &&
                        std::all_of(slopes.begin(), slopes.end(), [](double one) { return one > 0 && std::isfinite(one); });
  if (is_sound) {
    LearnedScale scale(std::move(knots), std::move(slopes));
    if (all_ascend(scale.values_)) return scale;
  }
  throw Error("the model file's learned scale of scores does not rise: it is damaged");
}

}  // namespace taut
