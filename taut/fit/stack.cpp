#include <taut/fit/stack.hpp>

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

// Up to so many rows every predictor is trained on all of them; beyond, they compete on so many first.
constexpr Index rows_without_screening = 5000;
// They do so as well in tables of many columns, of which trees look at each in every node: of 400 rows × 1,000 columns they took
// 100 s, and had no weight. (At 2,500 × 100 a trial cost 1.6 % of the score.)
constexpr Index cells_without_screening = 150'000;
constexpr Index most_rows_of_wide = 4;  // for each column
constexpr Index screening_rows = 3000;
constexpr Index folds_of_trials = 2;
// Of the screening, a member goes on that has this weight in a stack of all, or an error so near to the best one.
constexpr double weight_worth_training = 0.15;
constexpr double error_worth_training = 1.01;
// Where the table is wide rather than long: a trial has half of its few rows, and what finds products of columns with all of them
// may not find them with half. (With 1.01 the score of 800 rows × 300 columns rose by 8 %.)
constexpr double error_worth_training_of_few = 1.3;
// Of the first fold, on all rows: those without which the error of a stack grows by no more than this share, all together, and
// its predictions hardly change, are not trained on the other folds. (With the error alone, noise of two humps hid that trees
// were a worse f than lines, and the score of 8,000 rows rose by 2 %.) Where few rows are held out in that fold, only those are
// left out that are clearly worse than the best.
constexpr double error_of_those_left_out = 0.0025;
constexpr double change_by_those_left_out = 0.05;
constexpr Index rows_that_tell_weights = 1000;
constexpr Index rows_that_tell_what_is_worse = 200;
constexpr double clearly_worse = 1.25;
// Scales of the target are compared by predictors that are quick to train, on no more rows than these.
constexpr Index scale_rows = 3000;
// A scale other than the target's own must be better by this share.
constexpr double clearly_better = 0.01;
// Inputs of predictors other than trees, which are copies of the whole table, may have so many cells.
constexpr Index most_standardised_cells = 100'000'000;

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

// Some of the rows, with folds of their own, for quick trials. Their inputs are made once for all of them.
class SomeRows {
 public:
  SomeRows(const StackRows& all, Index most, const PredictorSettings& settings, std::uint64_t seed)
      : SomeRows(all, chosen(std::ssize(all.rows), most, seed), settings) {}
  SomeRows(const SomeRows&) = delete;
  SomeRows& operator=(const SomeRows&) = delete;

  std::vector<TrainedCandidate> train(const std::vector<StackCandidate>& candidates, const ExecutionContext& context) {
    return train_over_folds(candidates, view_, inputs_, quick_, context);
  }
  std::vector<double> targets() const { return held_out_targets(view_); }

 private:
  SomeRows(const StackRows& all, const Rows& positions, const PredictorSettings& settings)
      : rows_(at(all.rows, positions)),
        view_{all.x, rows_, pick(all.y, positions), equal_parts(std::ssize(positions), folds_of_trials)},
        inputs_(all.x, rows_, view_.y, view_.folds, settings.seed),
        quick_(settings) {
    quick_.effort = SearchEffort::quick;
  }
  static Rows chosen(Index rows, Index most, std::uint64_t seed) {
    Rows order = shuffled(rows, seed);
    order.resize(static_cast<std::size_t>(std::min(rows, most)));
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

std::vector<double> held_out_errors(const std::vector<TrainedCandidate>& trained, const std::vector<double>& y) {
  const Matrix columns = columns_of(trained);
  std::vector<double> errors;
  for (Index k = 0; k < columns.cols(); ++k) errors.push_back(mean_absolute_error(columns, k, y));
  return errors;
}

// Which scale of the target has the least error for a predictor, on some of the rows.
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
    const auto errors = held_out_errors(rows_->train(candidates, context), rows_->targets());
    const auto least = std::min_element(errors.begin(), errors.end());
    if (!(*least < (1 - clearly_better) * errors.front())) return scales_.front();
    return scales_[static_cast<std::size_t>(least - errors.begin())];
  }

 private:
  std::vector<std::string> scales_;
  std::optional<SomeRows> rows_;
};

std::vector<std::string> scales_to_try(const FitOptions& options, std::span<const double> y) {
  const std::string asked = options.target_scale.empty() ? (options.stacks() ? "auto" : "as-is") : options.target_scale;
  return asked == "auto" && !options.predicts_ends() ? TargetScale::worth_trying(y)
                                                     : std::vector<std::string>{asked == "auto" ? "as-is" : asked};
}

// The predictors that join, each on the scale that suits it. What suits one kind of trees suits the other, and networks; what
// adds up columns has more to gain from a scale.
std::vector<StackCandidate> candidates_for(const StackRows& rows, const FitOptions& options, const PredictorSettings& settings,
                                           const ExecutionContext& context) {
  const Traced traced("try scales of y");
  ScaleTrials trials(scales_to_try(options, rows.y), rows, settings);
  const Index n = std::ssize(rows.rows);
  std::vector<StackCandidate> candidates;
  std::string scale_of_trees;
  for (const auto& entry : predictors().entries()) {
    const auto predictor = predictors().make(entry.example);
    if (!predictor->joins_stack(n, options.search_effort())) continue;
    if (predictor->needs() == Encoding::standardised && n * std::ssize(rows.x.columns()) > most_standardised_cells) continue;
    if (predictor->adds_up_columns()) {
      candidates.push_back({entry.name, trials.best_for(entry.name, context)});
      continue;
    }
    if (scale_of_trees.empty()) scale_of_trees = trials.best_for("boost", context);
    candidates.push_back({entry.name, scale_of_trees});
  }
  return candidates;
}

