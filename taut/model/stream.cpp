#include <taut/model/stream.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

StreamSettings StreamOptions::applied_to(StreamSettings settings) const {
  settings.controller = controller.value_or(settings.controller);
  settings.window = window.value_or(settings.window);
  settings.half_life = half_life.value_or(settings.half_life);
  settings.delay = delay.value_or(settings.delay);
  settings.scorecast = scorecast.value_or(settings.scorecast);
  return settings;
}

Index Streamed::targets() const {
  return std::count_if(y.begin(), y.end(), [](double value) { return !std::isnan(value); });
}

// The order of calibration rows is known where they came in order. Else one that is drawn: a window must not forget small scores
// first.
void ModelParts::begin_stream(const StreamOptions& given) {
  if (reader.kind() != "plain")
    throw Error("a stream needs one law for all rows, and this model is calibrated " + reader.kind() +
                ": calibrate it with 'taut calibrate --plain' first");
  if (!stream) {
    if (!law.has_sides()) throw Error("the model file is older than streams; calibrate it anew, for example with 'taut calibrate'");
    std::vector<SignedScore> scores;
    for (const Index position : shuffled(law.rows(), static_cast<std::uint64_t>(options.seed)))
      scores.push_back(law.signed_score(position + 1));
    stream.emplace(given.applied_to({}), scores);
    return;
  }
  // The window of a model that nothing has been learnt from yet is only as long as it was thought to be.
  const StreamSettings wanted = given.applied_to(stream->settings());
  if (wanted == stream->settings()) return;
  if (stream->rows() == 0 && stream->levels().empty())
    stream.emplace(wanted, stream->scores());
  else
    stream->change(wanted);
}

// Times must not fall. Equal ones are counted. Gives the latest up to each row.
std::vector<double> ModelParts::check_times(const TableView& table, bool allow_older, Index& repeated) {
  if (time.name.empty()) return {};
  auto times = times_of(table, time, all_rows(table));
  double last = latest;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (times[row] < last && !allow_older)
      throw Error(table.where(static_cast<Index>(row), table.require(time.name)) + ": the time " + time_in_words(times[row], time) +
                  " is older than " + time_in_words(last, time) + ", which " +
                  (row == 0 || last == latest ? "the model has seen already" : "came before it") +
                  "; give rows in the order of their times and each once, or use --allow-older");
    repeated += times[row] == last ? 1 : 0;
    times[row] = last = std::max(last, times[row]);
  }
  latest = last;
  return times;
}

namespace {

// Of rows that may lack them.
std::vector<double> known_targets(const TableView& table, const Column& target, const TargetRange& range) {
  std::vector<double> y(static_cast<std::size_t>(table.rows()), missing);
  const auto column = find_column(table.columns(), target.name);
  if (!column) return y;
  Rows rows;
  for (Index row = 0; row < table.rows(); ++row)
    if (!std::isnan(table(row, *column))) rows.push_back(row);
  const auto found = targets_of(table, target, rows, range);
  for (std::size_t i = 0; i < rows.size(); ++i) y[static_cast<std::size_t>(rows[i])] = found[i];
  return y;
}

}  // namespace

void Model::begin_stream(std::span<const double> levels, const StreamOptions& options) {
  parts_->begin_stream(options);
  parts_->stream->add_levels(levels);
}

void Model::replay(std::span<const StreamRecord> rows) {
  if (rows.empty()) return;
  if (!parts_->stream) throw Error("there is no stream to go on with: the journal belongs to another model file");
  for (const StreamRecord& row : rows) {
    (void)parts_->stream->thresholds();
    parts_->stream->learn(row.score);
    parts_->latest = std::max(parts_->latest, row.latest);
  }
}

Streamed Model::stream(const TableView& given, std::span<const double> levels, const StreamOptions& options,
                       const ExecutionContext& context) {
  const TableView table = given.with_missing(parts_->options.na);
  Streamed result{{}, {levels.begin(), levels.end()}, {}, {}, known_targets(table, parts_->target, parts_->range)};
  // f and g do not depend on what the stream has learnt.
  SeenByModel seen = parts_->see(table, context.threads);
  begin_stream(levels, options);
  const std::vector<double> latest = parts_->check_times(table, options.allow_older, result.repeated_times);
  LevelStream& stream = *parts_->stream;
  std::vector<std::size_t> positions;
  for (const double level : levels)
    positions.push_back(static_cast<std::size_t>(std::lower_bound(stream.levels().begin(), stream.levels().end(), level) -
                                                 stream.levels().begin()));

  result.records.resize(seen.rows.size());
  result.intervals.reserve(seen.rows.size() * levels.size());
  for (Index row = 0; row < table.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    const RowScore score = parts_->score.at(seen.predicted[at], seen.g.row(row).data());
    const auto thresholds = stream.thresholds();
    const auto asked = stream.asked();
    for (const std::size_t position : positions) {
      const double threshold = thresholds[position];
      result.intervals.push_back(std::isnan(threshold) ? Interval{infinity, -infinity} : score.at_most(threshold, parts_->range));
      result.asked.push_back(asked[position]);
    }
    if (!std::isnan(result.y[at])) result.records[at].score = score.signed_at(result.y[at]);
    result.records[at].latest = latest.empty() ? -infinity : latest[at];
    stream.learn(result.records[at].score);
  }
  result.prediction = std::move(seen.predicted).take_f();
  return result;
}

Streamed Model::update(const TableView& given, const StreamOptions& options, const ExecutionContext& context,
                       std::span<const double> levels) {
  const TableView table = given.with_missing(parts_->options.na);
  refuse_seen_rows(table, options, context);
  std::vector<double> moved(levels.begin(), levels.end());
  if (moved.empty() && parts_->stream) moved = parts_->stream->levels();
  if (moved.empty()) moved = {0.9};
  Streamed result = stream(table, moved, options, context);
  if (result.targets() == 0)
    throw Error(table.source() + ": no row has a target in '" + parts_->target.name + "': there is nothing to learn from");
  end_stream();
  return result;
}

// Without a column of times, rows that the model was made from are the one sign of age that there is.
void Model::refuse_seen_rows(const TableView& table, const StreamOptions& options, const ExecutionContext& context) const {
  if (options.allow_older || !parts_->time.name.empty()) return;
  const auto y = known_targets(table, parts_->target, parts_->range);
  Rows rows;
  std::vector<double> known;
  for (Index row = 0; row < table.rows(); ++row)
    if (const double value = y[static_cast<std::size_t>(row)]; !std::isnan(value)) {
      rows.push_back(row);
      known.push_back(value);
    }
  const auto found = parts_->seen_rows.when_evaluating(row_hashes(parts_->inputs_of(table), known, rows, context.threads));
  for (const Alarm& alarm : found)
    throw Error(alarm.words + "; an update takes rows that came later; --allow-older learns from them all the same");
}

void Model::end_stream() {
  if (!parts_->stream) return;
  parts_->stream->catch_up();
  parts_->set_law(parts_->stream->scores(), {});
}

const LevelStream* Model::stream_state() const { return parts_->stream ? &*parts_->stream : nullptr; }
const Column& Model::time() const { return parts_->time; }
double Model::latest_time() const { return parts_->latest; }

std::vector<Column> Model::stream_schema() const {
  std::vector<Column> schema = prediction_schema();
  if (!parts_->time.name.empty() && !find_column(schema, parts_->time.name)) schema.push_back(parts_->time);
  schema.push_back(parts_->target);
  schema.back().is_strict = true;
  return schema;
}

}  // namespace taut
