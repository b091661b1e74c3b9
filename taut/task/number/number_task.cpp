// A fit of numbers: f → out-of-sample residuals → the transformation that is trained on them.
#include <taut/task/number/number_task.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/fit/imported.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/timed_repeats.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Given predictions are out of sample already, because the user's model has not seen these rows.
PointPredictor::Fitted point_predictions(const FitRows& rows, const FitRequest& request,
                                         const std::vector<std::string>& foreign_columns, const PointLoss& loss,
                                         const WantsRepeat& wants) {
  const auto& [table, options, plan, context, foreign, held_out, inputs] = request;
  if (foreign != nullptr) {
    PointPredictor predictor(ImportedPredictor(*foreign, foreign_columns, rows.schema));
    const auto& out_of_fold = foreign->out_of_fold;
    if (!out_of_fold.empty()) check_out_of_fold(*foreign, table.rows(), plan.transform, plan.calibration);
    RowPredictions predicted = out_of_fold.empty() ? predictor.predict(rows.x, plan.transform, context.threads)
                                                   : RowPredictions(pick(out_of_fold, plan.transform));
    return {std::move(predictor), std::move(predicted), {}};
  }
  if (!options.has_given_predictions())
    return PointPredictor::fit(rows.x, rows.rates(), plan, options, context, rows.weights_of_f, loss ? &loss : nullptr, wants);
  return {{}, predictions_of(rows.table, options, plan.transform), {}};
}

double mean_distance(std::span<const double> a, std::span<const double> b, RowWeights weights) {
  const double all = total_weight(weights, std::ssize(a));
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += weight_of(weights, static_cast<Index>(i)) * (std::abs(a[i] - b[i]) / all);
  return sum;
}

// `f` and `y` are of training rows that f has not seen.
OutOfFoldRecord out_of_fold_record(std::span<const double> f, const std::vector<double>& y, RowWeights weights) {
  if (y.empty()) return {};
  const std::vector<double> median(y.size(), sample_quantile(y, 0.5, weights));
  return {std::ssize(y), mean_distance(f, y, weights), mean_distance(median, y, weights)};
}

// Whether intervals at 0.95 of some training rows reach below 0. Calibration rows have no influence, because the user may follow
// a hint: the quantile is that of the scores of these rows.
bool reaches_below_zero(const PointPredictor& f, const RowPredictions& predicted, const ScoreModel& score, const FitRows& rows,
                        const RowPlan& plan, int threads) {
  constexpr Index max_rows = 1000;
  // Without rows for the transformation the rows of f serve, although it has seen them.
  const bool is_known = !plan.transform.empty();
  const Rows& all = is_known ? plan.transform : plan.predictor;
  const Index n = std::ssize(all);
  Rows places, some;
  for (Index i = 0; i < n; i += n / max_rows + 1) {
    places.push_back(i);
    some.push_back(all[static_cast<std::size_t>(i)]);
  }
  if (some.empty()) return false;
  const RowPredictions own = is_known ? predicted.at(places) : f.predict(rows.x, some, threads);
  const std::vector<double> exposure = rows.exposures_of(some);
  const Matrix g = score.params(rows.x, some, own, threads, exposure);
  const auto y = rows.targets(some);
  std::vector<RowScore> scored;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < some.size(); ++i) {
    scored.push_back(score.at(own[i], g.row(static_cast<Index>(i)).data(), exposure.empty() ? 1 : exposure[i]));
    sizes.push_back(scored.back()(y[i]));
  }
  const double cut_off = sample_quantile(sizes, 0.95);
  return std::any_of(scored.begin(), scored.end(),
                     [&](const RowScore& one) { return one.at_most(cut_off, rows.range).lower < 0; });
}

// The levels of the score are those of the columns that the options name.
void check_levels(const FitOptions& options, const std::shared_ptr<const QuantileLevels>& levels) {
  bool fits = false;
  try {
    const auto named = levels_of(options);
    fits = named == nullptr ? levels == nullptr : levels != nullptr && named->levels() == levels->levels();
  } catch (const UsageError&) {
    fits = false;
  }
  if (!fits) throw Error("the model file's columns of a given distribution do not fit its levels: it is damaged");
}

