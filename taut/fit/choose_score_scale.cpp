#include <taut/fit/choose_score_scale.hpp>

#include <taut/predict/target_scale.hpp>
#include <taut/train/validation.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Chosen on splits of 73 public tables of 28 to 560 training rows. There a smaller gain on validation rows often was a loss on
// test rows, above all on the log scale, where few very wide intervals can outweigh the others. Tables of more than 300 training
// rows gained a few per cent, so that more than 2,000 are not worth the time.
constexpr Index max_rows_of_trials = 2000;

struct Margin {
  double gain, errors;  // of the loss; in standard errors
};

Margin margin_of(ScaleForm form) { return form == ScaleForm::log ? Margin{0.1, 2} : Margin{0.05, 1}; }

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
bool ScaleLoss::is_clearly_lower_than(const ScaleLoss& as_is, ScaleForm form) const {
  const auto n = static_cast<double>(relative_.size());
  double squares = 0;  // the relative scores have mean 1, so their differences have mean 0
  for (std::size_t i = 0; i < relative_.size(); ++i) squares += std::pow(relative_[i] - as_is.relative_[i], 2);
  const double error = n > 1 ? std::sqrt(squares / (n - 1) / n) : infinity;
  const Margin margin = margin_of(form);
  return is_lower_loss(loss_ + std::max(margin.gain, margin.errors * error), as_is.loss_);
}

}  // namespace taut
