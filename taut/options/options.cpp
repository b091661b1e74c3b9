#include <taut/options/options.hpp>

#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/score_scale.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/options/given_columns.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/target_scale.hpp>
#include <taut/train/objective_names.hpp>
#include <taut/train/plan.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace taut {

namespace {

const std::vector<std::string> efforts = {"quick", "normal", "thorough"};  // in the order of SearchEffort

void check_one_of(std::string_view what, const std::string& value, const std::vector<std::string>& allowed) {
  for (const auto& name : allowed)
    if (value == name) return;
  throw UsageError(unknown_name(what, value, allowed));
}

void check_minimum(std::string_view what, double value, double minimum) {
  if (value >= minimum && std::isfinite(value)) return;
  throw UsageError(format_text("--{} must be at least {}, got {}", what, print_number(minimum), print_number(value)));
}

// The error lists `stack` too, which is not in the list of predictors.
void check_predictor(const std::string& name) {
  if (name == "stack" || name == name_of_imported) return;
  try {
    predictors().make(name);
  } catch (const UsageError&) {
    const auto known = predictors().names();
    const std::string plain = name.substr(0, name.find(':'));
    if (std::find(known.begin(), known.end(), plain) != known.end()) throw;
    auto names = known;
    names.insert(names.begin(), "stack");
    throw UsageError(unknown_name("predictor", plain, names));
  }
}

}  // namespace

void FitOptions::check_target_scale() const {
  auto allowed = TargetScale::names();
  allowed.emplace_back("auto");
  check_one_of("value of --target-scale", target_scale, allowed);
  if (has_f()) throw UsageError("--target-scale is about predictors that Taut trains; with predictions of your own leave it out");
}

void FitOptions::check_score_scale() const {
  auto allowed = TargetScale::names();
  allowed.push_back(ScoreScale::name_of_learned());
  allowed.emplace_back("probability");
  allowed.emplace_back("auto");
  check_one_of("value of --score-scale", score_scale, allowed);
  if (score_scale == "probability" && !predicts_distribution())
    throw UsageError(
        "--score-scale probability is that of a given predictive distribution: name its columns by --quantile-columns or "
        "--sample-columns, or leave it out");
  if (predicts_distribution() && score_scale != "auto" && score_scale != "probability" && score_scale != "as-is")
    throw UsageError(format_text(
        "--score-scale {} is about distances from one prediction, and a distribution is given; give auto, probability or as-is",
        score_scale));
  if (predicts_ends() && score_scale != "auto" && score_scale != "as-is")
    throw UsageError(format_text(
        "--score-scale {} is about distances from one prediction, and two ends are predicted; leave it out, or give as-is",
        score_scale));
}

std::vector<std::string> FitOptions::transforms_in_force() const {
  if (transform != "auto") return {trained_first(transform)};
  std::vector<std::string> competing;
  for (const auto& entry : transforms().entries())
    if (transforms().make(entry.example)->competes()) competing.push_back(entry.example);
  return competing;
}

bool FitOptions::tries_shape() const {
  return transform != "auto" && trained_first(transform) != transform && focus == 0 && localizer_crosses() &&
         objectives().make(objective_in_force())->validates_by_interval_score();
}

std::string FitOptions::objective_in_force(const std::string& transform_name) const {
  const std::string trained = trained_first(transform_name);
  return objective_for(localization(), trained, trained == transforms_in_force().front());
}

SearchEffort FitOptions::search_effort() const {
  return static_cast<SearchEffort>(std::find(efforts.begin(), efforts.end(), effort) - efforts.begin());
}

ColumnDeclarations FitOptions::declarations() const {
  return {categorical, numeric, date, ordered, decimal.empty() ? '\0' : decimal.front()};
}

LocalizationOptions FitOptions::localization() const {
  LocalizationOptions own;
  own.localizer = localizer;
  own.objective = objective;
  if (focus > 0) own.focus = focus;
  if (sides != "auto") own.sides = {sides == "one" ? 1 : 2};
  own.training.epochs = epochs;
  own.training.patience = patience;
  if (search_effort() == SearchEffort::thorough) own.training.many_rows = own.training.max_rows;
  own.training.localizer = {.seed = static_cast<std::uint64_t>(seed),
                            .hidden = hidden,
                            .rate = rate,
                            .depth = depth,
                            .min_weight = min_weight,
                            .batch = batch};
  return own;
}

