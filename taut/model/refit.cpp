#include <taut/model/refit.hpp>

#include <taut/core/error.hpp>
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

FitBeside::FitBeside(const FitMoment& moment, std::function<Model(const ExecutionContext&)> fit, int threads) : moment_(moment) {
  ExecutionContext own;
  own.threads = threads;
  own.cancelled = [this] { return unwanted_.load(); };
  done_ = run_beside([this, own, fit = std::move(fit)] { result_.emplace(fit(own)); });
}

Model FitBeside::take(const ExecutionContext& context) {
  constexpr auto a_moment = std::chrono::milliseconds(50);
  while (done_.wait_for(a_moment) == std::future_status::timeout)
    if (context.cancelled && context.cancelled()) throw Interrupted();
  done_.get();
  return std::move(*result_);
}

// A stream that trains anew now and then: f and g from the last rows, levels and what is still to come as they were. It happens
// between two rows that the stream's own count names, so that the same rows give the same bits however they come.

namespace {

constexpr Index least_rows_to_refit = 100;

// The columns of the history have their kinds already, and no others are there.
FitOptions options_to_refit(FitOptions options, const std::vector<Column>& columns) {
  options.in_order = true;
  options.sure = 0;  // a stream has none, whatever the first fit was asked for
  options.skip_missing_target = true;
  options.by.clear();  // one law for all rows, whatever the fit had
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

// The errors of a model on the rows that calibrated it, as scores of another one: each has a scale of its own, so that the same
// score may be a little with one of them and a mile with the other. `inputs` becomes the summary of these rows as the other one
// sees them: the two may have learnt different kinds of scales, and a file holds the summary of its own model.
std::vector<SignedScore> errors_as_scores(const ModelParts& judged, const ModelParts& other, const Table& rows, int threads,
                                          InputSummary& inputs) {
  TableView table(rows);
  const Rows order = order_of_time(table, judged.time);
  if (!judged.past.empty()) {
    PastInputs past = judged.past;
    past.forget();
    table = past.extended(table, order);
  }
  const Index target = table.require(judged.target.name);
  Rows held;
  for (auto row = order.rbegin(); row != order.rend() && std::ssize(held) < judged.law.rows(); ++row)
    if (!std::isnan(table(*row, target))) held.push_back(*row);
  std::reverse(held.begin(), held.end());
  const auto by_judged = judged.see(table, held, threads), by_other = other.see(table, held, threads);
  const auto y = judged.targets(table, held);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < std::ssize(held); ++i)
    scores.push_back(by_other->score_of_error(i, y[static_cast<std::size_t>(i)], *by_judged));
  inputs = InputSummary(by_other->x, held, by_other->outputs(), threads);
  return scores;
}

}  // namespace

// Twice: the newest rows calibrate, and in a world that drifts they are also the ones to learn from. The errors are those of a
// model that has not seen them; f and g are then trained on all rows. What is promised of a stream holds for every f and g.
Model Model::fit_on_all(std::unique_ptr<Task> task, const Table& rows, const FitOptions& options,
                        const ExecutionContext& context) {
  Model judged = fit(task->unfitted(), rows, options, context, {});
  Model result = fit(std::move(task), rows, options, context,
                     TableView(Table{.source = rows.source, .columns = rows.columns, .values = {}, .lines = {}}));
  ModelParts &from = *judged.parts_, &to = *result.parts_;
  const auto scores = errors_as_scores(from, to, rows, context.threads, to.calibration_inputs);
  to.stream.emplace(StreamSettings{}, scores);
  to.set_law(scores, {});
  to.secret = from.secret;
  to.seen_rows = std::move(from.seen_rows);
  return result;
}

// The model that is due takes over after every `every` rows and `lag` more; the first is of rows before the stream, where there
// are.
bool Model::is_refit_due() const {
  const auto& history = parts_->history;
  if (!history || history->every() == 0) return false;
  const Index rows = parts_->stream->rows() - history->lag();
  return rows >= 0 && rows % history->every() == 0 &&
         history->rows_to_train(history->lag(), parts_->stream->settings().delay) >= least_rows_to_refit;
}

// Nothing depends on this: a fit that was not begun is made when it is due, from the same rows.
void Model::begin_refit(const ExecutionContext& context) {
  const auto& history = parts_->history;
  if (!history || history->every() == 0 || history->lag() == 0) return;
  const Index row = parts_->stream->rows(), delay = parts_->stream->settings().delay;
  if (row % history->every() != 0 || history->rows_to_train(0, delay) < least_rows_to_refit) return;
  const FitMoment moment{row, history->most(), delay};
  parts_->beside.reset();
  const auto fit = [rows = history->table(0, delay), options = options_to_refit(parts_->options, history->columns()),
                    task = std::shared_ptr(parts_->task->unfitted())](const ExecutionContext& own) {
    return fit_on_all(task->unfitted(), rows, options, own);
  };
  parts_->beside = std::make_unique<FitBeside>(moment, fit, context.threads);
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
  const FitMoment moment{parts_->stream->rows() - history.lag(), history.most(), delay};
  const auto beside = std::move(parts_->beside);
  if (beside && beside->moment() == moment) return beside->take(context);
  ExecutionContext quiet = context;
  quiet.say = {};
  return fit_on_all(parts_->task->unfitted(), history.table(history.lag(), delay),
                    options_to_refit(parts_->options, history.columns()), quiet);
}

void Model::take_over(Model next) {
  ModelParts& parts = *parts_;
  LevelStream moved(parts.stream->settings(), next.parts_->stream->scores());
  parts.stream->catch_up();
  moved.go_on_from(std::move(*parts.stream));
  next.parts_->stream.emplace(std::move(moved));
  next.parts_->options = parts.options;
  next.parts_->time = parts.time;
  next.parts_->latest = parts.latest;
  next.parts_->past = std::move(parts.past);  // it knows rows whose targets are still to come
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
    // A constant target, for example: the model that there is goes on.
    context.tell("training anew after " + std::to_string(parts_->stream->rows()) + " rows was left out: " + error.what());
  }
}

Index Model::refits() const { return parts_->history ? parts_->history->fits() : 0; }

void Model::train_on(const TableView& given, const StreamOptions& options, const ExecutionContext& context) {
  StreamRollback rollback(parts_, true);
  begin_stream({}, options);
  parts_->task->check_refit("--history");
  const TableView table = given.with_missing(parts_->options.na);
  if (table.rows() < least_rows_to_refit)
    throw UsageError("--history: at least " + std::to_string(least_rows_to_refit) + " rows to train on, got " +
                     std::to_string(table.rows()));
  RowHistory rows(stream_schema(), 0, std::min(table.rows(), RowHistory::most_possible), 0);
  add_in_order(rows, table, parts_->time);
  ExecutionContext quiet = context;
  quiet.say = {};
  take_over(fit_on_all(parts_->task->unfitted(), rows.table(0, parts_->stream->settings().delay),
                       options_to_refit(parts_->options, rows.columns()), quiet));
  rollback.keep();
}

void Model::remember_rows(const TableView& given, const StreamOptions& options) {
  StreamRollback rollback(parts_, true);
  begin_stream({}, options);
  if (!parts_->history) throw UsageError("rows from before the stream are for one that trains anew: give --refit-every too");
  add_in_order(*parts_->history, given.with_missing(parts_->options.na), parts_->time);
  rollback.keep();
}

}  // namespace taut