// The smallest set that is not empty: the values whose score is at most that of the prediction.
Interval smallest_set(const RowScore& score, const TargetRange& range) {
  const Interval set = score.at_most(score(score.f()), range);
  return set.empty() ? Interval{score.f(), score.f()} : set;
}

}  // namespace

void NumberTask::fit(const FitRequest& request, ModelParts& parts) { fit_and_score(request, parts, nullptr); }

void NumberTask::fit_and_score(const FitRequest& request, ModelParts& parts, OutOfFoldRows* out_of_fold) {
  const RowPlan& plan = request.plan;
  options = request.options;
  std::vector<std::string> foreign_columns;
  const FitRows rows = fit_rows(request, &foreign_columns);
  const std::vector<double> weights = rows.weights_of(plan.transform);
  const std::vector<double> exposure = rows.exposures_of(plan.transform);
  const TimeBudget budget(options);
  ExecutionContext context = request.context;
  const TimedRepeats::FitG fit_g = [&](const RowPredictions& of_f) {
    return_free_memory();
    return ScoreModel::fit(rows.x, of_f, rows.targets(plan.transform), plan, options, context, weights, exposure,
                           out_of_fold != nullptr);
  };
  TimedRepeats timed(budget, fit_g);
  if (options.has_time()) context = timed_context(request.context, [&timed] { return timed.describe(); });
  auto [fitted, predicted, stack, repeats] =
      point_predictions(rows, {request.table, options, plan, context, request.foreign, request.is_held_out, request.inputs},
                        foreign_columns, loss, options.has_time() ? timed.wants() : WantsRepeat{});
  auto g = options.has_time() && repeats == 1 ? timed.first_g() : fit_g(predicted);
  options.repeats = parts.options.repeats = repeats;
  options.time.clear();
  predicted = g.score.limited(std::move(predicted));
  std::vector<double> f = predicted.f();
  for (std::size_t i = 0; i < exposure.size(); ++i) f[i] *= exposure[i];
  parts.record.out_of_fold = out_of_fold_record(f, rows.targets(plan.transform), weights);
  if (const auto y = rows.targets(plan.selection_rows()); !y.empty()) {
    const bool may_reach = options.y_min == -infinity && *std::min_element(y.begin(), y.end()) >= 0;
    const bool reaches = may_reach && reaches_below_zero(fitted, predicted, g.score, rows, plan, request.context.threads);
    if (const auto hint = range_hint(y, options, reaches); !hint.empty()) request.context.tell(hint);
  }
  fitted.tell_disagreement(g.score.uses_disagreement());
  predictor = std::move(fitted);
  score = std::move(g.score);
  range = rows.range;
  if (out_of_fold != nullptr) {
    // If nothing was trained but f, predictions are out of sample for all of these rows.
    const Rows places =
        g.held_out_rows.empty() || !options.adapts() ? all_rows(std::ssize(plan.transform)) : std::move(g.held_out_rows);
    Rows own;
    for (const Index place : places) own.push_back(plan.transform[static_cast<std::size_t>(place)]);
    if (g.held_out.rows() != std::ssize(places)) g.held_out.resize(std::ssize(places), 0);
    *out_of_fold = {std::move(own), predicted.at(places), std::move(g.held_out)};
  }

  parts.schema = rows.schema;
  parts.target_columns = {rows.target};
  FitRecord& record = parts.record;
  record.columns = rows.notes;
  record.stack = std::move(stack);
  record.fell_back = g.fell_back;
  record.candidates = g.candidates;
  record.validation_curve = g.first_member.curve;
  record.best_epoch = g.first_member.best_epoch;
  if (options.adapts()) {
    record.transform_rows = plan.transform_training_rows();
    record.validation_rows = plan.validation_rows();
  }
}

RowPredictions NumberTask::predict(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  if (!options.has_given_predictions()) return predictor.predict(x, rows, threads);
  if (!function || find_column(table.columns(), options.prediction)) return score.limited(predictions_of(table, options, rows));
  const std::vector<double> all = function(x);
  if (std::ssize(all) != x.rows())
    throw Error(format_text("the predicting function gave {} numbers for {} rows", all.size(), x.rows()));
  return RowPredictions(pick(all, rows));
}

