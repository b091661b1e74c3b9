// The single list of all options of a fit. The command line, the model file, Python and the docs read it.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct Column;
struct LocalizationOptions;
struct ColumnDeclarations;
enum class SearchEffort;

inline constexpr Index max_depth = 30;  // of a tree, which then has a billion leaves
inline constexpr Index max_repeats = 1000;
inline constexpr Index max_past = 100'000;  // rows back, for --lags and --rolling

struct FitOptions {
  std::string target;
  std::string prediction;
  std::string lower_prediction, upper_prediction;             // instead of `prediction`: the ends of a predicted interval
  std::vector<std::string> quantile_columns, sample_columns;  // instead of `prediction`: a predictive distribution
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
  std::vector<std::string> numeric;
  std::vector<std::string> date;
  std::vector<std::string> ordered;
  std::vector<std::string> increasing, decreasing;
  std::vector<std::string> na;
  std::string decimal;  // empty: detected
  bool skip_missing_target = false;
  std::string sample_weight;
  bool calibrate_by_weight = false;
  std::string exposure;
  std::string predictor = "stack";
  std::string target_scale;  // empty: auto for a stack, else as-is
  std::string localizer = "boost";
  std::string transform = "curve";
  std::string score_scale = "auto";
  std::string objective;  // empty: see objective_in_force
  double focus = 0;       // 0: none
  std::string sides = "auto";
  std::string split;  // empty: cross
  std::vector<std::string> by;
  std::string other_groups = "whole-line";
  std::string keep_together;
  double sure = 0;  // 0: on average over calibration sets
  bool in_order = false;
  std::string order_by;
  Index gap = 0;
  Index delay = 0;
  std::vector<Index> lags, rolling;
  std::vector<std::string> past_of;
  double y_min = -infinity;
  double y_max = infinity;
  double y_step = 0;
  Index max_rows = 0;
  Index seed = 0;
  std::string effort = "normal";
  Index repeats = 1;
  std::string time;  // empty: none
  Index knn_rows = 1000;
  std::string see_prediction = "auto";
  std::vector<Index> hidden = {100, 100, 100, 100, 100};
  double rate = 0;
  Index batch = 0;
  Index epochs = 0;
  Index patience = 0;
  Index depth = 0;
  double min_weight = 0;

  // The transformations to train: the named one (or its base), or for `auto` the competing ones, the simplest first.
  std::vector<std::string> transforms_in_force() const;
  // True if a shape is trained on top of the trained scale: the transformation has a base scale, there is no focus, the localizer
  // is trained once per fold, and the objective is validated by the interval score.
  bool tries_shape() const;
  // The objective that training minimises: the named one, otherwise the default for the focus and the (first) transformation.
  // Among competing transformations, one that the named objective cannot train uses its default.
  std::string objective_in_force() const { return objective_in_force(transforms_in_force().front()); }
  std::string objective_in_force(const std::string& transform_name) const;
  // The columns with predictions of the user's model; empty if Taut trains a predictor.
  std::vector<std::string> prediction_columns() const;
  Index n_prediction_columns() const {
    if (predicts_distribution()) return std::ssize(quantile_columns) + std::ssize(sample_columns);
    return !prediction.empty() ? 1 : lower_prediction.empty() ? 0 : 2;
  }
  bool has_given_predictions() const { return n_prediction_columns() > 0; }
  // True if a predictive distribution is given, by its quantiles or by samples.
  bool predicts_distribution() const { return !quantile_columns.empty() || !sample_columns.empty(); }
  // True if given predictions have an order that they may violate.
  bool may_cross() const { return !quantile_columns.empty() || !lower_prediction.empty(); }
  // True if f exists before the fit: given as a column, or imported from another library.
  bool has_f() const { return has_given_predictions() || predictor == "imported"; }
  // True if the ends of an interval are predicted instead of one number: quantile predictions, given or trained by Taut.
  bool predicts_ends() const;
  SearchEffort search_effort() const;
  bool has_time() const { return !time.empty(); }
  double seconds() const;  // of --time; throws UsageError if it is none
  // True if a row of an unknown group gets the distribution of all calibration rows instead of the whole line.
  bool pools_others() const { return other_groups == "pool"; }
  // The settings for the training of g.
  LocalizationOptions localization() const;
  // True if f is a weighted mean of several predictors.
  bool stacks() const { return !has_given_predictions() && predictor == "stack"; }
  // True if every row both trains and calibrates, with models that each leave out a part of the rows: --split cv+, cv+:K,
  // jackknife+.
  bool holds_out() const;
  // True if rows are in time order.
  bool is_in_order() const { return in_order || !order_by.empty(); }
  // True if inputs are computed from earlier rows.
  bool has_past() const { return !lags.empty() || !rolling.empty(); }
  // True if every row outside of the calibration set both trains and validates, in folds. The models of holds_out() do so too.
  bool crosses() const { return split.empty() || split == "cross" || holds_out(); }
  // True if answers are monotone in some columns: see docs/monotone.md.
  bool is_monotone() const { return !increasing.empty() || !decreasing.empty(); }
  // The direction of each of these columns; empty if there are no monotone columns.
  InputDirections directions_of(const std::vector<Column>& columns) const;
  // True if g is trained: the localizer adapts, and the transformation has parameters.
  bool adapts() const;
  // True if the localizer is cheap enough to be trained once for each fold.
  bool localizer_crosses() const;

