// Calibration: the scores of rows that were not used for training or model selection become the score distributions of new rows.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/population.hpp>
#include <taut/plan/columns.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index max_cut_rows = 4000;  // more rows would hardly change the quantiles

// Ends of a model with monotone columns are in order only if a threshold does not depend on these columns.
void check_monotone(const FitOptions& options, const CalibrationOptions& how) {
  if (!options.is_monotone()) return;
  options.check_monotone_groups(how.by, "--by");
  options.check_monotone_groups(how.overlapping, "--overlapping");
  if (!how.weights.empty()) options.check_monotone_groups({how.weights}, "--weights");
  if (!how.keep_together.empty()) options.check_monotone_groups({how.keep_together}, "--keep-together");
  if (how.towards || how.local)
    throw UsageError(format_text(
        "{} cannot be combined with --increasing and --decreasing: its thresholds depend on the row, so ends would not "
        "keep their order; leave it out",
        how.given()));
}

// Brings the rows into the order of their calibration, so that scores of single targets belong to the same facts.
void sort_together(std::vector<SignedScore>& scores, RowFacts& facts, Matrix& alone) {
  if (alone.cols() == 0) return;
  Rows by_target = all_rows(alone.rows());
  std::stable_sort(by_target.begin(), by_target.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(alone.row(a).begin(), alone.row(a).end(), alone.row(b).begin(), alone.row(b).end());
  });
  const Rows order = order_of_calibration(scores, facts, std::move(by_target));
  std::vector<SignedScore> sorted;
  for (const Index row : order) sorted.push_back(scores[static_cast<std::size_t>(row)]);
  scores = std::move(sorted);
  if (facts.rows() > 0) facts = facts.of(order);
  alone = Matrix(alone(order, Eigen::all));
}

}  // namespace

std::vector<Alarm> Model::calibrate(const TableView& given, const ExecutionContext& context, const CalibrationOptions& how) {
  how.check();
  check_monotone(options(), how);
  for (const Column& target : targets()) how.check_target(target.name);
  if (how.by_label.value_or(false) && parts_->task->n_target_values() == 0)
    throw UsageError("--by-label is about models of labels, and this one predicts numbers; leave it out");
  parts_->require_distribution("calibrating anew needs");
  TableView table = given.with_missing(options().na);
  // The model changes only in the last steps, which cannot fail: an Error leaves it as it was.
  PastInputs past = parts_->past;
  if (!past.empty()) {
    // The table is a new series: the rows before its first row are not known.
    const Rows order = order_of_time(table, parts_->time);
    refuse_repeated_times(table, parts_->time, order);
    const Matrix cells = past.cells(table);
    past.forget();
    table = past.extended(table, order);
    past.remember(cells, order);
  }
  GroupColumns::check(how.by, "--by", table, parts_->schema);
  for (const auto& name : {how.keep_together, how.weights})
    if (!name.empty()) table.require(name);
  const TableView x = parts_->inputs_of(table);
  Rows rows = rows_of_calibration(table, options(), targets(), HasTargets::all);
  double latest = parts_->latest;
  if (!parts_->time.name.empty()) latest = std::max(latest, sort_by_time(table, parts_->time, rows, context));
  const auto y = parts_->targets(table, rows);
  std::vector<Alarm> alarms = parts_->alarms_of_inputs(x);
  const auto seen = parts_->seen_rows.when_calibrating(row_hashes(x, y, rows, context.threads));
  const auto of_given = parts_->task->alarms_of_given(table, options());
  const auto found = parts_->calibrate(table, rows, how, {}, context);
  parts_->past = std::move(past);
  parts_->latest = latest;
  for (const auto& more : {seen, of_given, found}) alarms.insert(alarms.end(), more.begin(), more.end());
  return alarms;
}

