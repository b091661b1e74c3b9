#include <taut/model/stream.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/stream_options.hpp>
#include <taut/model/stream_safety.hpp>
#include <taut/plan/columns.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

StreamSettings StreamOptions::applied_to(StreamSettings settings) const {
  settings.controller = controller.value_or(settings.controller);
  settings.window = window.value_or(settings.window);
  if (window) settings.usual_window = *window == 0;
  settings.half_life = half_life.value_or(settings.half_life);
  settings.delay = delay.value_or(settings.delay);
  settings.scorecast = scorecast.value_or(settings.scorecast);
  settings.recentre = recentre.value_or(settings.recentre);
  settings.at_least = at_least.value_or(settings.at_least);
  return settings;
}

namespace {

std::string note_on_stream(const StreamSettings& before, bool goes_on) {
  if (goes_on) return format_text("the stream keeps its settings ({}); its levels are reset", before.describe());
  return format_text(
      "the stream and its settings ({}) were removed: a stream needs a plain calibration; give the settings again "
      "when you stream after 'taut calibrate --plain'",
      before.describe());
}

}  // namespace

std::optional<LevelStream> restarted_stream(const std::optional<LevelStream>& before, const FitOptions& options,
                                            const std::vector<SignedScore>& scores, bool is_plain,
                                            std::vector<std::string>& notes) {
  const StreamSettings defaults{.delay = options.delay};
  const StreamSettings settings = before ? before->settings() : defaults;
  const bool goes_on = is_plain && (before || options.is_in_order());
  // Calibration rows in order create a stream with default settings. The user has not used it yet, so there is nothing to report.
  StreamSettings of_fit = defaults;
  of_fit.window = settings.window;
  of_fit.usual_window = true;
  if (before && (before->rows() > 0 || settings != of_fit)) notes.push_back(note_on_stream(settings, goes_on));
  if (!goes_on) return std::nullopt;
  if (options.is_in_order()) return LevelStream(settings, scores);
  // The order of these rows has no meaning. Shuffle them, so that the window does not forget the first ones for their position.
  std::vector<SignedScore> random;
  for (const Index row : shuffled(std::ssize(scores), static_cast<std::uint64_t>(options.seed)))
    random.push_back(scores[static_cast<std::size_t>(row)]);
  return LevelStream(settings, random);
}

Index Streamed::targets() const {
  return std::count_if(y.begin(), y.end(), [](double value) { return !std::isnan(value); });
}

// A model whose calibration rows came in order has a stream already. Otherwise the sorted scores are shuffled, so that the window
// does not forget the small ones first.
void ModelParts::begin_stream(const StreamOptions& given) {
  require_distribution("a stream needs");
  task->check_stream(*this, given);
  if (sure > 0)
    throw UsageError(
        format_text("a stream moves its levels as rows come, and this model was calibrated with --sure {}, which is "
                    "about one calibration set: calibrate it with 'taut calibrate --sure 0' first",
                    print_number(sure)));
  if (calibration_kind() != to_string(CalibrationKind::plain))
    throw Error(
        format_text("a stream needs one score distribution for all rows, and this model is calibrated {}: calibrate it "
                    "with 'taut calibrate --plain' first",
                    calibration_kind()));
  if (!stream) {
    if (!distribution.has_sides())
      throw Error("the model file is older than streams; calibrate it anew, for example with 'taut calibrate'");
    std::vector<SignedScore> scores;
    for (const Index position : shuffled(distribution.rows(), static_cast<std::uint64_t>(options.seed)))
      scores.push_back(task->stream_score(distribution.signed_score(position + 1)));
    stream.emplace(given.applied_to({}), scores);
    return;
  }
  // If nothing was streamed yet, the stream is made anew: its window is only a default so far.
  const StreamSettings wanted = given.applied_to(stream->settings());
  if (wanted == stream->settings()) return;
  if (stream->rows() == 0 && stream->levels().empty())
    stream.emplace(wanted, stream->scores());
  else
    stream->change(wanted);
}

