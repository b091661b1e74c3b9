// Rows with labels that come one after another: each gets its sets, then its label is learnt from.
//
// What moves is what moves for numbers: recent scores, here those of the true labels, and a level for each confidence
// (taut/stream). f, temperature and g stay as they are.
#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/stream_rollback.hpp>
#include <taut/model/time_column.hpp>
#include <taut/stream/level_stream.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Log odds beyond these are as good as infinite, and controllers reckon with scores: they must be numbers.
constexpr double most_odds = 50;

// A label that the model does not know is stranger than any that it knows: no set holds it.
double score_of_unknown(const ClassParts& parts) {
  return parts.shift.empty() ? parts.score->top(parts.classes()) + 1 : most_odds + 1;
}

double bounded(const ClassParts& parts, double score) {
  if (score == infinity) return score_of_unknown(parts);
  return parts.shift.empty() ? score : std::clamp(score, -most_odds, most_odds);
}

// -1 where there is none.
std::vector<Index> known_labels(const TableView& table, const Column& target) {
  std::vector<Index> labels(static_cast<std::size_t>(table.rows()), -1);
  const auto column = find_column(table.columns(), target.name);
  if (!column) return labels;
  Rows rows;
  for (Index row = 0; row < table.rows(); ++row)
    if (!std::isnan(table(row, *column))) rows.push_back(row);
  const auto found = labels_of(table, target, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) labels[static_cast<std::size_t>(rows[i])] = found[i];
  return labels;
}

// The rows whose labels are known, and their hashes.
std::pair<Rows, std::vector<std::uint64_t>> hashes_of_known(const TableView& x, const std::vector<Index>& labels, int threads) {
  Rows rows;
  std::vector<double> codes;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= 0) {
      rows.push_back(static_cast<Index>(i));
      codes.push_back(static_cast<double>(labels[i]));
    }
  return {rows, row_hashes(x, codes, rows, threads)};
}

}  // namespace

Interval StreamedSets::interval_of(const PredictedSets& sets, Index row, std::size_t level, Index label) {
  const Index size = sets.size(row, level);
  if (size == 0) return {infinity, -infinity};
  const bool covered = label >= 0 && label < sets.classes() && sets.set(row, level)[static_cast<std::size_t>(label)] != 0;
  const double lower = covered ? 0.0 : 1.0;
  return {lower, lower + static_cast<double>(size)};
}

std::vector<SignedScore> ClassParts::bounded_scores(std::span<const double> scores) const {
  std::vector<SignedScore> own;
  for (const double one : scores) own.push_back({Side::above, bounded(*this, one)});
  return own;
}

LevelStream ClassParts::started_stream(const StreamSettings& settings, std::span<const double> scores) const {
  return {settings, bounded_scores(scores)};
}

void ClassModel::begin_stream(std::span<const double> levels, const StreamOptions& options) {
  ClassParts& parts = *parts_;
  if (parts.law.rows() == 0) throw Error("a stream needs calibration rows, and the model has none: use 'taut calibrate'");
  if (parts.sure > 0)
    throw UsageError("a stream moves its levels as rows come, and this model was calibrated with --sure " + print_number(parts.sure) +
                     ", which is about one calibration set: calibrate it with 'taut calibrate --sure 0' first");
  if (calibration_kind() != "plain")
    throw Error("a stream needs one law for all rows, and this model is calibrated " + calibration_kind() +
                ": calibrate it with 'taut calibrate --plain' first");
  if (options.refit_every.value_or(0) > 0 || options.refit_rows)
    throw UsageError(
        "--refit-every and --refit-rows train models of numbers anew; a model of labels keeps its f: fit another one "
        "on the rows so far with 'taut fit', and stream with that");
  if (options.recentre)
    throw UsageError("--recentre moves intervals of numbers; a model of labels has sets, which cannot be moved: leave it out");
  const StreamSettings wanted = options.applied_to(parts.stream ? parts.stream->settings() : StreamSettings{});
  const auto is_known = [&](double level) {
    return std::binary_search(parts.stream->levels().begin(), parts.stream->levels().end(), level);
  };
  if (parts.stream && wanted == parts.stream->settings() && std::all_of(levels.begin(), levels.end(), is_known)) return;
  // Changes a copy: settings and levels that make no sense leave the stream as it was.
  std::optional<LevelStream> next = copied(parts.stream);
  if (!next) {
    // The order of calibration rows is not known: one that is drawn, so that a window does not forget small scores first.
    std::vector<double> scores;
    for (const Index position : shuffled(parts.law.rows(), static_cast<std::uint64_t>(parts.options.seed)))
      scores.push_back(parts.law.signed_score(position + 1).score);
    next = parts.started_stream(wanted, scores);
  } else if (wanted != next->settings()) {
    if (next->rows() == 0 && next->levels().empty())
      next.emplace(wanted, next->scores());
    else
      next->change(wanted);
  }
  next->add_levels(levels);
  parts.stream = std::move(next);
}

void ClassModel::replay(std::span<const StreamRecord> rows) {
  if (rows.empty()) return;
  if (!parts_->stream) throw Error("there is no stream to go on with: the journal belongs to another model file");
  for (const StreamRecord& row : rows) {
    (void)parts_->stream->thresholds();
    parts_->stream->learn(row.score, {}, row.covered_from);
    if (row.hash) parts_->seen_rows.stream(*row.hash);
    parts_->latest = std::max(parts_->latest, row.latest);
  }
}