  // The user's declarations of columns.
  ColumnDeclarations declarations() const;

  // Throws UsageError for an unknown name, a number out of its range, or options that exclude each other.
  void check() const;
  // Throws UsageError unless the target is named and each column is named in one place only.
  void check_columns() const;
  void check_target_scale() const;
  void check_score_scale() const;
  void check_distribution() const;
  void check_groups() const;
  void check_sureness() const;
  void check_order() const;
  void check_past() const;
  void check_weights() const;
  void check_monotone() const;
  void check_repeats() const;
  // Throws UsageError if groups made from these specifications of --by or another option would break the order of answers.
  void check_monotone_groups(const std::vector<std::string>& specifications, const std::string& option) const;

  void save(Archive archive) const;
  static FitOptions load(const Archive& archive);
};

// Whether an option is part of the model file.
enum class Stored {
  always,
  unless_default,  // files of fits without the option are as they were before there was one
  never            // the options that it was turned into are stored
};

struct OptionText {
  std::string_view name;   // as on the command line, without dashes
  std::string_view value;  // placeholder of the value in --help
  std::string help;
  std::string_view also = {};  // another name for the same option
  Stored stored = Stored::always;
};

// The name of an option in JSON output, for example "keep_together".
std::string fact_name(const OptionText& option);

// The names that an option allows, from the registries.
std::string listed_predictors();
std::string listed_localizers();
std::string listed_transforms();
std::string listed_objectives();

