// Scores of rows that chose nothing become the law of new rows.
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/time_column.hpp>

namespace taut {

namespace {

constexpr Index most_cut_rows = 4000;  // quantiles of more would be the same
constexpr double nothing_in_common = 0.99;

// Two populations that trees tell apart nearly always: weights cannot make one of the other. The columns are those that differ
// most clearly.
Alarm no_overlap(const InputSummary& calibration, const std::vector<Column>& schema, const TableView& x, const Matrix& made,
                 double separation) {
  DriftCheck check(calibration, schema);
  check.add(x, made);
  constexpr std::size_t most = 5;
  std::vector<std::string> columns, words;
  for (const DriftFinding& found : check.findings()) {
    columns.push_back(found.column);
    if (words.size() < most) words.push_back((found.is_input ? "'" + found.column + "'" : found.column) + ": " + found.words);
  }
  return {AlarmKind::no_overlap,
          "the rows of " + x.source() +
              " are told apart from the calibration rows nearly always: such rows hardly occur among them, and no weights can "
              "stand for them" +
              (words.empty() ? "" : "; clearest are " + join(words, "; ")) +
              ". Where the level cannot be served intervals are the whole line; collect calibration rows like these",
          "",
          columns,
          {{"separation", separation}}};
}

}  // namespace

std::vector<Alarm> Model::calibrate(const TableView& given, const ExecutionContext& context, const CalibrationOptions& how) {
  how.check();
  how.check_target(options().target);
  parts_->require_law("calibrating anew needs");
  TableView table = given.with_missing(options().na);
  if (!parts_->past.empty()) {
    // Rows of their own: what comes before the first is not known.
    PastInputs& past = parts_->past;
    const Rows order = order_of_time(table, parts_->time);
    const Matrix cells = past.cells(table);
    past.forget();
    table = past.extended(table, order);
    past.remember(cells, order);
  }
  const TableView x = parts_->inputs_of(table);
  Rows rows = usable_rows(table, options());
  if (!parts_->time.name.empty()) parts_->latest = std::max(parts_->latest, sort_by_time(table, parts_->time, rows, context));
  const auto y = targets_of(table, parts_->target, rows, parts_->range);
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  const auto seen = parts_->seen_rows.when_calibrating(row_hashes(x, y, rows, context.threads));
  const auto found = parts_->calibrate(table, rows, how, {}, context);
  for (const auto& more : {seen, alarms_of_crossed(count_crossed(table, options()), table.rows(), options()), found})
    alarms.insert(alarms.end(), more.begin(), more.end());
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
  seen.g = Matrix();  // two dozen numbers for each row of a curve, which nothing below looks at

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
  const InputSummary summary(seen.x, seen.rows, made, context.threads);
  if (how.towards && learnt.separation > nothing_in_common)
    learnt.alarms.push_back(no_overlap(summary, schema, inputs_of(*how.towards), made_of_others, learnt.separation));
  reader = std::move(next);
  notes = learnt.notes;
  restart_stream(scores);
  set_law(std::move(scores), std::move(learnt.facts));
  calibration_inputs = summary;
  seen_rows.calibrate(row_hashes(seen.x, y, seen.rows, context.threads));
  return learnt.alarms;
}

// A stream that has begun keeps its settings. Its levels begin anew, as its scores do.
void ModelParts::restart_stream(const std::vector<SignedScore>& scores) {
  std::optional<StreamSettings> before;
  if (stream && stream->rows() > 0) before = stream->settings();
  const bool goes_on = reader.kind() == "plain" && (before || options.is_in_order());
  if (before) notes.push_back(note_on_stream(*before, goes_on));
  const StreamSettings settings = stream ? stream->settings() : StreamSettings{.delay = options.delay};
  stream.reset();
  if (!goes_on) return;
  if (options.is_in_order()) {
    stream.emplace(settings, scores);
    return;
  }
  // The order of the rows says nothing, and a window must not forget the first ones for it.
  std::vector<SignedScore> random;
  for (const Index row : shuffled(std::ssize(scores), static_cast<std::uint64_t>(options.seed)))
    random.push_back(scores[static_cast<std::size_t>(row)]);
  stream.emplace(settings, random);
}

void ModelParts::remember(const TableView& table, const Rows& trained, int threads) {
  const SeenByModel seen = see(table, TrainingSample::thinned(trained, TrainingSample::most_rows), threads);
  training = TrainingSample(seen.x, seen.rows, outputs(seen));
}

void ModelParts::set_law(std::vector<SignedScore> scores, RowFacts facts) {
  std::vector<double> sizes;
  std::vector<Side> sides;
  for (const SignedScore& t : scores) {
    sizes.push_back(t.score);
    sides.push_back(t.side);
  }
  law = Law(std::move(sizes), std::move(sides));
  calibration.reset();
  calibration_facts = {};
  if (reader.kind() == "plain") return;
  CalibrationRows rows(std::move(scores), std::move(facts));
  calibration_facts = rows.facts();
  calibration = calibrations().make(reader.kind());
  calibration->calibrate(std::move(rows), reader.settings());
  if (calibration->is_shared()) shared_law = calibration->law({}, 0);
}

LawsOfRows ModelParts::laws_of(const TableView& table, const SeenByModel& seen, int threads, UnseenGroups* unseen) const {
  if (!calibration) return LawsOfRows(law);
  if (calibration->is_shared()) return LawsOfRows(shared_law);
  const Matrix made = outputs(seen);
  return {*calibration, reader.facts(grouped(table, seen, made), threads, unseen)};
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