// Lets all candidates compete on some of the rows. Where there are more of them the trees of `boost` always go on: what they lack
// on few rows they may gain on many.
std::vector<StackCandidate> screened(const std::vector<StackCandidate>& candidates, const StackRows& all,
                                     const PredictorSettings& settings, const ExecutionContext& context, StackRecord& dropped) {
  const Traced traced("screen predictors");
  SomeRows part(all, screening_rows, settings, settings.seed + 1);
  const auto trained = part.train(candidates, context);
  const auto y = part.targets();
  const auto weights = stack_weights(columns_of(trained), y);
  const auto errors = held_out_errors(trained, y);
  const double least = *std::min_element(errors.begin(), errors.end());
  const Index n = std::ssize(all.rows);
  const double near = n > rows_without_screening ? error_worth_training : error_worth_training_of_few;
  std::vector<StackCandidate> kept;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool goes_on = (n > screening_rows && candidates[k].predictor == "boost") || weights[k] >= weight_worth_training ||
                         errors[k] <= near * least;
    if (goes_on)
      kept.push_back(candidates[k]);
    else
      dropped.push_back({candidates[k].predictor, candidates[k].scale, errors[k], 0, true});
  }
  return kept;
}

// Begins with the first fold of every candidate. Once that is done, those that do not count there are not begun on other folds.
// (A thread that has nothing else to do meanwhile begins the second fold of one that may not count: time, not the result, depends
// on it.)
std::vector<TrainedCandidate> train_what_counts(std::vector<StackCandidate>& candidates, const StackRows& rows,
                                                FoldInputs& inputs, const PredictorSettings& settings,
                                                const ExecutionContext& context, StackRecord& dropped) {
  FoldTraining training(candidates, rows, inputs, settings, context);
  std::vector<FoldTraining::Job> order;
  for (std::size_t fold = 0; fold < rows.folds.size(); ++fold)
    for (std::size_t k = 0; k < candidates.size(); ++k) order.push_back({k, fold});
  const std::span y(rows.y.begin() + rows.folds[0].begin, rows.y.begin() + rows.folds[0].end);
  std::vector<bool> counts(candidates.size(), true);
  std::atomic<std::size_t> first_folds_left = candidates.size();
  std::atomic<bool> is_decided = false;
  training.train(
      order, [&](FoldTraining::Job job) { return !is_decided.load(std::memory_order_acquire) || counts[job.candidate]; },
      [&](FoldTraining::Job job) {
        if (job.fold > 0 || first_folds_left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
        const double clearly = std::ssize(y) < rows_that_tell_weights ? clearly_worse : 0;
        counts = needed_in_stack(training.held_out(0), y, {error_of_those_left_out, change_by_those_left_out, clearly});
        is_decided.store(true, std::memory_order_release);
      });
  const Matrix first = training.held_out(0);
  std::vector<StackCandidate> kept;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const StackCandidate& one = candidates[k];
    if (counts[k])
      kept.push_back(one);
    else
      dropped.push_back({one.predictor, one.scale, mean_absolute_error(first, static_cast<Index>(k), y), 0, true});
  }
  candidates = std::move(kept);
  return std::move(training).taken(counts);
}

// Times are said, not stored: they differ from run to run, and a model must not.
std::string in_words(const StackMemberRecord& member, double seconds) {
  return member.predictor + (member.scale == "as-is" ? "" : " of the " + member.scale) + " " + print_rounded(member.weight, 2) +
         " (" + (seconds < 99 ? print_rounded(seconds, 2) : print_count(std::llround(seconds))) + " s)";
}

}  // namespace

TrainedStack train_stack(const StackRows& rows, FoldInputs& inputs, const FitOptions& options, const PredictorSettings& settings,
                         const ExecutionContext& context) {
  TrainedStack stack;
  auto candidates = candidates_for(rows, options, settings, context);
  const Index n = std::ssize(rows.rows);
  const Index columns = std::ssize(rows.x.columns());
  const bool is_long = n > rows_without_screening;
  const bool is_wide = n < most_rows_of_wide * columns && n * columns > cells_without_screening;
  if (candidates.size() > 1 && (is_long || is_wide)) candidates = screened(candidates, rows, settings, context, stack.record);
  const bool first_fold_tells =
      rows.folds[0].validation_rows() >= rows_that_tell_what_is_worse && options.search_effort() != SearchEffort::thorough;
  auto trained = first_fold_tells ? train_what_counts(candidates, rows, inputs, settings, context, stack.record)
                                  : train_over_folds(candidates, rows, inputs, settings, context);
  const Traced traced("weigh the stack");
  const auto y = held_out_targets(rows);
  const auto weights = stack_weights(columns_of(trained), y);
  const auto errors = held_out_errors(trained, y);
  StackRecord record;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < trained.size(); ++k) {
    record.push_back({candidates[k].predictor, candidates[k].scale, errors[k], weights[k], false});
    words.push_back(in_words(record.back(), trained[k].seconds));
    if (!(weights[k] > 0)) continue;
    stack.members.push_back(std::move(trained[k]));
    stack.weights.push_back(weights[k]);
  }
  stack.record.insert(stack.record.begin(), record.begin(), record.end());
  if (trained.size() > 1) context.tell("weights of the stack, and time of training: " + join(words, ", "));
  return stack;
}

std::string scale_in_force(const FitOptions& options, const StackRows& rows, const PredictorSettings& settings,
                           const ExecutionContext& context) {
  return ScaleTrials(scales_to_try(options, rows.y), rows, settings).best_for(options.predictor, context);
}

}  // namespace taut
