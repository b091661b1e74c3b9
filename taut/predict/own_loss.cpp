#include <taut/predict/own_loss.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr double min_curvature = 1e-3;  // of a row, as a share of the mean at the start

void require_all(const std::vector<double>& found, const char* what, std::span<const double> prediction,
                 std::span<const double> y) {
  if (found.size() != y.size())
    throw Error(format_text("the loss: expected one {} for each of {} rows, got {}", what, y.size(), found.size()));
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!std::isfinite(found[i]))
      throw Error(format_text("the loss: at prediction {} and target {} the {} is {}; expected is a finite number",
                              print_number(prediction[i]), print_number(y[i]), what, print_number(found[i])));
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Pairs of predictions and targets at which derivatives are checked, and the losses around them.
class Checks {
 public:
  Checks(const PointLoss& loss, std::span<const double> y) : loss_(loss) {
    std::vector<double> sorted(y.begin(), y.end());
    std::sort(sorted.begin(), sorted.end());
    constexpr std::size_t targets = 15, predictions = 11;
    unit_ = StandardUnits::of(y).unit;
    const double beside = unit_ / 300;  // at the targets themselves many losses have a kink
    const auto at = [&](std::size_t k, std::size_t count) { return sorted[(2 * k + 1) * sorted.size() / (2 * count)]; };
    for (std::size_t i = 0; i < targets; ++i)
      for (std::size_t j = 0; j < predictions; ++j) {
        target_.push_back(at(i, targets));
        prediction_.push_back(at(j, predictions) + beside);
      }
    here_ = slopes_at(loss, prediction_, target_);
    far_ = {moved(1), moved(-1)};
    near_ = {moved(0.5), moved(-0.5)};
  }

  void compare_curvature() const {
    const auto differences = differences_of([](const LossSlopes& one) -> auto& { return one.gradient; });
    const double typical = typical_size(differences);
    for (std::size_t i = 0; i < target_.size(); ++i)
      if (here_.curvature[i] < differences[i] - tolerance * std::max(std::abs(differences[i]), typical))
        throw Error(format_text(
            "the loss: at prediction {} and target {} the curvature is {}, but the gradient changes by {} for each unit of "
            "the prediction; return the second derivative of the loss by the prediction, or an upper bound of it",
            print_number(prediction_[i]), print_number(target_[i]), print_rounded(here_.curvature[i], 6),
            print_rounded(differences[i], 6)));
    if (!(*std::max_element(here_.curvature.begin(), here_.curvature.end()) > 0))
      throw Error(
          format_text("the loss: the curvature is not positive at any of {} predictions and targets, such as {} at "
                      "prediction {} and target {}; where the loss is a straight line, return an upper bound such as 1",
                      target_.size(), print_number(here_.curvature.front()), print_number(prediction_.front()),
                      print_number(target_.front())));
  }

  void compare_gradient() const {
    if (here_.value.empty()) return;
    const auto differences = differences_of([](const LossSlopes& one) -> auto& { return one.value; });
    const double typical = typical_size(differences);
    for (std::size_t i = 0; i < target_.size(); ++i)
      if (!std::isnan(differences[i]) &&
          std::abs(here_.gradient[i] - differences[i]) > tolerance * std::max(std::abs(differences[i]), typical))
        throw Error(
            format_text("the loss: at prediction {} and target {} the gradient is {}, but the loss changes by {} for each "
                        "unit of the prediction; return the derivative of the loss by the prediction",
                        print_number(prediction_[i]), print_number(target_[i]), print_rounded(here_.gradient[i], 6),
                        print_rounded(differences[i], 6)));
  }

 private:
  static constexpr double tolerance = 0.01;

  double step(std::size_t i) const { return std::max(1e-4 * unit_, 1e-7 * std::abs(prediction_[i])); }

  LossSlopes moved(double steps) const {
    std::vector<double> at = prediction_;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += steps * step(i);
    return slopes_at(loss_, at, target_);
  }

  // Central differences; NaN at a kink, where those of half the step are others.
  template <class Of>
  std::vector<double> differences_of(Of of) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const double far = (of(far_[0])[i] - of(far_[1])[i]) / (2 * step(i)), near = (of(near_[0])[i] - of(near_[1])[i]) / step(i);
      result.push_back(std::abs(far - near) > tolerance * std::max(std::abs(far), std::abs(near)) + flat(i, of) ? missing : near);
    }
    return result;
  }
  // Differences below this are rounding errors.
  template <class Of>
  double flat(std::size_t i, Of of) const {
    return 1e-12 * std::abs(of(here_)[i]) / step(i) + std::numeric_limits<double>::min();
  }
  static double typical_size(const std::vector<double>& differences) {
    double sum = 0;
    for (const double one : differences) sum += std::isnan(one) ? 0 : std::abs(one);
    return sum / static_cast<double>(differences.size());
  }

  const PointLoss& loss_;
  double unit_ = 1;
  std::vector<double> prediction_, target_;
  LossSlopes here_;
  std::array<LossSlopes, 2> far_, near_;
};

