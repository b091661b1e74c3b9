#include <taut/fit/choose_score_scale.hpp>

#include <taut/predict/target_scale.hpp>
#include <taut/train/validation.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Another scale must lower the loss on validation rows by two standard errors of the paired difference, as is usual, and by a
// share that is worth a less familiar model. On the log scale few very wide intervals can outweigh the others, so chance must be
// excluded. With more rows the localizer learns how errors depend on f, and trials are not worth their time.
constexpr Index max_rows_of_trials = 2000;
constexpr double min_gain = 0.05, errors_to_be_clear = 2;

}  // namespace

std::vector<std::string> score_scales_to_try(const FitOptions& options, std::span<const double> y) {
  if (options.score_scale != "auto") return {options.score_scale};
  const bool is_tried = options.adapts() && !options.predicts_ends() && std::ssize(y) <= max_rows_of_trials;
  return is_tried ? TargetScale::worth_trying(y) : std::vector<std::string>{"as-is"};
}

ScaleLoss::ScaleLoss(const std::function<RowScore(std::size_t)>& score_of, std::span<const double> y, const FitOptions& options) {
  const TargetRange range(options.y_min, options.y_max, 0);
  std::vector<double> levels = {0.68, 0.9, 0.95};
  if (options.focus > 0) levels = {options.focus};
  std::vector<double> b;
  for (std::size_t i = 0; i < y.size(); ++i) b.push_back(score_of(i)(y[i]));
  relative_.assign(y.size(), 0);
  const auto n = static_cast<double>(y.size()), count = static_cast<double>(levels.size());
  for (const double level : levels) {
    const double q = sample_quantile(b, level), penalty = 2 / (1 - level);
    std::vector<double> scores;
    double mean = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Interval own = score_of(i).at_most(q, range);
      scores.push_back(own.width() + penalty * std::max({0.0, own.lower - y[i], y[i] - own.upper}));
      mean += scores.back() / n;
    }
    loss_ += std::log(mean) / count;
    for (std::size_t i = 0; i < y.size(); ++i) relative_[i] += scores[i] / mean / count;
  }
}

// To first order, the difference of the logs of two means is the mean of the differences of the relative scores.
bool ScaleLoss::is_clearly_lower_than(const ScaleLoss& as_is) const {
  const auto n = static_cast<double>(relative_.size());
  double squares = 0;  // the relative scores have mean 1, so their differences have mean 0
  for (std::size_t i = 0; i < relative_.size(); ++i) squares += std::pow(relative_[i] - as_is.relative_[i], 2);
  const double error = n > 1 ? std::sqrt(squares / (n - 1) / n) : infinity;
  return is_lower_loss(loss_ + std::max(min_gain, errors_to_be_clear * error), as_is.loss_);
}

}  // namespace taut