// Calls visit(OptionText, member) for every option, in the order of --help.
template <class Options, class Visit>
void for_each_option(Options& options, Visit&& visit) {
  visit(OptionText{"target", "COL", "column to predict; several names, with commas between them: a joint region"},
        options.target);
  visit(OptionText{"prediction", "COL", "column with the predictions of a model of your own, which has not seen these rows"},
        options.prediction);
  visit(OptionText{"lower-prediction", "COL",
                   "column with the lower of two quantile predictions of your own, for example of 0.05; with --upper-prediction, "
                   "instead of --prediction"},
        options.lower_prediction);
  visit(OptionText{"upper-prediction", "COL", "column with the upper one, for example of 0.95"}, options.upper_prediction);
  visit(
      OptionText{
          "quantile-columns", "COL,...",
          "columns with quantiles that a model of your own predicts, two or more, each named by its level: 'q*' for q0.05, "
          "q0.5, q0.95; NAME=LEVEL states the level of any column; instead of --prediction"},
      options.quantile_columns);
  visit(
      OptionText{"sample-columns", "COL,...",
                 "columns with samples from the predictive distribution of a model of your own, 's*' for s1, s2, ...; instead of "
                 "--prediction"},
      options.sample_columns);
  visit(OptionText{"drop", "COL,...", "columns to leave out"}, options.drop);
  visit(OptionText{"categorical", "COL,...", "columns that are categories even where their cells are numbers: zip codes, stores"},
        options.categorical);
  visit(OptionText{"numeric", "COL,...", "columns that are numbers; cells that hold something else are missing"},
        options.numeric);
  visit(OptionText{"date", "COL,...", "columns that are dates; when:dmy, when:mdy: whether the day or the month comes first"},
        options.date);
  visit(OptionText{"ordered", "COL:A<B<C,...", "columns that are categories in this order"}, options.ordered);
  visit(OptionText{"increasing", "COL,...",
                   "columns in which predictions, quantiles and both ends of intervals never fall, whatever the other columns"},
        options.increasing);
  visit(OptionText{"decreasing", "COL,...", "columns in which they never rise"}, options.decreasing);
  visit(OptionText{"na", "TEXT,...",
                   "texts that mean a missing cell, besides NA, N/A, #N/A, NaN, null, - and ?; among numbers also None, . and *"},
        options.na);
  visit(OptionText{"decimal", "CHAR", "the decimal point of numbers, '.' or ','; detected if not given"}, options.decimal);
  visit(OptionText{"skip-missing-target", "", "leave out rows without a target instead of stopping"},
        options.skip_missing_target);
  visit(
      OptionText{
          "sample-weight", "COL",
          "column with the weight of each row in training: a row of weight 2 counts as two rows, a row of weight 0 as none"},
      options.sample_weight);
  visit(OptionText{"calibrate-by-weight", "",
                   "calibrate with the weights of --sample-weight too: the guarantee is then for a row sampled with probability "
                   "proportional to its weight"},
        options.calibrate_by_weight);
  visit(
      OptionText{"exposure", "COL",
                 "column with the exposure of each row, such as years insured: the target divided by it is modelled, with noise "
                 "that shrinks as it grows"},
      options.exposure);
  visit(OptionText{"predictor", "NAME",
                   "f(x): " + listed_predictors() + "; stack, the default: a weighted mean of those that do well"},
        options.predictor);
  visit(
      OptionText{
          "target-scale", "as-is|root|log|auto",
          "scale on which f learns the target; auto: the one with the lowest error on held-out rows, the default of a stack"},
      options.target_scale);
  visit(OptionText{"localizer", "NAME", "g(x): " + listed_localizers() + "; the last two are one width everywhere"},
        options.localizer);
  visit(
      OptionText{"transform", "NAME", "transformation of the scores: " + listed_transforms() + "; auto: validation rows choose"},
      options.transform);
  visit(OptionText{"score-scale", "auto|as-is|root|log|learned|probability",
                   "scale on which scores measure the distance from f; with log the ends of intervals are factors of f and above "
                   "0; learned: steep where errors are small; probability: that of a given distribution; auto: validation rows "
                   "choose, for few rows of a skewed target that is never negative, with --increasing or --decreasing, and for "
                   "given distributions"},
        options.score_scale);
  visit(OptionText{"objective", "NAME",
                   "what training minimises: " + listed_objectives() + "; by default the one that suits the transformation"},
        options.objective);
  visit(OptionText{"focus", "LEVEL", "the confidence level to optimise, for the narrowest intervals there"}, options.focus);
  visit(OptionText{"sides", "one|two|auto",
                   "one scale for both ends of an interval, or one for each; auto: validation rows choose"},
        options.sides);
  visit(
      OptionText{
          "split", "cross|cv+|jackknife+|A,B,C,D",
          "use of the rows: cross; shares of predictor, transformation, validation, calibration; cv+ (cv+:20 for 20 parts) or "
          "jackknife+ for few rows: all rows train and calibrate, and at 0.9 the guarantee is 0.7 to 0.8, as fit reports"},
      options.split);
  visit(OptionText{"by", "COL,...",
                   "group-conditional (Mondrian) guarantee: by the values of a column, input or not, by a number in parts "
                   "(age:5, or cut at age:18/40/65), by prediction:5, scale:5, and by each combination"},
        options.by);
  visit(OptionText{"other-groups", "whole-line|pool",
                   "with --by, for a group without calibration rows: the whole line, or the marginal interval"},
        options.other_groups);
  visit(OptionText{"keep-together", "COL",
                   "rows with the same value here (patients, shops) stay together, and the guarantee is for a new value"},
        options.keep_together);
  visit(
      OptionText{
          "sure", "P",
          "coverage of at least the confidence with this probability over calibration sets (training-conditional, PAC), for "
          "example 0.95, instead of on average over them; with --by for all groups at once; 0: on average"},
      options.sure);
  visit(
      OptionText{
          "in-order", "",
          "rows come one after another in time: training rows before validation rows before calibration rows, folds as blocks"},
      options.in_order);
  visit(OptionText{"order-by", "COL", "sort rows by this column of times (numbers, dates, ISO 8601) first; implies --in-order"},
        options.order_by);
  visit(OptionText{"gap", "N", "with --in-order: leave out N rows wherever training, validation or calibration rows meet"},
        options.gap);
  visit(OptionText{"delay", "N", "with --in-order: the target of a row is known N rows later"}, options.delay);
  visit(OptionText{"lags", "N,...", "with --in-order: the target N rows before as an input, for each N; from --delay + 1 on"},
        options.lags);
  visit(OptionText{"rolling", "N,...", "with --in-order: mean and spread of the last N known targets as inputs, for each N"},
        options.rolling);
  visit(OptionText{"past-of", "COL,...", "numeric columns that also get --lags and --rolling inputs"}, options.past_of);
  visit(OptionText{"y-min", "Y", "the target is never below Y"}, options.y_min);
  visit(OptionText{"y-max", "Y", "the target is never above Y"}, options.y_max);
  visit(OptionText{"y-step", "STEP", "the target is a multiple of this: 1 for counts, 0.01 for cents"}, options.y_step);
  visit(OptionText{"max-rows", "N",
                   "use at most N rows, sampled at random (with --in-order the latest), to save time and memory; 0: all"},
        options.max_rows);
  visit(OptionText{"seed", "N", "same seed, same model, whatever the number of threads"}, options.seed);
  visit(OptionText{"effort", "quick|normal|thorough", "training effort; quick trains boost alone"}, options.effort);
  visit(OptionText{"repeats",
                   "R",
                   "train f R times over different partitions of the same rows into folds, and average",
                   {},
                   Stored::unless_default},
        options.repeats);
  visit(OptionText{"time",
                   "T",
                   "a budget for the whole fit, for example 90s, 10m, 2h: with little time --effort quick, with more as many "
                   "--repeats as fit in",
                   {},
                   Stored::never},
        options.time);
  visit(OptionText{"knn-rows", "N", "maximum number of rows that knn keeps"}, options.knn_rows);
  visit(
      OptionText{"see-prediction", "yes|no|auto", "whether the localizer sees f(x) as an input; auto: boost does, mlp does not"},
      options.see_prediction);
  visit(OptionText{"hidden", "N,...", "mlp: neurons of each hidden layer"}, options.hidden);
  visit(OptionText{"rate", "R", "learning rate of the localizer; 0: its default"}, options.rate);
  visit(OptionText{"batch", "N", "mlp: rows in one update; 0: sixteen, as in the paper; -1: all"}, options.batch);
  visit(OptionText{"epochs", "N", "maximum passes over the data, or boosting rounds, of the localizer; 0: its default"},
        options.epochs);
  visit(OptionText{"patience", "N", "passes without a better validation loss before training stops; 0: the localizer's default"},
        options.patience);
  visit(OptionText{"depth", "N", "boost: depth of the localizer's trees; 0: the default"}, options.depth);
  visit(OptionText{"min-weight", "W", "boost: minimum weight in a leaf of the localizer's trees; 0: the default"},
        options.min_weight);
}

// Values of FitOptions::split with which every row trains and calibrates.
inline constexpr std::string_view cv_plus = "cv+", jackknife_plus = "jackknife+";

// FitOptions::predictor of a model whose f was imported.
inline constexpr const char* name_of_imported = "imported";
inline bool is_imported(const FitOptions& options) { return options.predictor == name_of_imported; }

// Calls visit(name, value, differs) for every option as text, in the order of --help; `differs` is true if it is not the default.
// For commands, resume keys and reports.
void visit_option_texts(const FitOptions& options,
                        const std::function<void(const std::string& name, const std::string& value, bool differs)>& visit);

// True if the option is given without a value.
bool is_flag(std::string_view option);

}  // namespace taut
