#include <taut/model/refit.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/stream_safety.hpp>
#include <taut/plan/columns.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace taut {

BackgroundFit::BackgroundFit(const FitMoment& moment, std::function<Model(const ExecutionContext&)> fit, int threads)
    : moment_(moment) {
  ExecutionContext own;
  own.threads = threads;
  own.cancelled = [this] { return unwanted_.load(); };
  done_ = run_beside([this, own, fit = std::move(fit)] { result_.emplace(fit(own)); });
}

Model BackgroundFit::take(const ExecutionContext& context) {
  constexpr auto poll_interval = std::chrono::milliseconds(50);
  while (done_.wait_for(poll_interval) == std::future_status::timeout)
    if (context.cancelled && context.cancelled()) throw Interrupted();
  done_.get();
  return std::move(*result_);
}

// A refit trains f and g on the last rows and keeps the levels and the targets that are not known yet. It happens after a fixed
// number of rows of the stream, so that the result does not depend on how rows are split into calls.

namespace {

constexpr Index min_rows_to_refit = 100;

// The columns of the history have their kinds already, and dropped columns may be absent.
FitOptions options_to_refit(FitOptions options, const std::vector<Column>& columns) {
  options.in_order = true;
  options.sure = 0;  // --sure does not apply to a stream
  options.skip_missing_target = true;
  options.by.clear();  // a stream has one score distribution for all rows
  for (auto* declared : {&options.categorical, &options.numeric, &options.date, &options.ordered}) declared->clear();
  std::erase_if(options.drop, [&](const std::string& name) { return !find_column(columns, name); });
  return options;
}

void add_in_order(RowHistory& history, const TableView& table, const Column& time) {
  const Rows order = order_of_time(table, time);
  const Matrix cells = history.cells(table);
  for (const Index row : order)
    history.add(std::span<const double>(cells.data() + row * cells.cols(), static_cast<std::size_t>(cells.cols())));
}

// The errors of the model `judged` on its calibration rows, as scores of the model `other`. The two have different scales, so a
// score of one is not comparable with a score of the other. `inputs` becomes the summary of these rows for `other`: the number of
// outputs depends on the kind of scale, and a model file contains the summary of its own model.
std::vector<SignedScore> errors_as_scores(const ModelParts& judged, const ModelParts& other, const Table& rows, int threads,
                                          InputSummary& inputs) {
  TableView table(rows);
  const Rows order = order_of_time(table, judged.time);
  if (!judged.past.empty()) {
    PastInputs past = judged.past;
    past.forget();
    table = past.extended(table, order);
  }
  const Index target = table.require(judged.target().name);
  Rows held;
  for (auto row = order.rbegin(); row != order.rend() && std::ssize(held) < judged.distribution.rows(); ++row)
    if (!std::isnan(table(*row, target))) held.push_back(*row);
  std::reverse(held.begin(), held.end());
  const auto by_judged = judged.see(table, held, threads), by_other = other.see(table, held, threads);
  const auto y = judged.targets(table, held);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < std::ssize(held); ++i)
    scores.push_back(by_other->score_of_error(i, row_target(y, i, judged.n_targets()), *by_judged));
  inputs = InputSummary(by_other->x, held, by_other->outputs(), threads);
  return scores;
}

}  // namespace

// Fits twice, because under drift the newest rows are needed both to calibrate and to train. The first model does not train on
// the newest rows and gives their errors. The second one trains f and g on all rows. The guarantee of a stream holds for every f
// and g.
Model Model::fit_on_all(std::unique_ptr<Task> task, const Table& rows, const FitOptions& options,
                        const ExecutionContext& context) {
  Model judged = fit(task->unfitted(), rows, options, context, {});
  Model result = fit(std::move(task), rows, options, context,
                     TableView(Table{.source = rows.source, .columns = rows.columns, .values = {}, .lines = {}}));
  ModelParts &from = *judged.parts_, &to = *result.parts_;
  const auto scores = errors_as_scores(from, to, rows, context.threads, to.calibration_inputs);
  to.stream.emplace(StreamSettings{}, scores);
  to.set_distribution(scores, {});
  to.secret = from.secret;
  to.seen_rows = std::move(from.seen_rows);
  return result;
}

// A new model takes over `lag` rows after every multiple of `every` rows. The first one, at `lag` rows, is trained on rows from
// before the stream, if there are enough.
bool Model::is_refit_due() const {
  const auto& history = parts_->history;
  if (!history || history->every() == 0) return false;
  const Index rows = parts_->stream->rows() - history->lag();
  return rows >= 0 && rows % history->every() == 0 &&
         history->rows_to_train(history->lag(), parts_->stream->settings().delay) >= min_rows_to_refit;
}

