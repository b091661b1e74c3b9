// Scores of rows that chose nothing become the law of new rows.
#include <taut/calibrate/rank.hpp>
#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/population.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_cut_rows = 4000;  // quantiles of more would be the same

std::vector<double> codes_of(const std::vector<Index>& labels) { return {labels.begin(), labels.end()}; }

}  // namespace

std::vector<Alarm> ClassModel::calibrate(const TableView& given, const ExecutionContext& context, const CalibrationOptions& how,
                                         std::optional<bool> by_label) {
  how.check();
  how.check_target(options().target);
  if (by_label.value_or(false) && !how.given().empty())
    throw UsageError("--by-label and " + how.given() + " exclude each other; give one");
  const TableView table = given.with_missing(options().na);
  // The model changes in the last steps, which do not fail: an Error leaves it as it was.
  const TableView x = parts_->inputs_of(table);
  Rows rows = usable_rows(table, options());
  double latest = parts_->latest;
  if (!parts_->time.name.empty()) latest = std::max(latest, sort_by_time(table, parts_->time, rows, context));
  const auto labels = labels_of(table, parts_->target, rows);
  std::vector<Alarm> alarms = parts_->alarms_of_inputs(x);
  const auto seen = parts_->seen_rows.when_calibrating(row_hashes(x, codes_of(labels), rows, context.threads));
  const bool by_each_label = by_label || !how.given().empty() ? by_label.value_or(false) : parts_->by_label;
  CalibrationOptions asked = how;
  if (by_each_label) asked.plain = true;  // the labels are the groups
  const auto found = parts_->calibrate(table, rows, asked, by_each_label, {}, context);
  parts_->latest = latest;
  for (const auto& more : {seen, found}) alarms.insert(alarms.end(), more.begin(), more.end());
  return alarms;
}

std::vector<Alarm> ClassParts::calibrate(const TableView& table, Rows rows, const CalibrationOptions& how, bool by_each_label,
                                         const Rows& choosing, const ExecutionContext& context) {
  if (rows.empty()) throw Error(table.source() + ": there are no rows to calibrate on");
  const auto labels = labels_of(table, target, rows);
  const SeenSets seen = see(table, std::move(rows), context.threads);
  const Matrix made = outputs(seen);
  std::vector<double> own(labels.size()), all(static_cast<std::size_t>(classes()));
  Index unknown = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = static_cast<Index>(i);
    scores({seen.p.row(row).data(), all.size()}, seen.g[i], draw(Draws::calibration, i), all);
    // A label that no training row had is in no set: its score is beyond all others, and coverage counts it.
    const bool known = labels[i] < classes();
    own[i] = known ? all[static_cast<std::size_t>(labels[i])] : infinity;
    if (!known) ++unknown;
  }

  const bool here = !choosing.empty() && !how.by.empty();
  const TableView remembered = training.table(schema);
  SeenSets chosen{remembered, all_rows(remembered.rows()), {}, {}};
  if (here) chosen = see(table, TrainingSample::thinned(choosing, most_cut_rows), context.threads);
  const Matrix made_of_chosen = here ? outputs(chosen) : training.outputs();
  const TableView& of_chosen = here ? table : remembered;
  const GroupedRows cut_rows = grouped(of_chosen, chosen, made_of_chosen);
  const Matrix made_of_others = how.towards ? outputs(see(*how.towards, all_rows(*how.towards), context.threads)) : Matrix();
  FactReader next = reader;
  const GroupedRows own_rows = grouped(table, seen, made);
  auto learnt = next.learn(how, own_rows, {training, schema, cut_rows, static_cast<std::uint64_t>(options.seed), context.threads},
                           made_of_others);
  const double next_sure = how.sure.value_or(sure);
  check_sure_of_kind(next_sure, next.kind(), next.settings().pool_others);
  InputSummary summary(seen.x, seen.rows, made, context.threads);
  InputSummary of_population = population_summary(next, learnt.facts, own_rows, how.towards, made_of_others, context.threads);
  if (how.towards && learnt.separation > nothing_in_common)
    learnt.alarms.push_back(alarm_of_no_overlap(summary, schema, inputs_of(*how.towards), made_of_others, learnt.separation));
  std::vector<std::string> new_notes = learnt.notes;
  if (by_each_label) {
    if (next.kind() != "plain") throw UsageError("--by-label takes no other kind of calibration besides");
    learnt.facts.groups = labels;
    for (Index& group : learnt.facts.groups)
      if (group >= classes()) group = classes();  // one more, for labels that no training row had
    std::vector<Index> counts(static_cast<std::size_t>(classes()) + 1);
    for (const Index group : learnt.facts.groups) ++counts[static_cast<std::size_t>(group)];
    for (Index k = 0; k < classes(); ++k)
      if (counts[static_cast<std::size_t>(k)] == 0)
        new_notes.push_back("no calibration row has the label " + quoted_cell(target.categories[static_cast<std::size_t>(k)]) +
                            ": it is in every set");
  }
  if (unknown > 0)
    new_notes.push_back(print_count(unknown) + " of " + counted(std::ssize(labels), "calibration row") +
                        (unknown == 1 ? " has a label" : " have labels") +
                        " that no training row had: no set can hold it, and every set pays for it");
  std::optional<LevelStream> new_stream =
      restarted_stream(stream, options, bounded_scores(own), next.kind() == "plain" && !by_each_label, new_notes);
  LawParts made_law = law_of(next, by_each_label, next_sure, std::move(own), std::move(learnt.facts));
  auto hashes = row_hashes(seen.x, codes_of(labels), seen.rows, context.threads);
  const std::uint64_t new_secret = secret_of(hashes, static_cast<std::uint64_t>(options.seed));
  SeenRows seen_now = seen_rows;
  seen_now.calibrate(std::move(hashes));
  // Nothing below fails.
  reader = std::move(next);
  by_label = by_each_label;
  sure = next_sure;
  notes = std::move(new_notes);
  stream = std::move(new_stream);
  take(std::move(made_law));
  calibration_inputs = std::move(summary);
  population = std::move(of_population);
  seen_rows = std::move(seen_now);
  secret = new_secret;
  return learnt.alarms;
}

