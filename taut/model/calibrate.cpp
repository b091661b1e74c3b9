// Scores of rows that chose nothing become the law of new rows.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/population.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/time_column.hpp>

namespace taut {

namespace {

constexpr Index most_cut_rows = 4000;  // quantiles of more would be the same

}  // namespace

std::vector<Alarm> Model::calibrate(const TableView& given, const ExecutionContext& context, const CalibrationOptions& how) {
  how.check();
  how.check_target(options().target);
  parts_->require_law("calibrating anew needs");
  TableView table = given.with_missing(options().na);
  // The model changes in the last steps, which do not fail: an Error leaves it as it was.
  PastInputs past = parts_->past;
  if (!past.empty()) {
    // Rows of their own: what comes before the first is not known.
    const Rows order = order_of_time(table, parts_->time);
    refuse_repeated_times(table, parts_->time, order);
    const Matrix cells = past.cells(table);
    past.forget();
    table = past.extended(table, order);
    past.remember(cells, order);
  }
  const TableView x = parts_->inputs_of(table);
  Rows rows = usable_rows(table, options());
  double latest = parts_->latest;
  if (!parts_->time.name.empty()) latest = std::max(latest, sort_by_time(table, parts_->time, rows, context));
  const auto y = targets_of(table, parts_->target, rows, parts_->range);
  std::vector<Alarm> alarms = parts_->alarms_of_inputs(x);
  const auto seen = parts_->seen_rows.when_calibrating(row_hashes(x, y, rows, context.threads));
  const auto crossed = alarms_of_crossed(count_crossed(table, options()), table.rows(), options());
  const auto found = parts_->calibrate(table, rows, how, {}, context);
  parts_->past = std::move(past);
  parts_->latest = latest;
  for (const auto& more : {seen, crossed, found}) alarms.insert(alarms.end(), more.begin(), more.end());
  return alarms;
}

std::vector<Alarm> ModelParts::calibrate(const TableView& table, Rows rows, const CalibrationOptions& how, const Rows& choosing,
                                         const ExecutionContext& context) {
  const Traced traced("calibrate");
  if (rows.empty()) throw Error(table.source() + ": there are no rows to calibrate on");
  const auto y = targets_of(table, target, rows, range);
  SeenByModel seen = see(table, std::move(rows), context.threads);
  const Matrix made = outputs(seen);
  std::vector<SignedScore> scores;
  for (std::size_t i = 0; i < y.size(); ++i)
    scores.push_back(score.at(seen.predicted[i], seen.g.row(static_cast<Index>(i)).data()).signed_at(y[i]));
  // Where rows count alike, g can go: two dozen numbers for each row of a curve, which nothing below looks at.
  const std::string given = how.given();
  const bool is_plain = given == "--plain" || (given.empty() && reader.kind() == "plain");
  KeptRows chosen_rows;
  if (is_plain) {
    chosen_rows = choose_kept(seen, y, {}, "plain", 0);
    seen.g = Matrix();
  }

  // Rows that may choose: of this table where it trained the model, else those that the model remembers.
  const bool here = !choosing.empty() && !how.by.empty();
  const TableView remembered = training.table(schema);
  SeenByModel chosen{remembered, all_rows(remembered.rows()), {}, {}};
  if (here) chosen = see(table, TrainingSample::thinned(choosing, most_cut_rows), context.threads);
  const Matrix made_of_chosen = here ? outputs(chosen) : training.outputs();
  const TableView& of_chosen = here ? table : remembered;
  const GroupedRows cut_rows = grouped(of_chosen, chosen, made_of_chosen);
  const GroupedRows own_rows = grouped(table, seen, made);
  const Matrix made_of_others = how.towards ? outputs(see(*how.towards, context.threads)) : Matrix();
  FactReader next = reader;
  auto learnt = next.learn(how, own_rows, {training, schema, cut_rows, static_cast<std::uint64_t>(options.seed), context.threads},
                           made_of_others);
  const double next_sure = how.sure.value_or(sure);
  check_sure_of_kind(next_sure, next.kind(), next.settings().pool_others);
  InputSummary summary(seen.x, seen.rows, made, context.threads);
  InputSummary of_population = population_summary(next, learnt.facts, own_rows, how.towards, made_of_others, context.threads);
  if (how.towards && learnt.separation > nothing_in_common)
    learnt.alarms.push_back(alarm_of_no_overlap(summary, schema, inputs_of(*how.towards), made_of_others, learnt.separation));
  std::vector<std::string> new_notes = std::move(learnt.notes);
  std::optional<LevelStream> new_stream = restarted_stream(stream, options, scores, next.kind() == "plain", new_notes);
  KeptRows new_kept = is_plain ? std::move(chosen_rows) : choose_kept(seen, y, learnt.facts, next.kind(), next.settings().groups);
  LawParts made_law(next, next_sure, std::move(scores), std::move(learnt.facts));
  auto hashes = row_hashes(seen.x, y, seen.rows, context.threads);
  const std::uint64_t new_secret = secret_of(hashes, static_cast<std::uint64_t>(options.seed));
  SeenRows seen_now = seen_rows;
  seen_now.calibrate(std::move(hashes));
  // Nothing below fails.
  reader = std::move(next);
  sure = next_sure;
  notes = std::move(new_notes);
  stream = std::move(new_stream);
  take(std::move(made_law));
  calibration_inputs = std::move(summary);
  population = std::move(of_population);
  seen_rows = std::move(seen_now);
  kept = std::move(new_kept);
  secret = new_secret;
  return learnt.alarms;
}

void ModelParts::remember(const TableView& table, const Rows& trained, int threads) {
  const SeenByModel seen = see(table, TrainingSample::thinned(trained, TrainingSample::most_rows), threads);
  training = TrainingSample(seen.x, seen.rows, outputs(seen));
}

LawParts::LawParts(const FactReader& reader, double sure, std::vector<SignedScore> scores, RowFacts given) {
  std::vector<double> sizes;
  std::vector<Side> sides;
  for (const SignedScore& t : scores) {
    sizes.push_back(t.score);
    sides.push_back(t.side);
  }
  const bool by_group = reader.kind() == "by-group";
  const double of_each = sure_of_each(sure, by_group ? reader.settings().groups : 1);
  law = Law(std::move(sizes), std::move(sides)).with_sure(of_each);
  if (reader.kind() == "plain") return;
  CalibrationSettings settings = reader.settings();
  settings.sure = of_each;
  calibrate(reader.kind(), std::move(scores), std::move(given), settings);
}

void LawParts::calibrate(const std::string& kind, std::vector<SignedScore> scores, RowFacts given,
                         const CalibrationSettings& settings) {
  CalibrationRows rows(std::move(scores), std::move(given));
  facts = rows.facts();
  calibration = calibrations().make(kind);
  calibration->calibrate(std::move(rows), settings);
  if (calibration->is_shared()) shared = calibration->law({}, 0);
}

void ModelParts::set_law(std::vector<SignedScore> scores, RowFacts facts) {
  take(LawParts(reader, sure, std::move(scores), std::move(facts)));
}

void ModelParts::take(LawParts made) {
  law = std::move(made.law);
  calibration_facts = std::move(made.facts);
  calibration = std::move(made.calibration);
  shared_law = std::move(made.shared);
}

std::vector<Alarm> ModelParts::alarms_of_inputs(const TableView& x) const {
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  EmptyColumns empty;
  empty.add(x);
  for (Alarm& alarm : alarms_of_empty(empty, x.mismatches())) alarms.push_back(std::move(alarm));
  return alarms;
}

// Models of CV+ keep a summary for each part.
std::vector<Alarm> ModelParts::alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const {
  std::vector<AbsentCells> known;
  for (const Column& column : schema) {
    AbsentCells cells = absent_cells(column, schema, calibration_inputs, training);
    for (const auto& part : held_out) cells += absent_cells(column, part->schema, part->calibration_inputs, part->training);
    known.push_back(cells);
  }
  return taut::alarms_of_empty(empty, schema, known, mismatches);
}

void Model::add_rows(EmptyColumns& empty, const TableView& table) const { empty.add(parts_->inputs_of(table)); }
std::vector<Alarm> Model::alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const {
  return parts_->alarms_of_empty(empty, mismatches);
}

LawsOfRows ModelParts::laws_of(const TableView& table, const SeenByModel& seen, int threads, UnseenGroups* unseen) const {
  if (!calibration) return LawsOfRows(law);
  if (calibration->is_shared()) return LawsOfRows(shared_law);
  const Matrix made = outputs(seen);
  RowFacts facts = reader.facts(grouped(table, seen, made), threads, unseen);
  if (reader.kind() == "local") facts.keys = keys_of(seen, threads);
  return {*calibration, std::move(facts)};
}

std::vector<std::uint64_t> ModelParts::keys_of(const SeenByModel& seen, int threads) const {
  if (!secret) return {};
  const auto rows = std::ssize(seen.rows);
  Matrix given(rows, options.has_given_predictions() ? 2 : 0);
  for (Index row = 0; row < given.rows() && given.cols() > 0; ++row) {
    const RowPrediction predicted = seen.predicted[static_cast<std::size_t>(row)];
    given(row, 0) = predicted.lower;
    given(row, 1) = predicted.upper;
  }
  std::vector<std::uint64_t> keys = input_hashes(seen.x, given, seen.rows, threads);
  for (std::uint64_t& key : keys) key = mixed(key ^ *secret);
  return keys;
}

std::vector<GroupSize> Model::calibration_groups() const {
  std::vector<GroupSize> result;
  for (const auto& name : parts_->reader.groups().names()) result.push_back({name, 0});
  for (const Index group : parts_->calibration_facts.groups) ++result[static_cast<std::size_t>(group)].rows;
  return result;
}

const std::string& Model::calibration_kind() const {
  static const std::string held_out = "cv+";
  return parts_->held_out.empty() ? parts_->reader.kind() : held_out;
}
const std::vector<std::string>& Model::calibration_notes() const { return parts_->notes; }
std::string Model::groups_in_words() const { return parts_->reader.groups_in_words(); }

std::vector<Alarm> Model::alarms_of_groups(const UnseenGroups& found, const Mismatches& mismatches) const {
  if (found.rows == 0) return {};
  UnseenGroups unseen = found;
  const auto further = parts_->reader.columns_to_predict();
  const bool is_unnamed = unseen.names == std::vector<std::string>{std::string(GroupColumns::other)};
  for (const ColumnMismatches& column : mismatches)
    if (is_unnamed && column.is_categorical && find_column(further, column.column) && !column.texts.empty())
      unseen.names = column.texts;
  constexpr std::size_t most = 5;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(most, unseen.names.size()); ++i) quoted.push_back("'" + unseen.names[i] + "'");
  const bool pools = parts_->reader.settings().pool_others;
  return {{AlarmKind::unseen_groups,
           counted(unseen.rows, "row") + (unseen.rows == 1 ? " is" : " are") + " of groups (" + groups_in_words() +
               ") without calibration rows: " + join(quoted, ", ") + (unseen.names.size() > most ? ", ..." : "") +
               (pools ? "; they get what holds on average over all groups (--other-groups pool)"
                      : "; their intervals are the whole line: calibrate with rows of these groups" +
                            std::string(parts_->reader.kind() == "by-group" ? ", or with --other-groups pool" : "")),
           "",
           unseen.names,
           {{"rows", static_cast<double>(unseen.rows)}}}};
}

}  // namespace taut