std::vector<Alarm> ModelParts::calibrate(const TableView& table, Rows rows, const CalibrationOptions& asked,
                                         const Rows& selection_rows, const ExecutionContext& context) {
  const Traced traced("calibrate");
  if (rows.empty()) throw Error(table.source() + ": there are no rows to calibrate on");
  CalibrationOptions how = asked;
  const bool by_each_label = how.by_label || !how.given().empty() ? how.by_label.value_or(false) : by_label;
  how.by_label.reset();
  if (by_each_label) how.plain = true;  // the labels are the groups
  const auto y = targets(table, rows);
  const auto seen = see(table, std::move(rows), context.threads);
  const Matrix made = seen->outputs();
  std::vector<SignedScore> scores;
  for (Index i = 0; i < std::ssize(seen->rows); ++i)
    scores.push_back(seen->score(i, row_target(y, i, n_targets()), task->uniform_of_calibration(i)));
  // A plain calibration does not need the parameters below: about 24 numbers for each row of a curve. Free them early.
  const bool is_plain = how.kind() ? how.kind() == CalibrationKind::plain : reader.is_plain();
  Matrix scores_alone = seen->scores_alone(y);
  KeptRows new_kept;
  if (is_plain) {
    new_kept = seen->kept(y, {}, CalibrationKind::plain, 0, options);
    seen->free_parameters();
  }

  // Rows used for model selection: those of this table if it trained the model, else the sample that the model keeps.
  const bool here = !selection_rows.empty() && !how.by.empty();
  const TableView remembered = training.table(schema);
  const auto chosen = here ? see(table, TrainingSample::thinned(selection_rows, max_cut_rows), context.threads) : nullptr;
  const Matrix made_of_chosen = here ? chosen->outputs() : training.outputs();
  const Rows all_remembered = all_rows(remembered.rows());
  const GroupedRows cut_rows = here ? grouped(table, *chosen, made_of_chosen)
                                    : GroupedRows{remembered, remembered, all_remembered, made_of_chosen, task->n_predictions()};
  const GroupedRows own_rows = grouped(table, *seen, made);
  const Matrix made_of_others = how.towards ? see(*how.towards, context.threads)->outputs() : Matrix();
  FactReader next = reader;
  auto learnt = next.learn(how, own_rows, {training, schema, cut_rows, static_cast<std::uint64_t>(options.seed), context.threads},
                           made_of_others);
  const double next_sure = how.sure.value_or(sure);
  check_sure_of_kind(next_sure, next.kind(), next.settings().pool_others);
  InputSummary summary(seen->x, seen->rows, made, context.threads);
  InputSummary of_population = population_summary(next, learnt.facts, own_rows, how.towards, made_of_others, context.threads);
  if (how.towards && learnt.separation > no_overlap_separation)
    learnt.alarms.push_back(
        alarm_of_no_overlap({summary, schema, task->output_names()}, inputs_of(*how.towards), made_of_others, learnt.separation));
  std::vector<std::string> new_notes = std::move(learnt.notes);
  for (auto& note : task->notes_on_targets(y, by_each_label)) new_notes.push_back(std::move(note));
  std::vector<SignedScore> of_stream;
  for (const SignedScore& one : scores) of_stream.push_back(task->stream_score(one));
  const bool one_distribution = next.is_plain() && !by_each_label;
  std::optional<LevelStream> new_stream = restarted_stream(stream, options, of_stream, one_distribution, new_notes);
  if (!is_plain) new_kept = seen->kept(y, learnt.facts, next.kind_of_rows(), next.settings().groups, options);
  const Index values = by_each_label ? task->n_target_values() : 0;
  if (by_each_label)
    for (const double value : y) learnt.facts.groups.push_back(std::min(static_cast<Index>(value), values));
  sort_together(scores, learnt.facts, scores_alone);
  CalibratedAlone new_alone(next, next_sure, std::move(scores_alone), learnt.facts);
  CalibratedScores made_distribution(next, values, next_sure, std::move(scores), std::move(learnt.facts));
  auto hashes = row_hashes(seen->x, y, seen->rows, context.threads);
  const std::uint64_t new_secret = secret_of(hashes, static_cast<std::uint64_t>(options.seed));
  SeenRows seen_now = seen_rows;
  seen_now.calibrate(std::move(hashes));
  // Nothing below can fail.
  reader = std::move(next);
  by_label = by_each_label;
  sure = next_sure;
  notes = std::move(new_notes);
  stream = std::move(new_stream);
  take(std::move(made_distribution));
  alone = std::move(new_alone);
  calibration_inputs = std::move(summary);
  population = std::move(of_population);
  seen_rows = std::move(seen_now);
  kept = std::move(new_kept);
  secret = new_secret;
  return learnt.alarms;
}

void ModelParts::remember(const TableView& table, const Rows& trained, int threads) {
  const auto seen = see(table, TrainingSample::thinned(trained, TrainingSample::max_rows), threads);
  training = TrainingSample(seen->x, seen->rows, seen->outputs());
}