// Results do not depend on this: a refit that was not begun early is made when it is due, on the same rows.
void Model::begin_refit(const ExecutionContext& context) {
  const auto& history = parts_->history;
  if (!history || history->every() == 0 || history->lag() == 0) return;
  const Index row = parts_->stream->rows(), delay = parts_->stream->settings().delay;
  if (row % history->every() != 0 || history->rows_to_train(0, delay) < min_rows_to_refit) return;
  const FitMoment moment{row, history->maximum(), delay};
  parts_->beside.reset();
  const auto fit = [rows = history->table(0, delay), options = options_to_refit(parts_->options, history->columns()),
                    task = std::shared_ptr(parts_->task->unfitted())](const ExecutionContext& own) {
    return fit_on_all(task->unfitted(), rows, options, own);
  };
  parts_->beside = std::make_unique<BackgroundFit>(moment, fit, context.threads);
}

Index Model::rows_to_next_refit() const {
  const auto& history = parts_->history;
  if (!history || history->every() == 0) return std::numeric_limits<Index>::max();
  const Index row = parts_->stream->rows(), every = history->every(), since = row % every;
  return since < history->lag() ? history->lag() - since : every - since;
}

Model Model::fitted_anew(const ExecutionContext& context) {
  const RowHistory& history = *parts_->history;
  const Index delay = parts_->stream->settings().delay;
  const FitMoment moment{parts_->stream->rows() - history.lag(), history.maximum(), delay};
  const auto beside = std::move(parts_->beside);
  if (beside && beside->moment() == moment) return beside->take(context);
  ExecutionContext quiet = context;
  quiet.say = quiet.details = {};
  return fit_on_all(parts_->task->unfitted(), history.table(history.lag(), delay),
                    options_to_refit(parts_->options, history.columns()), quiet);
}

void Model::take_over(Model next) {
  ModelParts& parts = *parts_;
  LevelStream moved(parts.stream->settings(), next.parts_->stream->scores());
  parts.stream->catch_up();
  moved.continue_from(std::move(*parts.stream));
  next.parts_->stream.emplace(std::move(moved));
  next.parts_->options = parts.options;
  next.parts_->time = parts.time;
  next.parts_->latest = parts.latest;
  next.parts_->past = std::move(parts.past);  // it includes rows whose targets are not known yet
  next.parts_->history = std::move(parts.history);
  next.parts_->seen_rows.take_streamed(parts.seen_rows);
  next.parts_->replaced = parts.replaced ? std::move(parts.replaced) : std::move(parts_);
  parts_ = std::move(next.parts_);
}

void Model::refit(const ExecutionContext& context) {
  try {
    take_over(fitted_anew(context));
    parts_->history->count_fit();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // For example a constant target. The stream goes on with the old model.
    context.tell(format_text("the refit after {} rows was skipped: {}", parts_->stream->rows(), error.what()));
  }
}

Index Model::refits() const { return parts_->history ? parts_->history->fits() : 0; }

void Model::train_on(const TableView& given, const StreamOptions& options, const ExecutionContext& context) {
  StreamRollback rollback(parts_, true);
  begin_stream({}, options);
  parts_->task->check_refit("--history");
  const TableView table = given.with_missing(parts_->options.na);
  if (table.rows() < min_rows_to_refit)
    throw UsageError(format_text("--history: at least {} rows to train on, got {}", min_rows_to_refit, table.rows()));
  RowHistory rows(stream_schema(), 0, std::min(table.rows(), RowHistory::max_possible), 0);
  add_in_order(rows, table, parts_->time);
  ExecutionContext quiet = context;
  quiet.say = quiet.details = {};
  take_over(fit_on_all(parts_->task->unfitted(), rows.table(0, parts_->stream->settings().delay),
                       options_to_refit(parts_->options, rows.columns()), quiet));
  rollback.keep();
}

void Model::remember_rows(const TableView& given, const StreamOptions& options) {
  StreamRollback rollback(parts_, true);
  begin_stream({}, options);
  if (!parts_->history) throw UsageError("rows from before the stream are for a stream with refits: give --refit-every too");
  add_in_order(*parts_->history, given.with_missing(parts_->options.na), parts_->time);
  rollback.keep();
}

}  // namespace taut
