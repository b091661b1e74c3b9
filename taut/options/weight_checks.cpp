// Checks of --sample-weight, --calibrate-by-weight and --exposure.
#include <taut/options/options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace taut {

namespace {

// Throws UsageError if the columns of weights and exposures are named by another option too.
void check_weight_columns(const FitOptions& options) {
  using Named = std::pair<std::string, std::string>;  // an option and a column
  const std::vector<Named> own = {{"--sample-weight", options.sample_weight}, {"--exposure", options.exposure}};
  std::vector<Named> others = {{"--target", options.target},
                               {"--keep-together", options.keep_together},
                               {"--order-by", options.order_by},
                               {"--prediction", options.prediction},
                               {"--lower-prediction", options.lower_prediction},
                               {"--upper-prediction", options.upper_prediction}};
  const auto add = [&](const char* option, const std::vector<std::string>& names) {
    for (const auto& name : names) others.emplace_back(option, name);
  };
  add("--drop", options.drop);
  add("--by", options.by);
  add("--past-of", options.past_of);
  for (const auto& [option, column] : own) {
    if (column.empty()) continue;
    const auto same = std::find_if(others.begin(), others.end(), [&](const Named& other) { return other.second == column; });
    if (same != others.end())
      throw UsageError(format_text("{} and {} both name '{}'; take it out of one of them", option, same->first, column));
    others.emplace_back(option, column);
  }
}

}  // namespace

void FitOptions::check_weights() const {
  check_weight_columns(*this);
  if (!exposure.empty()) {
    const auto refuse = [](const std::string& with, const std::string& why) {
      throw UsageError(format_text("--exposure cannot be combined with {}: {}; leave one of them out", with, why));
    };
    if (has_given_predictions()) refuse("predictions of your own", "the target per exposure is modelled, by predictors of Taut");
    if (is_imported(*this)) refuse("--model", "the target per exposure is modelled, by predictors of Taut");
    if (predicts_ends()) refuse("--predictor " + predictor, "one rate is predicted, not the ends of an interval");
    if (score_scale == "root" || score_scale == "log")
      refuse("--score-scale " + score_scale, "distances from the prediction grow with the root of the exposure");
    if (target_scale == "root" || target_scale == "log")
      refuse("--target-scale " + target_scale, "the mean of a rate is not that of its root or logarithm");
    if (is_in_order()) refuse("--in-order", "rows of a stream have no exposures");
  }
  if (sample_weight.empty()) {
    if (calibrate_by_weight) throw UsageError("--calibrate-by-weight needs the column with the weights: --sample-weight COL");
    return;
  }
  if (has_past())
    throw UsageError(
        "--sample-weight cannot be combined with --lags and --rolling: their inputs are made from every earlier row, whatever "
        "its "
        "weight; leave one of them out");
  if (!calibrate_by_weight) return;
  const auto refuse = [](const std::string& with, const std::string& why) {
    throw UsageError(format_text("--calibrate-by-weight cannot be combined with {}: {}; leave one of them out", with, why));
  };
  if (!by.empty()) refuse("--by", "each says which calibration rows count for a new row");
  if (!keep_together.empty()) refuse("--keep-together", "each says which calibration rows count for a new row");
  if (holds_out()) refuse("--split " + split, "every row calibrates there, with equal weight");
  if (is_in_order()) refuse("--in-order", "a stream has one distribution of scores for all rows");
  if (sure > 0) refuse("--sure", "for weighted rows there is no exact statement about one calibration set");
}

}  // namespace taut