bool FitOptions::localizer_crosses() const { return adapts() && localizers().make(localizer)->trains_per_fold(); }

bool FitOptions::adapts() const {
  return localizers().make(localizer)->adapts() && transforms().make(transforms_in_force().front())->n_params() > 0;
}

std::string fact_name(const OptionText& option) {
  std::string name(option.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string listed_predictors() { return predictors().describe(); }
std::string listed_localizers() { return localizers().describe(); }
std::string listed_transforms() { return transforms().describe(); }
std::string listed_objectives() { return objectives().describe(); }

std::vector<std::string> FitOptions::prediction_columns() const {
  std::vector<std::string> columns;
  for (const auto& name : {prediction, lower_prediction, upper_prediction})
    if (!name.empty()) columns.push_back(name);
  for (const auto& text : quantile_columns) columns.push_back(name_of_quantile_column(text));
  columns.insert(columns.end(), sample_columns.begin(), sample_columns.end());
  return columns;
}

bool FitOptions::holds_out() const { return split.starts_with(cv_plus) || split == jackknife_plus; }

bool FitOptions::predicts_ends() const {
  if (has_given_predictions()) return !lower_prediction.empty();
  return !stacks() && !is_imported(*this) && predictors().make(predictor)->outputs() == 2;
}

void FitOptions::check_distribution() const {
  if (!predicts_distribution()) return;
  const char* const own = quantile_columns.empty() ? "--sample-columns" : "--quantile-columns";
  const auto refuse = [&](const char* other) {
    throw UsageError(format_text("{} and {} exclude each other: both say what is predicted; leave one of them out", own, other));
  };
  if (!quantile_columns.empty() && !sample_columns.empty()) refuse("--sample-columns");
  if (!prediction.empty()) refuse("--prediction");
  if (!lower_prediction.empty() || !upper_prediction.empty()) refuse("--lower-prediction, --upper-prediction");
}

void FitOptions::check() const {
  check_distribution();
  if (lower_prediction.empty() != upper_prediction.empty())
    throw UsageError(
        format_text("--{}-prediction is given alone: quantile predictions are two columns, --lower-prediction COL and "
                    "--upper-prediction COL; for a single one there is --prediction",
                    lower_prediction.empty() ? "upper" : "lower"));
  if (!prediction.empty() && !lower_prediction.empty())
    throw UsageError(
        "--prediction and --lower-prediction, --upper-prediction exclude each other: with quantile predictions the middle "
        "between the two is the prediction; leave --prediction out, or the other two");
  if (!has_given_predictions()) check_predictor(predictor);
  if (!target_scale.empty()) check_target_scale();
  check_score_scale();
  localizers().make(localizer);
  if (focus != 0 && !(focus > 0 && focus < 1))
    throw UsageError("--focus must be a confidence level between 0 and 1, both excluded, for example 0.9; got " +
                     print_number(focus));
  check_one_of("value of --sides", sides, {"one", "two", "auto"});
  localization_plans(localization(), transforms_in_force());  // throws if the objective cannot train the transformation
  check_one_of("value of --other-groups", other_groups, {"whole-line", "pool"});
  if (!by.empty() && !keep_together.empty())
    throw UsageError(
        "--by and --keep-together exclude each other: one guarantees coverage within known groups, the other for a row of a new "
        "group; give one");
  check_sureness();
  check_order();
  check_past();
  check_weights();
  check_monotone();
  check_one_of("value of --effort", effort, efforts);
  check_repeats();
  check_one_of("value of --see-prediction", see_prediction, {"yes", "no", "auto"});
  (void)TargetRange(y_min, y_max, y_step);  // checks them
  check_minimum("max-rows", static_cast<double>(max_rows), 0);
  if (max_rows > 0 && !keep_together.empty())
    throw UsageError(
        "--max-rows and --keep-together exclude each other: rows of a group must not be separated; leave one of them out");
  check_minimum("seed", static_cast<double>(seed), 0);
  check_minimum("knn-rows", static_cast<double>(knn_rows), 2);
  check_minimum("rate", rate, 0);
  check_minimum("batch", static_cast<double>(batch), -1);
  check_minimum("epochs", static_cast<double>(epochs), 0);
  check_minimum("patience", static_cast<double>(patience), 0);
  check_minimum("depth", static_cast<double>(depth), 0);
  if (depth > max_depth)
    throw UsageError(format_text("--depth must be at most {}, got {}: deeper trees would have more leaves than a table has rows",
                                 max_depth, depth));
  check_minimum("min-weight", min_weight, 0);
  if (!decimal.empty() && decimal != "." && decimal != ",")
    throw UsageError(format_text("--decimal is '.' or ',', got '{}'", decimal));
  for (const Index neurons : hidden) check_minimum("hidden", static_cast<double>(neurons), 1);
}

void FitOptions::check_columns() const {
  if (target.empty()) throw UsageError("name the column to predict: --target COL");
  check_groups();
  const std::vector<std::pair<std::string, std::string>> predictions = {
      {"--prediction", prediction}, {"--lower-prediction", lower_prediction}, {"--upper-prediction", upper_prediction}};
  for (const auto& [option, column] : predictions)
    if (column == target)
      throw UsageError(format_text(
          "{} and --target both name '{}': a target is no prediction of itself; name the column with the predictions of your "
          "model",
          option, target));
  if (!lower_prediction.empty() && lower_prediction == upper_prediction)
    throw UsageError(format_text(
        "--lower-prediction and --upper-prediction both name '{}'; name two columns, or use --prediction for a single one",
        lower_prediction));
  for (auto name = drop.begin(); name != drop.end(); ++name) {
    const auto named = std::find_if(predictions.begin(), predictions.end(), [&](const auto& one) { return one.second == *name; });
    if (*name == target || named != predictions.end())
      throw UsageError(format_text("--drop names '{}', which {} names too; take it out of one of them", *name,
                                   *name == target ? std::string("--target") : named->first));
    if (std::find(drop.begin(), name, *name) != name)
      throw UsageError(format_text("--drop names '{}' twice; name it once", *name));
  }
}

void FitOptions::check_groups() const {
  refuse_target(by, "--by", target);
  refuse_target({keep_together}, "--keep-together", target);
}

void FitOptions::check_sureness() const {
  check_sure(sure);
  if (!(sure > 0)) return;
  const auto refuse = [](const std::string& with, const std::string& why) {
    throw UsageError(format_text("--sure cannot be combined with {}: {}", with, why));
  };
  if (holds_out()) refuse("--split " + split, "models share rows, so nothing exact is known about one calibration set");
  if (!keep_together.empty()) refuse("--keep-together", "rows of a group depend on one another; leave one of them out");
  if (is_in_order()) refuse("--in-order", "rows that come one after another are not exchangeable; leave one of them out");
  if (pools_others()) refuse("--other-groups pool", "nothing is known about groups without calibration rows");
}

void FitOptions::check_order() const {
  check_minimum("gap", static_cast<double>(gap), 0);
  if (gap > 0 && !is_in_order())
    throw UsageError("--gap goes with --in-order: only rows that come one after another have neighbours in time");
  if (is_in_order() && !keep_together.empty())
    throw UsageError(
        "--in-order and --keep-together exclude each other: one cuts rows by time, the other by the values of a column; give "
        "one");
  if (!order_by.empty() && order_by == target)
    throw UsageError(format_text("--order-by names the target '{}'; name the column with the times of the rows", target));
}

void FitOptions::check_past() const {
  check_minimum("delay", static_cast<double>(delay), 0);
  const auto refuse_alone = [this](const char* option) {
    if (!is_in_order())
      throw UsageError(
          format_text("--{} goes with --in-order or --order-by: only rows that come one after another have a past", option));
  };
  if (delay > 0) refuse_alone("delay");
  if (!lags.empty()) refuse_alone("lags");
  if (!rolling.empty()) refuse_alone("rolling");
  if (!past_of.empty() && !has_past())
    throw UsageError("--past-of says what --lags and --rolling are made from; give one of them, for example --lags 1,2,24");
  for (const auto* numbers : {&lags, &rolling})
    for (const Index number : *numbers) {
      const std::string option = numbers == &lags ? "lags" : "rolling";
      check_minimum(option, static_cast<double>(number), numbers == &lags ? 1 : 2);
      if (number > max_past)
        throw UsageError(format_text("--{}: at most {} rows back, got {}", option, print_count(max_past), print_count(number)));
      if (std::count(numbers->begin(), numbers->end(), number) > 1)
        throw UsageError(format_text("--{} names {} twice; name it once", option, number));
    }
  for (const Index lag : lags)
    if (lag <= delay)
      throw UsageError(format_text("--lags {} asks for a target that is not known yet: with --delay {} lags begin at {}", lag,
                                   delay, delay + 1));
  for (const auto& name : past_of)
    if (name == target || std::count(past_of.begin(), past_of.end(), name) > 1)
      throw UsageError(format_text("--past-of names '{}'{}; leave it out", name,
                                   name == target ? ", the target, which is always among them" : " twice"));
}

namespace {

std::string text_of(const std::string& value) { return value; }
std::string text_of(double value) { return print_number(value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(Index value) { return std::to_string(value); }
std::string text_of(const std::vector<std::string>& values) { return join(values, ","); }
std::string text_of(const std::vector<Index>& values) {
  std::vector<std::string> words;
  for (const Index value : values) words.push_back(std::to_string(value));
  return join(words, ",");
}

}  // namespace

void FitOptions::save(Archive archive) const {
  FitOptions own = *this;
  own.objective = spell_out_levels(objective, Spelling::confidence);
  std::vector<std::string> left_out;
  const FitOptions defaults;
  for_each_option(defaults, [&](const OptionText& text, const auto& value) {
    if (text.stored == Stored::unless_default) left_out.push_back(std::string(text.name) + "=" + text_of(value));
  });
  for_each_option(own, [&]<class T>(const OptionText& text, const T& value) {
    if (text.stored == Stored::never) return;
    if (text.stored == Stored::unless_default &&
        std::count(left_out.begin(), left_out.end(), std::string(text.name) + "=" + text_of(value)) > 0)
      return;
    if constexpr (std::is_same_v<T, Index> || std::is_same_v<T, bool>)
      archive.put(text.name, static_cast<std::int64_t>(value));
    else if constexpr (std::is_same_v<T, std::vector<Index>>)
      archive.put(text.name, std::vector<std::int64_t>(value.begin(), value.end()));
    else
      archive.put(text.name, value);
  });
}

FitOptions FitOptions::load(const Archive& archive) {
  FitOptions options;
  for_each_option(options, [&archive]<class T>(const OptionText& text, T& value) {
    if (!archive.has(text.name)) return;  // an option that is newer than the file keeps its default
    if constexpr (std::is_same_v<T, Index> || std::is_same_v<T, bool>) {
      value = static_cast<T>(archive.integer(text.name));
    } else if constexpr (std::is_same_v<T, std::vector<Index>>) {
      const auto& stored = archive.get<std::vector<std::int64_t>>(text.name);
      value.assign(stored.begin(), stored.end());
    } else {
      value = archive.get<T>(text.name);
    }
  });
  options.objective = spell_out_levels(options.objective, Spelling::alpha);
  options.depth = std::min(options.depth, max_depth);  // Taut 0.1 did not limit the depth
  options.check();
  return options;
}

bool is_flag(std::string_view option) {
  bool found = false;
  FitOptions options;
  for_each_option(options,
                  [&]<class T>(const OptionText& text, const T&) { found |= text.name == option && std::is_same_v<T, bool>; });
  return found;
}

void visit_option_texts(const FitOptions& options,
                        const std::function<void(const std::string& name, const std::string& value, bool differs)>& visit) {
  const FitOptions defaults;
  std::vector<std::string> standard;
  for_each_option(defaults, [&](const OptionText&, const auto& value) { standard.push_back(text_of(value)); });
  std::size_t position = 0;
  for_each_option(options, [&](const OptionText& text, const auto& value) {
    const std::string words = text_of(value);
    visit(std::string(text.name), words, words != standard[position++]);
  });
}

}  // namespace taut