std::unique_ptr<ScoredRows> NumberTask::see(const TableView& table, TableView x, Rows rows, int threads) const {
  RowPredictions predicted = predict(table, x, rows, threads);
  std::vector<double> exposure;
  if (!options.exposure.empty()) exposure = taut::exposures(table, options.exposure, rows);
  Matrix g = score.params(x, rows, predicted, threads, exposure);
  return std::make_unique<NumberRows>(*this, std::move(x), std::move(rows), std::move(predicted), std::move(g),
                                      std::move(exposure));
}

std::vector<double> NumberTask::targets(const TableView& table, std::span<const Column> columns, RowsView rows) const {
  return targets_of(table, columns.front(), rows, range);
}

std::unique_ptr<Task> NumberTask::unfitted() const {
  auto task = std::make_unique<NumberTask>();
  task->loss = loss;
  task->has_own_loss = has_own_loss;
  return task;
}

std::vector<std::string> NumberTask::given_columns() const {
  std::vector<std::string> columns = options.prediction_columns();
  if (!options.exposure.empty()) columns.push_back(options.exposure);
  return columns;
}

void NumberTask::check_stream(const ModelParts&, const StreamOptions&) const {
  if (!options.exposure.empty())
    throw UsageError(
        "a model with --exposure cannot be streamed: the recent scores of a stream have no exposures; fit without it");
}

void NumberTask::check_refit(const std::string& option) const {
  if (!options.sample_weight.empty())
    throw UsageError(
        format_text("{}: this model was trained with --sample-weight, and the rows of a stream have no weights", option));
  if (has_own_loss)
    throw UsageError(option + ": f of this model minimises a loss of your own, which the model does not contain; leave it out");
  if (student)
    throw UsageError(option + ": this model imitates another one, and has no targets to be trained on; distil it anew instead");
  if (function) throw UsageError(option + ": this model predicts by a function of your own, which cannot be trained anew");
}

std::vector<Alarm> NumberTask::alarms_of_given(const TableView& table, const FitOptions& own) const {
  return alarms_of_crossed(count_crossed(table, own), table.rows(), own);
}

RowScore NumberRows::at(Index i) const {
  return task_.score.at(predicted[static_cast<std::size_t>(i)], g.row(i).data(), exposure_of(i));
}

std::vector<double> NumberRows::predictions() const {
  std::vector<double> f = predicted.f();
  for (std::size_t i = 0; i < exposure.size(); ++i) f[i] *= exposure[i];
  return f;
}

SignedScore NumberRows::score(Index i, RowTarget y, double) const { return at(i).signed_at(y.front()); }

Matrix NumberRows::outputs() const {
  const Matrix scales = task_.score.log_scales(g);
  const std::vector<double> f = predictions();
  Matrix result(std::ssize(f), 1 + scales.cols());
  for (Index row = 0; row < result.rows(); ++row) result(row, 0) = f[static_cast<std::size_t>(row)];
  result.rightCols(scales.cols()) = scales;
  for (Index row = 0; row < std::ssize(exposure); ++row)
    result.row(row).tail(scales.cols()).array() += 0.5 * std::log(exposure_of(row));
  return result;
}

Matrix NumberRows::given() const {
  if (predicted.has_quantiles()) return predicted.quantiles();
  Matrix ends(std::ssize(rows), task_.options.has_given_predictions() ? 2 : 0);
  for (Index row = 0; row < ends.rows() && ends.cols() > 0; ++row) {
    const RowPrediction of_row = predicted[static_cast<std::size_t>(row)];
    ends(row, 0) = of_row.lower;
    ends(row, 1) = of_row.upper;
  }
  return ends;
}

SignedScore NumberRows::score_of_error(Index i, RowTarget y, const ScoredRows& by_other) const {
  return at(i).signed_at_error(y.front(), static_cast<const NumberRows&>(by_other).at(i).prediction());
}

