// The score of given distributions: as they are, recalibrated on the scale of log-odds, or residuals from their medians.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/fit/choose_score_scale.hpp>
#include <taut/fit/score_training.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// The mean distance between quantiles per unit of log-odds, as far as it makes the scale of log-odds strictly increasing; without
// any distances the mean residual.
double min_slope_of(const RowPredictions& predicted, std::span<const double> y, RowWeights weights) {
  if (predicted.size() == 0) return 0;
  const double rows = total_weight(weights, std::ssize(y));
  const auto log_odds = predicted.levels()->log_odds();
  double slope = 0, residual = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const auto own = predicted[i].quantiles;
    const double share = weight_of(weights, static_cast<Index>(i)) / rows;
    slope += (own.back() * share - own.front() * share) / (log_odds.back() - log_odds.front());
    residual += std::abs(y[i] - predicted.f()[i]) * share;
  }
  const double found = QuantileScale::min_share * (slope > 0 ? slope : residual);
  return std::isfinite(found) ? found : 0;
}

// One of the forms of the score, and its loss on validation rows in units of y.
struct Form {
  std::string name;
  ScoreModel::Fitted fitted;
  double loss = 0;
  std::vector<double> of_rows = {};  // their mean differs between forms as the loss does
};

// The standard error of the difference of two losses, paired over rows; infinite if it is unknown.
double error_of_difference(const Form& one, const Form& other, RowWeights weights) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < one.of_rows.size(); ++i) differences.push_back(one.of_rows[i] - other.of_rows[i]);
  const double n = total_weight(weights, std::ssize(differences)), mean = weighted_mean(differences, weights);
  double squares = 0;
  for (std::size_t i = 0; i < differences.size(); ++i)
    squares += weight_of(weights, static_cast<Index>(i)) * std::pow(differences[i] - mean, 2);
  const double error = n > 1 ? std::sqrt(squares / (n - 1) / n) : infinity;
  return std::isfinite(error) ? error : infinity;
}

// The rows that all forms have, which are a sample where there are many.
Rows shared_rows(const std::vector<Form>& forms) {
  Rows shared = forms.front().fitted.held_out_rows;
  for (const Form& form : forms) shared = shared_rows(std::move(shared), form.fitted);
  return shared;
}

void judge(Form& form, const Rows& rows, const RowPredictions& predicted, std::span<const double> y, const FitOptions& options,
           RowWeights of_rows) {
  const auto score_of = held_out_scores(form.fitted, rows, predicted);
  const auto targets = pick(y, rows);
  const auto weights = pick_weights(of_rows, rows);
  if (options.focus > 0) {
    const ScaleLoss found(score_of, targets, options, weights);
    form.loss = found.loss();
    form.of_rows = found.of_rows();
    return;
  }
  form.of_rows = quantile_losses(score_of, targets, weights);
  form.loss = weighted_mean(form.of_rows, weights);
}

}  // namespace

// As far as the range of the training targets on each side. A trend in time may go further than its past shows.
PredictionLimits ScoreModel::limits_of_distributions(std::span<const double> y, const FitOptions& options) {
  constexpr double margin = 1;
  return y.empty() || options.is_in_order() ? PredictionLimits() : PredictionLimits(y, margin);
}

ScoreModel ScoreModel::fixed_on(ScoreScale scale, bool of_probability, const TrainingData& data) {
  ScoreModel score;
  score.score_scale_ = scale;
  score.levels_ = data.predicted.levels();
  score.is_of_probability_ = of_probability;
  if (!score.levels_) return score;
  score.min_slope_ = min_slope_of(data.predicted, data.y, data.weights);
  score.limits_ = limits_of_distributions(data.y, data.options);
  return score;
}

ScoreModel::Fitted ScoreModel::fit_distribution(const TrainingData& data) {
  const FitOptions& options = data.options;
  const bool only_residuals = options.score_scale == "as-is", only_probability = options.score_scale == "probability";
  const auto fit_form = [&](bool of_probability) {
    const Traced traced("score a given distribution",
                        [&] { return std::string(of_probability ? "on the scale of log-odds" : "by residuals"); });
    return fit_on({}, of_probability, data);
  };
  if (!options.adapts() || data.plan.validation_rows() == 0) return fit_form(!only_residuals);

  std::vector<Form> forms(1);
  forms.front().name = "as given";
  forms.front().fitted.score = fixed_on({}, !only_residuals, data);
  forms.front().fitted.fell_back = true;
  forms.front().fitted.held_out.resize(data.plan.validation_rows(), 0);
  forms.front().fitted.held_out_rows = data.validation_rows();
  if (!only_residuals) forms.push_back({"recalibrated", fit_form(true)});
  if (!only_probability) forms.push_back({"residuals", fit_form(false)});
  std::erase_if(forms, [&](const Form& form) { return &form != &forms.front() && form.fitted.fell_back; });

  const Rows rows = shared_rows(forms);
  std::size_t best_trained = 0;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    judge(forms[k], rows, data.predicted, data.y, options, data.weights);
    if (k > 0 && (best_trained == 0 || is_lower_loss(forms[k].loss, forms[best_trained].loss))) best_trained = k;
    words.push_back(format_text("{} {}", forms[k].name, print_rounded(forms[k].loss, 5)));
  }
  // A trained part must be better by more than the standard error: with few rows chance alone would often keep one.
  const double error =
      best_trained > 0 ? error_of_difference(forms[best_trained], forms.front(), pick_weights(data.weights, rows)) : infinity;
  const std::size_t kept = is_lower_loss(forms[best_trained].loss + error, forms.front().loss) ? best_trained : 0;
  Fitted best = std::move(forms[kept].fitted);
  if (kept == 0)
    best.message =
        "no trained part beat the given distribution on validation rows by more than the standard error: it is calibrated as it "
        "is";
  data.context.tell_detail(format_text("given distribution, losses on validation rows: {}", join(words, ", ")));
  if (!best.message.empty()) data.context.tell_detail(best.message);
  for (std::size_t k = 0; k < forms.size(); ++k)
    best.candidates.push_back({"distribution, " + forms[k].name, k == kept ? std::max(1, best.score.sides()) : 1, forms[k].loss,
                               k == kept, k == 0 ? "fixed" : options.transform, k > 0 && k == best_trained ? error : 0});
  return best;
}

void ScoreModel::load_distribution(const Archive& archive) {
  try {
    levels_ = std::make_shared<const QuantileLevels>(archive.get<std::vector<double>>("quantile_levels"));
  } catch (const UsageError& error) {
    throw Error(format_text("the model file's levels of given quantiles make no sense: it is damaged ({})", error.what()));
  }
  is_of_probability_ = archive.integer_in("of_probability", 0, 1) == 1;
  min_slope_ = archive.number("min_slope");
  limits_ = PredictionLimits::load(archive.scope("given"));
  if (!(min_slope_ >= 0) || !std::isfinite(min_slope_) || !score_scale_.is_identity())
    throw Error("the model file's scale of a given distribution makes no sense: it is damaged");
}

}  // namespace taut
