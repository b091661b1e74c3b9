#include <taut/fit/choose_score_scale.hpp>

#include <taut/predict/target_scale.hpp>
#include <taut/train/validation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// Another scale must lower the loss on validation rows by two standard errors of the paired difference, as is usual, and by a
// share that is worth a less familiar model. On the log scale few very wide intervals can outweigh the others, so chance must be
// excluded. With more rows the localizer learns how errors depend on f, and trials are not worth their time.
constexpr Index max_rows_of_trials = 2000;
constexpr double min_gain = 0.05, errors_to_be_clear = 2;
// With monotone columns the localizer sees neither these nor f. Then a scale is the only way in which widths can follow f, so
// trials are worth their time for any number of rows, and one standard error suffices.
constexpr double errors_if_monotone = 1;

}  // namespace

std::vector<std::string> score_scales_to_try(const FitOptions& options, std::span<const double> y, RowWeights weights) {
  if (options.score_scale != "auto") return {options.score_scale};
  const bool is_worth = options.is_monotone() || std::ssize(y) <= max_rows_of_trials;
  const bool is_tried =
      options.adapts() && options.exposure.empty() && !options.predicts_ends() && !options.predicts_distribution() && is_worth;
  if (!is_tried) return {"as-is"};
  auto scales = TargetScale::worth_trying(y, weights);
  if (options.is_monotone()) scales.push_back(ScoreScale::name_of_learned());
  return scales;
}

ScaleLoss::ScaleLoss(const std::function<RowScore(std::size_t)>& score_of, std::span<const double> y, const FitOptions& options,
                     RowWeights weights)
    : weights_(weights.begin(), weights.end()), is_monotone_(options.is_monotone()) {
  const TargetRange range(options.y_min, options.y_max, 0);
  std::vector<double> levels = {0.68, 0.9, 0.95};
  if (options.focus > 0) levels = {options.focus};
  std::vector<double> b;
  for (std::size_t i = 0; i < y.size(); ++i) b.push_back(score_of(i)(y[i]));
  relative_.assign(y.size(), 0);
  const double n = total_weight(weights, std::ssize(y)), count = static_cast<double>(levels.size());
  double mean = 0;
  for (const double level : levels) {
    const double q = sample_quantile(b, level, weights), penalty = 2 / (1 - level);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Interval own = score_of(i).at_most(q, range);
      const double score = (own.width() + penalty * std::max({0.0, own.lower - y[i], y[i] - own.upper})) / count;
      mean += weight_of(weights, static_cast<Index>(i)) * (score / n);
      relative_[i] += score;
    }
  }
  loss_ = std::log(mean);
  for (double& score : relative_) score /= mean;
}

// To first order, the difference of the logs of two means is the mean of the differences of the relative scores.
bool ScaleLoss::is_clearly_lower_than(const ScaleLoss& as_is) const {
  const double n = total_weight(weights_, std::ssize(relative_));
  double squares = 0;  // the relative scores have mean 1, so their differences have mean 0
  for (std::size_t i = 0; i < relative_.size(); ++i)
    squares += weight_of(weights_, static_cast<Index>(i)) * std::pow(relative_[i] - as_is.relative_[i], 2);
  const double error = n > 1 ? std::sqrt(squares / (n - 1) / n) : infinity;
  const double gain = is_monotone_ ? errors_if_monotone * error : std::max(min_gain, errors_to_be_clear * error);
  return is_lower_loss(loss_ + gain, as_is.loss_);
}

std::vector<double> quantile_losses(const std::function<RowScore(std::size_t)>& score_of, std::span<const double> y,
                                    RowWeights weights) {
  constexpr int parts = 20;
  std::vector<std::pair<SignedScore, double>> sorted;  // with their weights
  for (std::size_t i = 0; i < y.size(); ++i)
    sorted.emplace_back(score_of(i).signed_at(y[i]), weight_of(weights, static_cast<Index>(i)));
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const double rows = total_weight(weights, std::ssize(y));
  std::vector<SignedScore> quantiles;
  double counted = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    counted += sorted[i].second;
    const auto place = [&] { return std::floor(static_cast<double>(quantiles.size() + 1) / parts * (rows - 1) + 0.5); };
    while (std::ssize(quantiles) < parts - 1 && (place() < counted || i + 1 == sorted.size()))
      quantiles.push_back(sorted[i].first);
  }
  std::vector<double> losses;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const RowScore score = score_of(i);
    double mean = 0;
    for (int k = 1; k < parts; ++k) {
      const double p = static_cast<double>(k) / parts;
      const double over = y[i] - score.value_at(quantiles[static_cast<std::size_t>(k - 1)]);
      mean += std::max(p * over, (p - 1) * over) / (parts - 1);
    }
    losses.push_back(mean);
  }
  return losses;
}

}  // namespace taut
