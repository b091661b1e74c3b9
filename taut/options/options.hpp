// Every option of a fit, written once: the command line, the model file, Python and the docs read them from here.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct LocalizationOptions;
struct ColumnDeclarations;
enum class SearchEffort;

inline constexpr Index most_depth = 30;      // of a tree: a billion leaves
inline constexpr Index most_past = 100'000;  // rows back, of --lags and --rolling

struct FitOptions {
  std::string target;
  std::string prediction;
  std::string lower_prediction, upper_prediction;  // instead of `prediction`: the ends of a predicted interval
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
  std::vector<std::string> numeric;
  std::vector<std::string> date;
  std::vector<std::string> ordered;
  std::vector<std::string> na;
  std::string decimal;  // empty: found out
  bool skip_missing_target = false;
  std::string predictor = "stack";
  std::string target_scale;  // empty: auto for a stack, else as-is
  std::string localizer = "boost";
  std::string transform = "curve";
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
  Index knn_rows = 1000;
  std::string see_prediction = "auto";
  std::vector<Index> hidden = {100, 100, 100, 100, 100};
  double rate = 0;
  Index batch = 0;
  Index epochs = 0;
  Index patience = 0;
  Index depth = 0;
  double min_weight = 0;

  // The classes that compete: the one named, or for `auto` these, from the simplest on.
  std::vector<std::string> transforms_in_force() const;
  // Whether a shape is tried on top of the trained scale: where the transformation stands on one, for all levels at once and by
  // trees.
  bool tries_shape() const;
  // The objective that training minimises: the one named, else what suits the focus and the (first) transformation. Where classes
  // compete, one that cannot be trained by the named objective is trained by its own.
  std::string objective_in_force() const { return objective_in_force(transforms_in_force().front()); }
  std::string objective_in_force(const std::string& transform_name) const;
  // The columns with predictions of a model of the user's own: none where Taut fits a predictor.
  std::vector<std::string> prediction_columns() const;
  Index n_prediction_columns() const { return !prediction.empty() ? 1 : lower_prediction.empty() ? 0 : 2; }
  bool has_given_predictions() const { return n_prediction_columns() > 0; }
  // Whether f exists before the fit: given as a column, or a model of another library that was taken over.
  bool has_f() const { return has_given_predictions() || predictor == "imported"; }
  // Whether the ends of an interval are predicted instead of one number: quantile predictions, given or of our own.
  bool predicts_ends() const;
  SearchEffort search_effort() const;
  // Whether a row of no known group gets the law of all calibration rows instead of the whole line.
  bool pools_others() const { return other_groups == "pool"; }
  // The settings for the training of g.
  LocalizationOptions localization() const;
  // Whether f is a weighted mean of several predictors.
  bool stacks() const { return !has_given_predictions() && predictor == "stack"; }
  // Whether every row trains and calibrates, by models that each lack a part of the rows: --split cv+, cv+:K, jackknife+.
  bool holds_out() const;
  // Whether rows come one after another.
  bool is_in_order() const { return in_order || !order_by.empty(); }
  // Whether inputs are made from the rows before.
  bool has_past() const { return !lags.empty() || !rolling.empty(); }
  // Whether every row before calibration both trains and judges, in folds. Models that each lack a part of the rows do so too.
  bool crosses() const { return split.empty() || split == "cross" || holds_out(); }
  // Whether anything is trained at all: the localizer adapts, and the transformation has parameters.
  bool adapts() const;
  // Whether the localizer is cheap enough to be trained once for each fold.
  bool localizer_crosses() const;

  // What the user says about columns.
  ColumnDeclarations declarations() const;

  // Throws UsageError for a name that no list has or a number out of its range.
  void check() const;
  // Throws UsageError unless the target is named, each column in one place only, and quantile predictions come in pairs.
  void check_columns() const;
  void check_target_scale() const;
  void check_groups() const;
  void check_sureness() const;
  void check_order() const;
  void check_past() const;

  void save(Archive archive) const;
  static FitOptions load(const Archive& archive);
};

struct OptionText {
  std::string_view name;   // as on the command line, without dashes
  std::string_view value;  // placeholder of the value in --help
  std::string help;
};

// The name among facts for programs: "keep_together".
std::string fact_name(const OptionText& option);

// The parts that an option can name, as their list has them.
std::string listed_predictors();
std::string listed_localizers();
std::string listed_transforms();
std::string listed_objectives();