// The mean gradient, which rises from `lowest` to `highest` target, must not be positive at the first or negative at the last.
void check_direction(const PointLoss& loss, std::span<const double> y) {
  const auto [lowest, highest] = std::minmax_element(y.begin(), y.end());
  for (const bool above : {false, true}) {
    const double at = above ? *highest : *lowest;
    const double found = mean(slopes_at(loss, std::vector<double>(y.size(), at), y).gradient);
    if (above ? found < 0 : found > 0)
      throw Error(
          format_text("the loss: at prediction {}, {} every target, the mean gradient is {}; it must not be {}. Is its "
                      "sign reversed? For squared errors it is prediction − target",
                      print_number(at), above ? "above" : "below", print_rounded(found, 6), above ? "negative" : "positive"));
  }
}

}  // namespace

LossSlopes slopes_at(const PointLoss& loss, std::span<const double> prediction, std::span<const double> y, RowWeights weights) {
  const std::vector<double> ones(weights.empty() ? y.size() : 0, 1.0);
  LossSlopes found = loss({prediction, y, weights.empty() ? std::span<const double>(ones) : weights});
  require_all(found.gradient, "gradient", prediction, y);
  require_all(found.curvature, "curvature", prediction, y);
  if (!found.value.empty()) require_all(found.value, "value", prediction, y);
  for (auto* numbers : {&found.gradient, &found.curvature, &found.value})
    for (std::size_t i = 0; i < numbers->size() && !weights.empty(); ++i) (*numbers)[i] /= weights[i];
  return found;
}

void check_loss(const PointLoss& loss, std::span<const double> y, const ExecutionContext& context) {
  context.report("checking the loss", 0);
  const Checks checks(loss, y);
  checks.compare_gradient();
  checks.compare_curvature();
  check_direction(loss, y);
}

// Newton's method within the range of the targets, then bisection. The mean gradient rises through 0 there.
OwnLoss::OwnLoss(const OwnTarget& target) : loss_(&target.loss), unit_(target.units.unit) {
  constexpr int newton_steps = 8, max_steps = 100;
  constexpr double near = 1e-10, width = 1e-6;  // in units of the target's mean deviation
  auto [low, high] = [&] {
    const auto ends = std::minmax_element(target.y.begin(), target.y.end());
    return std::pair(*ends.first, *ends.second);
  }();
  start_ = std::clamp(weighted_mean(target.y, target.weights), low, high);
  for (int step = 0; step < max_steps; ++step) {
    LossSlopes at = slopes_at(*loss_, std::vector<double>(target.y.size(), start_), target.y, target.weights);
    for (double& one : at.curvature) one = std::max(one, 0.0);
    const double gradient = weighted_mean(at.gradient, target.weights);
    mean_curvature_ = weighted_mean(at.curvature, target.weights);
    if (std::abs(gradient) <= near * unit_ * mean_curvature_ || high - low <= width * unit_) break;
    (gradient > 0 ? high : low) = start_;
    const double next = start_ - gradient / mean_curvature_;
    start_ = step < newton_steps && next > low && next < high ? next : low + (high - low) / 2;
  }
  if (!(mean_curvature_ > 0))
    throw Error(
        format_text("the loss: at prediction {} the curvature is not positive for any target; where the loss is a "
                    "straight line, return an upper bound such as 1",
                    print_number(start_)));
}

std::vector<double> OwnLoss::predictions(std::span<const double> margins) const {
  std::vector<double> f(margins.begin(), margins.end());
  for (double& one : f) one = start_ + unit_ * one;
  return f;
}

void OwnLoss::find_slopes(std::span<const double> margins, std::span<const double> y, RowWeights weights, Matrix& gradient,
                          Matrix& curvature) const {
  const LossSlopes found = slopes_at(*loss_, predictions(margins), y, weights);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto row = static_cast<Index>(i);
    gradient(row, 0) = found.gradient[i] / (unit_ * mean_curvature_);
    curvature(row, 0) = std::max(found.curvature[i] / mean_curvature_, min_curvature);
  }
}

double OwnLoss::mean_loss(std::span<const double> margins, std::span<const double> y, RowWeights weights) {
  std::vector<double> f = predictions(margins);
  LossSlopes found = slopes_at(*loss_, f, y, weights);
  if (!found.value.empty()) return weighted_mean(found.value, weights);
  const double total = total_weight(weights, std::ssize(f));
  for (std::size_t i = 0; i < before_.size(); ++i)
    sum_ +=
        weight_of(weights, static_cast<Index>(i)) * (found.gradient[i] + gradient_before_[i]) / 2 * (f[i] - before_[i]) / total;
  before_ = std::move(f);
  gradient_before_ = std::move(found.gradient);
  return sum_;
}

}  // namespace taut