LawParts ClassParts::law_of(const FactReader& by, bool by_each_label, double of_all, std::vector<double> own,
                            RowFacts facts) const {
  const Index laws = by_each_label ? classes() : by.kind() == "by-group" ? by.settings().groups : 1;
  const double of_each = sure_of_each(of_all, laws);
  LawParts made;
  made.law = Law(own, std::vector<Side>(own.size(), Side::above)).with_sure(of_each);
  if (by.kind() == "plain" && !by_each_label) return made;
  std::vector<SignedScore> one_sided;
  for (const double t : own) one_sided.push_back({Side::above, t});
  CalibrationSettings settings = by.settings();
  if (by_each_label) settings = {.groups = classes() + 1};
  settings.sure = of_each;
  made.calibrate(by_each_label ? "by-group" : by.kind(), std::move(one_sided), std::move(facts), settings);
  return made;
}

void ClassParts::set_law(std::vector<double> own, RowFacts facts) {
  take(law_of(reader, by_label, sure, std::move(own), std::move(facts)));
}

void ClassParts::take(LawParts made) {
  law = std::move(made.law);
  calibration_facts = std::move(made.facts);
  calibration = std::move(made.calibration);
  shared_law = std::move(made.shared);
}

std::vector<Alarm> ClassParts::alarms_of_inputs(const TableView& x) const {
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  EmptyColumns empty;
  empty.add(x);
  for (Alarm& alarm : alarms_of_empty(empty, x.mismatches())) alarms.push_back(std::move(alarm));
  return alarms;
}

std::vector<Alarm> ClassParts::alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const {
  std::vector<AbsentCells> known;
  for (const Column& column : schema) known.push_back(absent_cells(column, schema, calibration_inputs, training));
  return taut::alarms_of_empty(empty, schema, known, mismatches);
}

void ClassModel::add_rows(EmptyColumns& empty, const TableView& table) const { empty.add(parts_->inputs_of(table)); }
std::vector<Alarm> ClassModel::alarms_of_empty(const EmptyColumns& empty, const Mismatches& mismatches) const {
  return parts_->alarms_of_empty(empty, mismatches);
}

void ClassParts::remember(const TableView& table, const Rows& trained, int threads) {
  const SeenSets seen = see(table, TrainingSample::thinned(trained, TrainingSample::most_rows), threads);
  training = TrainingSample(seen.x, seen.rows, outputs(seen));
}

LawsOfRows ClassParts::laws_of(const TableView& table, const SeenSets& seen, int threads, UnseenGroups* unseen) const {
  if (!calibration || by_label) return LawsOfRows(law);
  if (calibration->is_shared()) return LawsOfRows(shared_law);
  const Matrix made = outputs(seen);
  RowFacts facts = reader.facts(grouped(table, seen, made), threads, unseen);
  if (reader.kind() == "local") facts.keys = keys_of(seen, threads);
  return {*calibration, std::move(facts)};
}

Law ClassParts::law_of_label(Index label) const { return calibration ? calibration->law({.groups = {label}}, 0) : law; }

const std::string& ClassModel::calibration_kind() const {
  static const std::string labels = "by-label";
  return parts_->by_label ? labels : parts_->reader.kind();
}
const std::vector<std::string>& ClassModel::calibration_notes() const { return parts_->notes; }
std::string ClassModel::groups_in_words() const { return parts_->by_label ? "label" : parts_->reader.groups_in_words(); }

std::vector<GroupSize> ClassModel::calibration_groups() const {
  std::vector<GroupSize> result;
  for (const auto& name : parts_->by_label ? labels() : parts_->reader.groups().names()) result.push_back({name, 0});
  for (const Index group : parts_->calibration_facts.groups)
    if (group < std::ssize(result)) ++result[static_cast<std::size_t>(group)].rows;
  return result;
}

}  // namespace taut