// Calls visit(OptionText, member) for every option, in the order of --help.
template <class Options, class Visit>
void for_each_option(Options& options, Visit&& visit) {
  visit(OptionText{"target", "COL", "column to predict"}, options.target);
  visit(OptionText{"prediction", "COL", "column with the predictions of a model of your own, which has not seen these rows"},
        options.prediction);
  visit(OptionText{"lower-prediction", "COL",
                   "column with the lower of two quantile predictions of your own, for example of 0.05; with --upper-prediction, "
                   "instead of --prediction"},
        options.lower_prediction);
  visit(OptionText{"upper-prediction", "COL", "column with the upper one, for example of 0.95"}, options.upper_prediction);
  visit(OptionText{"drop", "COL,...", "columns to leave out"}, options.drop);
  visit(OptionText{"categorical", "COL,...", "columns that are categories even where their cells are numbers: zip codes, stores"},
        options.categorical);
  visit(OptionText{"numeric", "COL,...", "columns that are numbers; cells that hold something else are missing"},
        options.numeric);
  visit(OptionText{"date", "COL,...", "columns that are dates; when:dmy, when:mdy: whether the day or the month comes first"},
        options.date);
  visit(OptionText{"ordered", "COL:A<B<C,...", "columns that are categories in this order"}, options.ordered);
  visit(OptionText{"na", "TEXT,...", "texts that mean a missing cell, besides NA, N/A, #N/A, NaN, null, None, - and ?"},
        options.na);
  visit(OptionText{"decimal", "CHAR", "the decimal point of numbers, '.' or ','; found out where not given"}, options.decimal);
  visit(OptionText{"skip-missing-target", "", "leave out rows without a target instead of stopping"},
        options.skip_missing_target);
  visit(OptionText{"predictor", "NAME",
                   "f(x): " + listed_predictors() + "; stack, the default: a weighted mean of those that do well"},
        options.predictor);
  visit(
      OptionText{
          "target-scale", "as-is|root|log|auto",
          "scale on which f learns the target; auto: the one with the least error on rows held out, which is what a stack does"},
      options.target_scale);
  visit(OptionText{"localizer", "NAME", "g(x): " + listed_localizers() + "; the last two are one width everywhere"},
        options.localizer);
  visit(
      OptionText{"transform", "NAME", "transformation of the scores: " + listed_transforms() + "; auto: validation rows choose"},
      options.transform);
  visit(OptionText{"objective", "NAME", "what training minimises: " + listed_objectives() + "; by default what suits the rest"},
        options.objective);
  visit(OptionText{"focus", "LEVEL", "the one confidence level that matters most, for the narrowest intervals there"},
        options.focus);
  visit(
      OptionText{"sides", "one|two|auto", "whether each end of an interval has a scale of its own; auto: validation rows choose"},
      options.sides);
  visit(
      OptionText{
          "split", "cross|cv+|jackknife+|A,B,C,D",
          "which rows do what: cross; shares of predictor, transformation, validation, calibration; cv+ (cv+:20 for 20 parts) "
          "or jackknife+ for few rows: all train and all calibrate, and at 0.9 some 0.7 to 0.8 is promised, which fit says, not "
          "0.9"},
      options.split);
  visit(OptionText{"by", "COL,...",
                   "the guarantee within each group: of a column, inputs or not, of a number in parts (age:5, or cut at "
                   "age:18/40/65), of prediction:5, scale:5, and of each combination"},
        options.by);
  visit(OptionText{"other-groups", "whole-line|pool",
                   "with --by: what a group without calibration rows gets, the whole line or what holds on average"},
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
  visit(OptionText{"gap", "N", "with --in-order: leave out so many rows wherever rows that train and rows that judge meet"},
        options.gap);
  visit(OptionText{"delay", "N", "with --in-order: targets are known so many rows after their own"}, options.delay);
  visit(OptionText{"lags", "N,...", "with --in-order: the target so many rows before, each an input; from --delay + 1 on"},
        options.lags);
  visit(OptionText{"rolling", "N,...",
                   "with --in-order: mean and spread of the target over the last so many rows that are known, each an input"},
        options.rolling);
  visit(OptionText{"past-of", "COL,...", "columns of numbers that --lags and --rolling are made from besides the target"},
        options.past_of);
  visit(OptionText{"y-min", "Y", "the target is never below"}, options.y_min);
  visit(OptionText{"y-max", "Y", "the target is never above"}, options.y_max);
  visit(OptionText{"y-step", "STEP", "the target is a multiple of this: 1 for counts, 0.01 for cents"}, options.y_step);
  visit(OptionText{"max-rows", "N",
                   "most rows that a fit uses, drawn at random (with --in-order the latest), to save time and memory; 0: all"},
        options.max_rows);
  visit(OptionText{"seed", "N", "same seed, same model, whatever the number of threads"}, options.seed);
  visit(OptionText{"effort", "quick|normal|thorough", "how long to search for good trees"}, options.effort);
  visit(OptionText{"knn-rows", "N", "most rows that knn keeps"}, options.knn_rows);
  visit(
      OptionText{"see-prediction", "yes|no|auto", "whether the localizer sees f(x) as an input; auto: boost does, mlp does not"},
      options.see_prediction);
  visit(OptionText{"hidden", "N,...", "mlp: neurons of each hidden layer"}, options.hidden);
  visit(OptionText{"rate", "R", "learning rate of the localizer; 0: its own"}, options.rate);
  visit(OptionText{"batch", "N", "mlp: rows in one update; 0: sixteen, as in the paper; -1: all"}, options.batch);
  visit(OptionText{"epochs", "N", "most passes over the data, or boosting rounds, of the localizer; 0: its own"}, options.epochs);
  visit(OptionText{"patience", "N", "passes without a better validation loss before training stops; 0: the localizer's own"},
        options.patience);
  visit(OptionText{"depth", "N", "boost: depth of the localizer's trees; 0: its own"}, options.depth);
  visit(OptionText{"min-weight", "W", "boost: least weight in a leaf of the localizer's trees; 0: its own"}, options.min_weight);
}

// Values of FitOptions::split by which every row trains and calibrates.
inline constexpr std::string_view cv_plus = "cv+", jackknife_plus = "jackknife+";

// FitOptions::predictor of a model whose f was imported.
inline constexpr const char* name_of_imported = "imported";
inline bool is_imported(const FitOptions& options) { return options.predictor == name_of_imported; }

// Options as texts, for commands, resume keys and reports.

// Calls visit(name, value, whether it is not the default) for every option, in the order of --help.
void visit_option_words(const FitOptions& options,
                        const std::function<void(const std::string& name, const std::string& value, bool differs)>& visit);

// Is it given without a value?
bool is_flag(std::string_view option);

}  // namespace taut