StreamedSets ClassModel::stream(const TableView& given, std::span<const double> levels, const StreamOptions& options,
                                const ExecutionContext& context) {
  ClassParts& parts = *parts_;
  const TableView table = given.with_missing(parts.options.na);
  const auto labels = known_labels(table, parts.target);
  SeenSets seen = parts.see(table, all_rows(table), context.threads);
  StreamedSets result;
  const std::vector<double> latest = times_in_order(table, parts.time, parts.latest, options.allow_older, result.repeated_times);
  begin_stream(levels, options);  // the first step that changes the model, and the last that may fail
  const auto classes = static_cast<std::size_t>(parts.classes()), rows = static_cast<std::size_t>(table.rows());
  result.levels = result.sets.levels = {levels.begin(), levels.end()};
  result.sets.probabilities = std::move(seen.p);
  result.sets.prediction.resize(rows);
  result.sets.members.resize(rows * levels.size() * classes);
  result.records.resize(rows);
  LevelStream& stream = *parts.stream;
  std::vector<std::size_t> positions;
  for (const double level : levels)
    positions.push_back(static_cast<std::size_t>(std::lower_bound(stream.levels().begin(), stream.levels().end(), level) -
                                                 stream.levels().begin()));
  const auto [known, hashes] = hashes_of_known(seen.x, labels, context.threads);
  for (std::size_t i = 0; i < known.size(); ++i) result.records[static_cast<std::size_t>(known[i])].hash = hashes[i];
  std::vector<double> scores(classes);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> p(result.sets.probabilities.row(static_cast<Index>(i)).data(), classes);
    result.sets.prediction[i] = std::max_element(p.begin(), p.end()) - p.begin();
    parts.scores(p, seen.g[i], parts.draw(ClassParts::Draws::prediction, static_cast<std::uint64_t>(stream.rows())), scores);
    for (double& score : scores) score = bounded(parts, score);
    const auto thresholds = stream.thresholds();
    const auto asked = stream.asked();
    const Index label = labels[i];
    const bool is_known = label >= 0 && label < parts.classes();
    // For at least the level no set is empty: the label with the smallest score is in it.
    const double least = stream.settings().at_least ? *std::min_element(scores.begin(), scores.end()) : -infinity;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const double own = thresholds[positions[level]], threshold = own < least ? least : own;
      std::uint8_t* const set = result.sets.members.data() + (i * levels.size() + level) * classes;
      for (std::size_t k = 0; k < classes; ++k) set[k] = scores[k] <= threshold ? 1 : 0;  // NaN: the empty set
      result.intervals.push_back(StreamedSets::interval_of(result.sets, static_cast<Index>(i), level, label));
      result.asked.push_back(asked[positions[level]]);
    }
    result.prediction.push_back(static_cast<double>(result.sets.prediction[i]));
    result.y.push_back(label < 0 ? missing : 0.5);
    StreamRecord& record = result.records[i];
    record.latest = latest.empty() ? -infinity : latest[i];
    if (label >= 0)
      record.score = SignedScore{Side::above, is_known ? scores[static_cast<std::size_t>(label)] : score_of_unknown(parts)};
    if (is_known && record.score->score <= least) record.covered_from = 0;
    stream.learn(record.score, {}, record.covered_from);
    if (record.hash) parts.seen_rows.stream(*record.hash);
  }
  if (!latest.empty()) parts.latest = latest.back();
  result.labels = labels;
  return result;
}

StreamedSets ClassModel::update(const TableView& given, const StreamOptions& options, const ExecutionContext& context,
                                std::span<const double> levels) {
  ClassParts& parts = *parts_;
  const TableView table = given.with_missing(parts.options.na);
  // Without a column of times, rows that the model was made from are the one sign of age that there is.
  if (!options.allow_older && parts.time.name.empty()) {
    const auto hashes = hashes_of_known(parts.inputs_of(table), known_labels(table, parts.target), context.threads).second;
    for (const Alarm& alarm : parts.seen_rows.when_evaluating(hashes))
      throw Error(alarm.words + "; an update takes rows that came later; --allow-older learns from them all the same");
  }
  const auto known = known_labels(table, parts.target);
  if (std::all_of(known.begin(), known.end(), [](Index label) { return label < 0; }))
    throw Error(table.source() + ": no row has a target in '" + parts.target.name + "': there is nothing to learn from");
  std::vector<double> moved(levels.begin(), levels.end());
  if (moved.empty() && parts.stream) moved = parts.stream->levels();
  if (moved.empty()) moved = {0.9};
  StreamedSets result = stream(table, moved, options, context);
  end_stream();
  return result;
}

void ClassModel::end_stream() {
  if (!parts_->stream) return;
  parts_->stream->catch_up();
  std::vector<double> scores;
  for (const SignedScore& score : parts_->stream->scores()) scores.push_back(score.score);
  parts_->set_law(std::move(scores), {});
}

const Column& ClassModel::time() const { return parts_->time; }
double ClassModel::latest_time() const { return parts_->latest; }
const LevelStream* ClassModel::stream_state() const { return parts_->stream ? &*parts_->stream : nullptr; }

std::vector<Column> ClassModel::stream_schema() const {
  std::vector<Column> schema = prediction_schema();
  if (!parts_->time.name.empty() && !find_column(schema, parts_->time.name)) schema.push_back(parts_->time);
  schema.push_back(parts_->target);
  return schema;
}

}  // namespace taut
