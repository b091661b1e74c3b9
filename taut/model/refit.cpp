// A stream that trains anew now and then: f and g from the last rows, levels and what is still to come as they were. It happens
// between two rows that the stream's own count names, so that the same rows give the same bits however they come.
#include <taut/core/error.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/time_column.hpp>

#include <algorithm>
#include <limits>

namespace taut {

namespace {

constexpr Index least_rows_to_refit = 100;

// The columns of the history have their kinds already, and no others are there.
FitOptions options_to_refit(FitOptions options, const std::vector<Column>& columns) {
  options.in_order = true;
  options.skip_missing_target = true;
  for (auto* declared : {&options.categorical, &options.numeric, &options.date, &options.ordered}) declared->clear();
  std::erase_if(options.drop, [&](const std::string& name) { return !find_column(columns, name); });
  return options;
}

}  // namespace

// The model that is due takes over after every `every` rows and `lag` more.
bool Model::is_refit_due() const {
  const auto& history = parts_->history;
  if (!history || history->every() == 0) return false;
  const Index rows = parts_->stream->rows() - history->lag();
  return rows > 0 && rows % history->every() == 0 &&
         history->rows_to_train(history->lag(), parts_->stream->settings().delay) >= least_rows_to_refit;
}

// Nothing depends on this: a fit that was not begun is made when it is due, from the same rows.
void Model::begin_refit(const ExecutionContext& context) {
  const auto& history = parts_->history;
  if (!history || history->every() == 0 || history->lag() == 0) return;
  const Index row = parts_->stream->rows(), delay = parts_->stream->settings().delay;
  if (row == 0 || row % history->every() != 0 || history->rows_to_train(0, delay) < least_rows_to_refit) return;
  const FitMoment moment{row, history->most(), delay};
  parts_->beside.reset();
  parts_->beside = std::make_unique<FitBeside>(moment, history->table(0, delay), options_to_refit(parts_->options, history->columns()),
                                               context.threads);
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
  return fit(history.table(history.lag(), delay), options_to_refit(parts_->options, history.columns()), quiet);
}

void Model::refit(const ExecutionContext& context) {
  ModelParts& parts = *parts_;
  const StreamSettings settings = parts.stream->settings();
  try {
    Model next = fitted_anew(context);
    LevelStream moved(settings, next.parts_->stream->scores());
    parts.stream->catch_up();
    moved.go_on_from(std::move(*parts.stream));
    next.parts_->stream.emplace(std::move(moved));
    next.parts_->options = parts.options;
    next.parts_->time = parts.time;
    next.parts_->latest = parts.latest;
    next.parts_->past = std::move(parts.past);  // it knows rows whose targets are still to come
    next.parts_->history = std::move(parts.history);
    next.parts_->history->count_fit();
    parts_ = std::move(next.parts_);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // A constant target, for example: the model that there is goes on.
    context.tell("training anew after " + std::to_string(parts_->stream->rows()) + " rows was left out: " + error.what());
  }
}

Index Model::refits() const { return parts_->history ? parts_->history->fits() : 0; }

void Model::remember_rows(const TableView& given, const StreamOptions& options) {
  begin_stream({}, options);
  if (!parts_->history)
    throw UsageError("rows from before the stream are for one that trains anew: give --refit-every too");
  const TableView table = given.with_missing(parts_->options.na);
  const Rows order = order_of_time(table, parts_->time);
  const Matrix cells = parts_->history->cells(table);
  for (const Index row : order)
    parts_->history->add(std::span<const double>(cells.data() + row * cells.cols(), static_cast<std::size_t>(cells.cols())));
}

}  // namespace taut