namespace {

// The rows whose targets are known, and their hashes. A row has all of its targets or counts as a row without any.
std::pair<Rows, std::vector<std::uint64_t>> hashes_of_known(const TableView& x, std::span<const double> y, Index targets,
                                                            int threads) {
  Rows rows;
  std::vector<double> known;
  for (Index row = 0; row < x.rows(); ++row)
    if (const RowTarget own = row_target(y, row, targets); !std::isnan(own.front())) {
      rows.push_back(row);
      known.insert(known.end(), own.begin(), own.end());
    }
  return {rows, row_hashes(x, known, rows, threads)};
}

}  // namespace

std::vector<double> ModelParts::known_targets(const TableView& table) const {
  const auto count = static_cast<std::size_t>(n_targets());
  std::vector<double> y(static_cast<std::size_t>(table.rows()) * count, missing);
  Rows rows = all_rows(table);
  for (const Column& target : target_columns) {
    const auto column = find_column(table.columns(), target.name);
    if (!column) return y;
    std::erase_if(rows, [&](Index row) { return std::isnan(table(row, *column)); });
  }
  const auto found = targets(table, rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(i * count), count,
                y.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(rows[i]) * count));
  return y;
}

Rows ModelParts::rows_with_all_targets(const TableView& table, RowsView rows) const {
  return n_targets() == 1 ? Rows(rows.begin(), rows.end()) : rows_with_targets(table, target_columns, rows, HasTargets::all);
}

bool Model::would_begin(std::span<const double> levels, const StreamOptions& options) const {
  const auto& stream = parts_->stream;
  if (!stream || options.applied_to(stream->settings()) != stream->settings()) return true;
  for (const double level : levels)
    if (!std::binary_search(stream->levels().begin(), stream->levels().end(), level)) return true;
  const auto& history = parts_->history;
  if (!history) return options.refit_every.value_or(0) > 0;
  return options.refit_every.value_or(history->every()) != history->every() ||
         options.refit_rows.value_or(history->maximum()) != history->maximum() ||
         options.refit_lag.value_or(history->lag()) != history->lag();
}

void Model::begin_stream(std::span<const double> levels, const StreamOptions& options) {
  StreamRollback rollback(parts_, would_begin(levels, options));
  begin_stream_anyway(levels, options);
  rollback.keep();
}

void Model::begin_stream_anyway(std::span<const double> levels, const StreamOptions& options) {
  parts_->begin_stream(options);
  parts_->stream->add_levels(levels);
  const Index delay = parts_->stream->settings().delay;
  if (!parts_->past.empty() && delay > parts_->options.delay)
    throw UsageError(
        format_text("--delay {}: the model's inputs are made from targets that are then not known yet; fit it with "
                    "--delay {}, or stream with at most {}",
                    delay, delay, parts_->options.delay));
  if (!options.refit_every && !options.refit_rows && !options.refit_lag) return;
  if (!parts_->history && options.refit_every.value_or(0) == 0) return;
  parts_->task->check_refit("--refit-every");
  const Index every = options.refit_every.value_or(parts_->history ? parts_->history->every() : 0);
  const Index maximum = options.refit_rows.value_or(parts_->history ? parts_->history->maximum() : RowHistory::usual_rows);
  const bool keeps_lag = parts_->history && parts_->history->every() == every;
  const Index lag = options.refit_lag.value_or(keeps_lag ? parts_->history->lag() : RowHistory::usual_lag(every));
  if (parts_->history)
    parts_->history->change(every, maximum, lag);
  else
    parts_->history.emplace(stream_schema(), every, maximum, lag);
  parts_->kept = {};  // these rows belong to one f, and a refit replaces it
}

// Keeps what later rows and refits need of this row.
void ModelParts::remember_row(const StreamRecord& row) {
  const std::span<const double> cells(row.cells);
  const std::size_t own = past.sources().size();
  if (row.hash) seen_rows.stream(*row.hash);
  const auto of_kept = static_cast<std::size_t>(kept.columns());
  if (!past.empty()) past.remember(cells.first(own));
  if (history) history->add(cells.subspan(own, cells.size() - own - of_kept));
  if (of_kept > 0 && kept.add(cells.last(of_kept))) kept.forget_oldest();
}