CalibratedScores::CalibratedScores(const FactReader& reader, Index target_values, double sure, std::vector<SignedScore> scores,
                                   RowFacts given) {
  std::vector<double> sizes;
  std::vector<Side> sides;
  for (const SignedScore& t : scores) {
    sizes.push_back(t.score);
    sides.push_back(t.side);
  }
  const bool by_value = target_values > 0;
  const CalibrationKind kind = by_value ? CalibrationKind::by_group : reader.kind_of_rows();
  CalibrationSettings settings = reader.settings();
  if (by_value) settings = {.groups = target_values + 1};
  const Index groups = kind == CalibrationKind::by_group && !fault("sure-of-each-group-alone") ? settings.groups : 1;
  settings.sure = sure_of_each(sure, by_value ? target_values : groups);
  distribution = ScoreDistribution(std::move(sizes), std::move(sides)).with_sure(settings.sure);
  if (kind == CalibrationKind::plain) return;
  CalibrationRows rows(std::move(scores), std::move(given));
  facts = rows.facts();
  calibration = calibrations().make(to_string(kind));
  calibration->calibrate(std::move(rows), settings);
  if (calibration->is_shared()) shared = calibration->distribution({}, 0);
}

const ScoreDistribution* CalibratedScores::of_every_row() const {
  if (calibration == nullptr) return &distribution;
  return calibration->is_shared() ? &shared : nullptr;
}

CalibratedAlone::CalibratedAlone(const FactReader& reader, double sure, Matrix of_rows, const RowFacts& facts)
    : scores(std::move(of_rows)) {
  for (Index target = 0; target < scores.cols(); ++target) {
    std::vector<SignedScore> own;
    for (const double size : scores.col(target)) own.push_back({Side::above, size});
    of_target.emplace_back(reader, 0, sure, std::move(own), facts);
  }
}

void ModelParts::set_distribution(std::vector<SignedScore> scores, RowFacts given) {
  take(CalibratedScores(reader, by_label ? task->n_target_values() : 0, sure, std::move(scores), std::move(given)));
  alone = {};
}

void ModelParts::take(CalibratedScores made) {
  distribution = std::move(made.distribution);
  calibration_facts = std::move(made.facts);
  calibration = std::move(made.calibration);
  shared_distribution = std::move(made.shared);
}

RowDistributions ModelParts::distributions_of(const TableView& table, const ScoredRows& seen, int threads,
                                              UnseenGroups* unseen) const {
  if (!calibration || by_label) return RowDistributions(distribution);
  if (calibration->is_shared()) return RowDistributions(shared_distribution);
  const Matrix made = seen.outputs();
  RowFacts of_rows = reader.facts(grouped(table, seen, made), threads, unseen);
  if (reader.uses_keys()) of_rows.keys = keys_of(seen, threads);
  return {*calibration, std::move(of_rows)};
}

ScoreDistribution ModelParts::distribution_of_target_value(Index value) const {
  return calibration && !fault("label-scores-of-all") ? calibration->distribution({.groups = {value}}, 0) : distribution;
}

std::vector<std::uint64_t> ModelParts::keys_of(const ScoredRows& seen, int threads) const {
  if (!secret) return {};
  std::vector<std::uint64_t> keys = input_hashes(seen.x, seen.given(), seen.rows, threads);
  for (std::uint64_t& key : keys) key = mixed(key ^ *secret);
  return keys;
}

std::vector<GroupSize> Model::calibration_groups() const {
  std::vector<GroupSize> result;
  for (const auto& name : parts_->by_label ? parts_->task->target_values() : parts_->reader.groups().names())
    result.push_back({name, 0});
  for (const Index group : parts_->calibration_facts.groups)
    if (group < std::ssize(result)) ++result[static_cast<std::size_t>(group)].rows;
  return result;
}

const std::string& ModelParts::calibration_kind() const {
  return to_string(!held_out.empty() ? CalibrationKind::held_out : by_label ? CalibrationKind::by_label : reader.kind_of_rows());
}
const std::string& Model::calibration_kind() const { return parts_->calibration_kind(); }
const std::vector<std::string>& Model::calibration_notes() const { return parts_->notes; }
std::string Model::describe_groups() const { return parts_->by_label ? "label" : parts_->reader.describe_groups(); }

}  // namespace taut