void NumberRows::issue(Index i, RowTarget target, const StreamStep& step, Streamed& result, StreamRecord& record) const {
  const double y = target.front();
  const RowScore own = at(i), moved = own.moved_by(step.stream.shift());
  const auto issued = [&](std::size_t position) {
    const double threshold = step.thresholds[position];
    const Interval interval = std::isnan(threshold) ? Interval{infinity, -infinity} : moved.at_most(threshold, task_.range);
    return interval.empty() && step.stream.settings().at_least ? smallest_set(moved, task_.range) : interval;
  };
  for (const std::size_t position : step.positions) result.intervals.push_back(issued(position));
  result.prediction.push_back(moved.prediction());
  result.y.push_back(y);
  const auto numbers = step.kept.numbers_of(predicted[static_cast<std::size_t>(i)], g.row(i).data(), y);
  record.cells.insert(record.cells.end(), numbers.begin(), numbers.end());
  if (std::isnan(y)) return;
  record.score = own.signed_at(y);
  if (step.stream.settings().recentre)
    record.moved = StreamError{own.error_at(y), own.mean_reach(step.stream.usual_score()), moved(y)};
  // Ends are rounded outward: a target at an end is covered, although its score may be above the threshold.
  Index covered = step.stream.first_covering(moved(y));
  while (covered > 0 && issued(static_cast<std::size_t>(covered - 1)).contains(y)) --covered;
  record.covered_from = covered;
}

void NumberTask::save(Archive archive) const {
  if (!options.has_given_predictions()) predictor.save(archive.scope("predictor"));
  score.save(archive);
  if (range.takes_products()) archive.put("y_step_products", std::int64_t{1});
  if (has_own_loss) archive.put("own_loss", std::int64_t{1});
  if (student) student->save(archive.scope("student"));
}

std::unique_ptr<Task> NumberTask::load(const Archive& archive, ModelParts& parts) {
  if (parts.target().is_categorical()) throw Error("the model file's target does not fit its options: it is damaged");
  auto task = std::make_unique<NumberTask>();
  const FitOptions& options = task->options = parts.options;
  if (!options.has_given_predictions()) task->predictor = PointPredictor::load(archive.scope("predictor"), parts.schema);
  task->score = ScoreModel::load(archive, parts.schema, options.predicts_ends());
  check_levels(options, task->score.levels());
  if (task->score.uses_disagreement() && !task->predictor.may_disagree())
    throw Error("the model file's width depends on a stack that it does not hold: it is damaged");
  task->predictor.tell_disagreement(task->score.uses_disagreement());
  const auto multiples = archive.has("y_step_products") ? TargetRange::Multiples::products_too : TargetRange::Multiples::decimals;
  task->range = TargetRange(options.y_min, options.y_max, options.y_step, multiples);
  task->has_own_loss = archive.has("own_loss");
  if (archive.has_scope("student")) task->student = StudentRecord::load(archive.scope("student"));
  return task;
}

KeptRows NumberTask::load_kept(const Archive& archive, Index groups) const {
  return KeptRows::load(archive, score, options.predicts_ends(), groups);
}

TaskEntry number_entry() {
  return {NumberTask::listed_name,
          "",
          "numbers: intervals, bounds, quantiles, probabilities",
          [](const TableView&, const FitOptions&, const TaskOptions&, bool) { return true; },
          [](const TaskOptions&) -> std::unique_ptr<Task> { return std::make_unique<NumberTask>(); },
          NumberTask::load};
}

const NumberTask& number_task(const ModelParts& parts) {
  const auto* task = dynamic_cast<const NumberTask*>(parts.task.get());
  if (task == nullptr && parts.n_targets() > 1)
    throw Error("the model predicts several targets, and this is about models of one number");
  if (task == nullptr) throw Error("the model does not predict numbers");
  return *task;
}

NumberRows see_numbers(const ModelParts& parts, const TableView& table, Rows rows, int threads) {
  return std::move(static_cast<NumberRows&>(*parts.see(table, std::move(rows), threads)));
}

NumberRows see_numbers(const ModelParts& parts, const TableView& table, int threads) {
  return see_numbers(parts, table, all_rows(table), threads);
}

}  // namespace taut