void Model::replay(std::span<const StreamRecord> rows, const ExecutionContext& context) {
  if (rows.empty()) return;
  if (!parts_->stream) throw Error("there is no stream to go on with: the journal belongs to another model file");
  StreamRollback rollback(parts_, is_refit_due() || rows_to_next_refit() < std::ssize(rows));
  for (const StreamRecord& row : rows) {
    if (is_refit_due()) refit(context);
    (void)parts_->stream->thresholds();
    parts_->stream->learn(row.score, row.moved, row.covered_from);
    parts_->latest = std::max(parts_->latest, row.latest);
    parts_->remember_row(row);
  }
  rollback.keep();
}

std::size_t Model::cells_of_record() const {
  return parts_->past.sources().size() + (parts_->history ? parts_->history->columns().size() : 0) +
         static_cast<std::size_t>(parts_->kept.columns());
}

std::unique_ptr<Streamed> Model::stream(const TableView& given, std::span<const double> levels, const StreamOptions& options,
                                        const ExecutionContext& context) {
  TableView table = given.with_missing(parts_->options.na);
  const std::vector<double> y = parts_->known_targets(table);
  std::unique_ptr<Streamed> streamed = parts_->task->new_streamed();
  Streamed& result = *streamed;
  result.levels.assign(levels.begin(), levels.end());
  result.allow_empty = options.allow_empty;
  const bool begins = would_begin(levels, options);
  StreamRollback rollback(parts_, begins || is_refit_due() || rows_to_next_refit() < table.rows());
  begin_stream(levels, options);
  // The inputs of a row depend on earlier rows only, so they can be made for all rows at once.
  const Matrix past = parts_->past.empty() ? Matrix(table.rows(), 0) : parts_->past.cells(table);
  const Matrix kept = parts_->history ? parts_->history->cells(table) : Matrix(table.rows(), 0);
  if (!parts_->past.empty()) table = parts_->past.extended(table, all_rows(table));
  const TableView x = parts_->inputs_of(table);  // throws for a table without the inputs; the model stays as it was
  const std::vector<double> latest =
      times_in_order(table, parts_->time, parts_->latest, options.allow_older, result.repeated_times);
  result.records.resize(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row) {
    StreamRecord& record = result.records[static_cast<std::size_t>(row)];
    record.latest = latest.empty() ? -infinity : latest[static_cast<std::size_t>(row)];
    for (const Matrix* cells : {&past, &kept})
      record.cells.insert(record.cells.end(), cells->data() + row * cells->cols(), cells->data() + (row + 1) * cells->cols());
  }
  const auto [known, hashes] = hashes_of_known(x, y, parts_->n_targets(), context.threads);
  for (std::size_t i = 0; i < known.size(); ++i) result.records[static_cast<std::size_t>(known[i])].hash = hashes[i];
  result.intervals.reserve(static_cast<std::size_t>(table.rows()) * levels.size());
  for (Index begin = 0; begin < table.rows();) {
    if (is_refit_due()) refit(context);
    if (options.refits_in_background) begin_refit(context);
    const Index end = begin + std::min(table.rows() - begin, rows_to_next_refit());
    stream_stretch(table, y, begin, end, result, context);
    if (!latest.empty()) parts_->latest = latest[static_cast<std::size_t>(end - 1)];
    begin = end;
  }
  rollback.keep();
  return streamed;
}

