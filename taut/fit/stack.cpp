#include <taut/fit/stack.hpp>

#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>
#include <taut/predict/stack_weights.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

namespace taut {

namespace {

// Up to `rows_without_screening` rows, every predictor is trained on all of them. Above, the predictors are screened on
// `screening_rows` rows first.
constexpr Index rows_without_screening = 5000;
// Tables with many columns are screened too, because trees search every column in every node: with 400 rows × 1,000 columns they
// took 100 s and got no weight. (With 2,500 × 100, screening cost 1.6 % of the score.)
constexpr Index cells_without_screening = 150'000;
constexpr Index max_rows_of_wide = 4;  // for each column
constexpr Index screening_rows = 3000;
constexpr Index folds_of_trials = 2;
// A predictor passes the screening with at least this weight in the stack of all, or with at most this multiple of the lowest
// error.
constexpr double weight_worth_training = 0.15;
constexpr double error_worth_training = 1.01;
// The same multiple for wide tables. A trial has half of the few rows, which may be too few to find products of columns. (With
// 1.01 the score of 800 rows × 300 columns rose by 8 %.)
constexpr double error_worth_training_of_few = 1.3;
// After the first fold, on all rows, predictors are removed and not trained on the other folds. All removals together may raise
// the error of the stack by at most the share `max_error_rise`, and change its predictions by at most the share
// `max_prediction_change` of that error. (With the error alone, bimodal noise hid that trees were a worse f than lines, and the
// score of 8,000 rows rose by 2 %.) If the fold holds out fewer than `rows_for_weights` rows, a removed predictor must also be
// clearly worse than the best; with fewer than `min_rows_for_removal` none is removed.
constexpr double max_error_rise = 0.0025;
constexpr double max_prediction_change = 0.05;
constexpr Index rows_for_weights = 1000;
constexpr Index min_rows_for_removal = 200;
constexpr double clearly_worse = 1.25;
// Scales of the target are compared with quick training on at most this number of rows.
constexpr Index scale_rows = 3000;
// A scale other than as-is must lower the error by this share.
constexpr double clearly_better = 0.01;
// The maximum number of cells of standardised inputs, which are a copy of the whole table.
constexpr Index max_standardised_cells = 100'000'000;

Matrix columns_of(const std::vector<TrainedCandidate>& trained) {
  Matrix columns(std::ssize(trained.front().held_out), std::ssize(trained));
  for (std::size_t k = 0; k < trained.size(); ++k)
    columns.col(static_cast<Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(trained[k].held_out.data(), std::ssize(trained[k].held_out));
  return columns;
}

// The targets in the order of the held-out predictions: fold after fold.
std::vector<double> held_out_targets(const StackRows& rows) {
  std::vector<double> y;
  for (const TrainingPart& fold : rows.folds) y.insert(y.end(), rows.y.begin() + fold.begin, rows.y.begin() + fold.end);
  return y;
}

std::vector<double> held_out_weights(const StackRows& rows) {
  std::vector<double> weights;
  for (const TrainingPart& fold : rows.folds)
    if (!rows.weights.empty()) weights.insert(weights.end(), rows.weights.begin() + fold.begin, rows.weights.begin() + fold.end);
  return weights;
}

// A random sample of the rows, with separate folds, for quick trials. The inputs are shared by all trials.
class TrialRows {
 public:
  TrialRows(const StackRows& all, Index maximum, const PredictorSettings& settings, std::uint64_t seed)
      : TrialRows(all, sampled_positions(std::ssize(all.rows), maximum, seed), settings) {}
  TrialRows(const TrialRows&) = delete;
  TrialRows& operator=(const TrialRows&) = delete;

  std::vector<TrainedCandidate> train(const std::vector<StackCandidate>& candidates, const ExecutionContext& context) {
    return train_over_folds(candidates, view_, inputs_, quick_, context);
  }
  std::vector<double> targets() const { return held_out_targets(view_); }
  std::vector<double> weights() const { return held_out_weights(view_); }

 private:
  TrialRows(const StackRows& all, const Rows& positions, const PredictorSettings& settings)
      : rows_(at(all.rows, positions)),
        view_{all.x,
              rows_,
              pick(all.y, positions),
              equal_parts(std::ssize(positions), folds_of_trials),
              false,
              pick_weights(all.weights, positions)},
        inputs_(all.x, rows_, view_.y, view_.folds, settings.seed, view_.weights),
        quick_(settings) {
    quick_.effort = SearchEffort::quick;
  }
  static Rows sampled_positions(Index rows, Index maximum, std::uint64_t seed) {
    Rows order = shuffled(rows, seed);
    order.resize(static_cast<std::size_t>(std::min(rows, maximum)));
    return order;
  }
  static Rows at(RowsView rows, const Rows& positions) {
    Rows result;
    for (const Index i : positions) result.push_back(rows[static_cast<std::size_t>(i)]);
    return result;
  }

  Rows rows_;
  StackRows view_;
  FoldInputs inputs_;
  PredictorSettings quick_;
};

std::vector<double> held_out_errors(const std::vector<TrainedCandidate>& trained, const std::vector<double>& y,
                                    RowWeights weights) {
  const Matrix columns = columns_of(trained);
  std::vector<double> errors;
  for (Index k = 0; k < columns.cols(); ++k) errors.push_back(mean_absolute_error(columns, k, y, weights));
  return errors;
}

// Finds the scale of the target with the lowest error for a predictor, on a sample of the rows.
class ScaleTrials {
 public:
  ScaleTrials(std::vector<std::string> scales, const StackRows& all, const PredictorSettings& settings)
      : scales_(std::move(scales)) {
    if (scales_.size() > 1 && std::ssize(all.rows) >= 2 * folds_of_trials)
      rows_.emplace(all, scale_rows, settings, settings.seed);
  }

  std::string best_for(const std::string& predictor, const ExecutionContext& context) {
    if (!rows_) return scales_.front();
    std::vector<StackCandidate> candidates;
    for (const auto& scale : scales_) candidates.push_back({predictor, scale});
    const auto errors = held_out_errors(rows_->train(candidates, context), rows_->targets(), rows_->weights());
    const auto minimum = std::min_element(errors.begin(), errors.end());
    if (!(*minimum < (1 - clearly_better) * errors.front())) return scales_.front();
    return scales_[static_cast<std::size_t>(minimum - errors.begin())];
  }

 private:
  std::vector<std::string> scales_;
  std::optional<TrialRows> rows_;
};

// A table of more columns than trees can search quickly.
bool is_wide(const StackRows& rows) {
  const Index n = std::ssize(rows.rows), columns = std::ssize(rows.x.columns());
  return n < max_rows_of_wide * columns && n * columns > cells_without_screening;
}

std::vector<std::string> scales_to_try(const FitOptions& options, const StackRows& rows) {
  const std::string wanted = options.target_scale.empty() ? (options.stacks() ? "auto" : "as-is") : options.target_scale;
  // The mean of a rate is not that of its root or logarithm.
  return wanted == "auto" && !options.predicts_ends() && options.exposure.empty()
             ? TargetScale::worth_trying(rows.y, rows.weights)
             : std::vector<std::string>{wanted == "auto" ? "as-is" : wanted};
}

// The predictors of the stack, each on its best scale. Additive predictors gain most from a scale and have separate trials. All
// others use the best scale of boosted trees.
std::vector<StackCandidate> candidates_for(const StackRows& rows, const FitOptions& options, const PredictorSettings& settings,
                                           const ExecutionContext& context) {
  const Traced traced("try scales of y");
  ScaleTrials trials(scales_to_try(options, rows), rows, settings);
  const Index n = std::ssize(rows.rows);
  // A quick stack is boosted trees alone. For wide tables they are the slowest predictor, and screening removes them.
  const SearchEffort effort = is_wide(rows) ? std::max(SearchEffort::normal, options.search_effort()) : options.search_effort();
  std::vector<StackCandidate> candidates;
  std::vector<std::string> without_directions;
  std::string scale_of_trees;
  for (const auto& entry : predictors().entries()) {
    const auto predictor = predictors().make(entry.example);
    if (!predictor->joins_stack(n, std::ssize(rows.x.columns()), effort)) continue;
    if (predictor->needs() == Encoding::standardised && n * std::ssize(rows.x.columns()) > max_standardised_cells) continue;
    if (options.is_monotone() && !predictor->keeps_directions()) {
      without_directions.push_back(entry.name);
      continue;
    }
    if (predictor->is_additive()) {
      candidates.push_back({entry.name, trials.best_for(entry.name, context)});
      continue;
    }
    if (scale_of_trees.empty()) scale_of_trees = trials.best_for("boost", context);
    candidates.push_back({entry.name, scale_of_trees});
  }
  if (!without_directions.empty())
    context.tell(
        format_text("left out of the stack, because they cannot keep the directions of --increasing and --decreasing: {}",
                    join(without_directions, ", ")));
  return candidates;
}

// Compares all candidates on a sample of the rows and returns those to train on all rows: the best, and those that gain from more
// rows than the sample has.
std::vector<StackCandidate> screened(const std::vector<StackCandidate>& candidates, const StackRows& all,
                                     const PredictorSettings& settings, const ExecutionContext& context, StackRecord& dropped) {
  const Traced traced("screen predictors");
  TrialRows part(all, screening_rows, settings, settings.seed + 1);
  const auto trained = part.train(candidates, context);
  const auto y = part.targets(), of_rows = part.weights();
  const auto weights = stack_weights(columns_of(trained), y, of_rows, settings.mean);
  const auto errors = held_out_errors(trained, y, of_rows);
  const double minimum = *std::min_element(errors.begin(), errors.end());
  const Index n = std::ssize(all.rows);
  const double near = n > rows_without_screening ? error_worth_training : error_worth_training_of_few;
  std::vector<StackCandidate> kept;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool is_kept = (n > screening_rows && predictors().make(candidates[k].predictor)->gains_from_rows()) ||
                         weights[k] >= weight_worth_training || errors[k] <= near * minimum;
    if (is_kept)
      kept.push_back(candidates[k]);
    else
      dropped.push_back({candidates[k].predictor, candidates[k].scale, errors[k], 0, true});
  }
  return kept;
}

// Trains the first fold of every candidate, then the other folds of those candidates that the stack needs on the first. (Until
// that is decided, idle threads may already train the second fold of any candidate. This affects the time, not the result.)
std::vector<TrainedCandidate> train_needed(std::vector<StackCandidate>& candidates, const StackRows& rows, FoldInputs& inputs,
                                           const PredictorSettings& settings, const ExecutionContext& context,
                                           StackRecord& dropped) {
  FoldTraining training(candidates, rows, inputs, settings, context);
  std::vector<FoldTraining::Job> order;
  for (std::size_t fold = 0; fold < rows.folds.size(); ++fold)
    for (std::size_t k = 0; k < candidates.size(); ++k) order.push_back({k, fold});
  const std::span y(rows.y.begin() + rows.folds[0].begin, rows.y.begin() + rows.folds[0].end);
  RowWeights of_first = rows.weights;
  if (!of_first.empty())
    of_first = of_first.subspan(static_cast<std::size_t>(rows.folds[0].begin),
                                static_cast<std::size_t>(rows.folds[0].validation_rows()));
  std::vector<bool> is_needed(candidates.size(), true);
  std::atomic<std::size_t> first_folds_left = candidates.size();
  std::atomic<bool> is_decided = false;
  training.train(
      order, [&](FoldTraining::Job job) { return !is_decided.load(std::memory_order_acquire) || is_needed[job.candidate]; },
      [&](FoldTraining::Job job) {
        if (job.fold > 0 || first_folds_left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
        const double clearly = std::ssize(y) < rows_for_weights ? clearly_worse : 0;
        is_needed = needed_in_stack(training.held_out(0), y, {max_error_rise, max_prediction_change, clearly}, of_first);
        is_decided.store(true, std::memory_order_release);
      });
  const Matrix first = training.held_out(0);
  std::vector<StackCandidate> kept;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const StackCandidate& one = candidates[k];
    if (is_needed[k])
      kept.push_back(one);
    else
      dropped.push_back({one.predictor, one.scale, mean_absolute_error(first, static_cast<Index>(k), y, of_first), 0, true});
  }
  candidates = std::move(kept);
  return std::move(training).taken(is_needed);
}

// Times are reported but not stored: they differ between runs, and models must be reproducible.
std::string describe(const StackMemberRecord& member, double seconds) {
  return format_text("{}{} {} ({} s)", member.predictor, member.scale == "as-is" ? std::string() : " of the " + member.scale,
                     print_rounded(member.weight, 2),
                     seconds < 99 ? print_rounded(seconds, 2) : print_count(std::llround(seconds)));
}

}  // namespace

TrainedStack train_stack(const StackRows& rows, FoldInputs& inputs, const FitOptions& options, const PredictorSettings& settings,
                         const ExecutionContext& context) {
  TrainedStack stack;
  auto candidates = candidates_for(rows, options, settings, context);
  const Index n = std::ssize(rows.rows);
  const bool is_long = n > rows_without_screening;
  if (candidates.size() > 1 && (is_long || is_wide(rows)))
    candidates = screened(candidates, rows, settings, context, stack.record);
  const bool may_remove = !settings.mean && rows.folds[0].validation_rows() >= min_rows_for_removal &&
                          options.search_effort() != SearchEffort::thorough;
  auto trained = may_remove ? train_needed(candidates, rows, inputs, settings, context, stack.record)
                            : train_over_folds(candidates, rows, inputs, settings, context);
  const Traced traced("weigh the stack");
  const auto y = held_out_targets(rows), of_rows = held_out_weights(rows);
  const auto weights = stack_weights(columns_of(trained), y, of_rows, settings.mean);
  const auto errors = held_out_errors(trained, y, of_rows);
  StackRecord record;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < trained.size(); ++k) {
    record.push_back({candidates[k].predictor, candidates[k].scale, errors[k], weights[k], false});
    words.push_back(describe(record.back(), trained[k].seconds));
    if (!(weights[k] > 0)) continue;
    stack.members.push_back(std::move(trained[k]));
    stack.weights.push_back(weights[k]);
  }
  stack.record.insert(stack.record.begin(), record.begin(), record.end());
  if (trained.size() > 1) context.tell_detail("weights of the stack, and time of training: " + join(words, ", "));
  return stack;
}

std::vector<double> weigh_stack(TrainedStack& stack, const StackRows& rows, bool mean) {
  const auto y = held_out_targets(rows), of_rows = held_out_weights(rows);
  stack.weights = stack_weights(columns_of(stack.members), y, of_rows, mean);
  return held_out_errors(stack.members, y, of_rows);
}

std::string scale_in_force(const FitOptions& options, const StackRows& rows, const PredictorSettings& settings,
                           const ExecutionContext& context) {
  return ScaleTrials(scales_to_try(options, rows), rows, settings).best_for(options.predictor, context);
}

}  // namespace taut