// Streams rows between two refits, during which f and g do not change.
void Model::stream_stretch(const TableView& table, std::span<const double> y, Index begin, Index end, Streamed& result,
                           const ExecutionContext& context) {
  Rows rows;
  for (Index row = begin; row < end; ++row) rows.push_back(row);
  const auto seen = parts_->see(table, std::move(rows), context.threads);
  LevelStream& stream = *parts_->stream;
  std::vector<std::size_t> positions;
  for (const double level : result.levels)
    positions.push_back(static_cast<std::size_t>(std::lower_bound(stream.levels().begin(), stream.levels().end(), level) -
                                                 stream.levels().begin()));
  for (Index row = begin; row < end; ++row) {
    const auto at = static_cast<std::size_t>(row);
    const auto thresholds = stream.thresholds();
    const auto asked = stream.asked();
    StreamRecord& record = result.records[at];
    seen->issue(row - begin, row_target(y, row, parts_->n_targets()), {stream, thresholds, positions, parts_->kept}, result,
                record);
    for (const std::size_t position : positions) result.asked.push_back(asked[position]);
    stream.learn(record.score, record.moved, record.covered_from);
    parts_->remember_row(record);
  }
}

std::unique_ptr<Streamed> Model::update(const TableView& given, const StreamOptions& options, const ExecutionContext& context,
                                        std::span<const double> levels) {
  const TableView table = given.with_missing(parts_->options.na);
  refuse_seen_rows(table, options, context);
  const auto y = parts_->known_targets(table);
  if (std::all_of(y.begin(), y.end(), [](double value) { return std::isnan(value); }))
    throw Error(
        format_text("{}: no row has a target in '{}': there is nothing to learn from", table.source(), parts_->options.target));
  std::vector<double> moved(levels.begin(), levels.end());
  if (moved.empty() && parts_->stream) moved = parts_->stream->levels();
  if (moved.empty()) moved = {0.9};
  auto result = stream(table, moved, options, context);
  end_stream();
  return result;
}

// Without a time column, only rows that the model has seen can be recognised as older.
void Model::refuse_seen_rows(const TableView& table, const StreamOptions& options, const ExecutionContext& context) const {
  if (options.allow_older || !parts_->time.name.empty()) return;
  const auto y = parts_->known_targets(table);
  const auto found = parts_->seen_rows.when_evaluating(
      hashes_of_known(parts_->inputs_of(table), y, parts_->n_targets(), context.threads).second);
  for (const Alarm& alarm : found)
    throw Error(alarm.words + "; an update takes rows that came later; --allow-older learns from them all the same");
}

void Model::end_stream() {
  if (!parts_->stream) return;
  parts_->stream->catch_up();
  parts_->set_distribution(parts_->stream->scores(), {});
}

const LevelStream* Model::stream_state() const { return parts_->stream ? &*parts_->stream : nullptr; }
const Column& Model::time() const { return parts_->time; }
double Model::latest_time() const { return parts_->latest; }
bool Model::has_past() const { return !parts_->past.empty(); }
TableView Model::with_past(const TableView& table) const { return parts_->past.empty() ? table : parts_->with_past(table); }
TableView ModelParts::with_past(const TableView& table) const { return past.extended(table, order_of_time(table, time)); }

std::vector<Column> Model::stream_schema() const {
  if (parts_->history) return parts_->history->columns();
  std::vector<Column> schema = prediction_schema();
  std::erase_if(schema, [this](const Column& column) { return parts_->past.makes(column.name); });
  for (const Column& source : parts_->past.sources())
    if (source.name != parts_->target().name && !find_column(schema, source.name)) schema.push_back(source);
  if (!parts_->time.name.empty() && !find_column(schema, parts_->time.name)) schema.push_back(parts_->time);
  for (const Column& target : parts_->target_columns) {
    schema.push_back(target);
    schema.back().is_strict = !target.is_categorical();
  }
  return schema;
}

void take_history(Model& model, const TableView& before, const StreamOptions& options, const ExecutionContext& context) {
  if (model.stream_state() != nullptr && model.stream_state()->rows() > 0)
    throw UsageError("--history gives rows from before the stream, and this model has streamed already: leave --history out");
  if (options.refit_every.value_or(0) == 0)
    model.train_on(before, options, context);
  else
    model.remember_rows(before, options);
}

}  // namespace taut
