// Checks of rows: cells that do not match their columns, unseen groups, shift of inputs, rows that the model has seen.
#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/population.hpp>
#include <taut/plan/columns.hpp>

namespace taut {

std::vector<Alarm> ModelParts::alarms_of_inputs(const TableView& x) const {
  UsableColumns usable;
  usable.add(x);
  return alarms_of_columns(usable, x.mismatches());
}

// A model of CV+ has a summary for each part.
std::vector<Alarm> ModelParts::alarms_of_columns(const UsableColumns& usable, const Mismatches& mismatches) const {
  std::vector<AbsentCells> known;
  for (const Column& column : schema) {
    AbsentCells cells = absent_cells(column, schema, calibration_inputs, training);
    for (const auto& part : held_out) cells += absent_cells(column, part->schema, part->calibration_inputs, part->training);
    known.push_back(cells);
  }
  return taut::alarms_of_columns(usable, schema, known, mismatches);
}

void Model::add_rows(UsableColumns& usable, const TableView& table) const { usable.add(parts_->inputs_of(table)); }
std::vector<Alarm> Model::alarms_of_columns(const UsableColumns& usable, const Mismatches& mismatches) const {
  return parts_->alarms_of_columns(usable, mismatches);
}

// Of models of CV+ all parts together.
OutsideRows ModelParts::begin_outside_check() const {
  std::vector<KnownNumbers> known(schema.size());
  const auto add = [&](const std::vector<Column>& columns, const InputSummary& summary) {
    if (summary.rows() == 0 || options.is_in_order()) return;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const auto at = find_column(columns, schema[i].name);
      if (!at || schema[i].is_categorical()) continue;
      const auto& of_column = summary.columns()[static_cast<std::size_t>(*at)];  // from the smallest to the largest cell
      if (!of_column.values.empty()) known[i].add({of_column.ranks.back(), of_column.values.front(), of_column.values.back()});
    }
  };
  add(schema, calibration_inputs);
  for (const auto& part : held_out) add(part->schema, part->calibration_inputs);
  return {schema, std::move(known)};
}

OutsideRows Model::begin_outside_check() const { return parts_->begin_outside_check(); }
void Model::add_rows(OutsideRows& outside, const TableView& table) const { outside.add(parts_->inputs_of(table)); }

std::vector<Alarm> ModelParts::alarms_of_new_inputs(const TableView& x) const {
  std::vector<Alarm> alarms = alarms_of_inputs(x);
  OutsideRows outside = begin_outside_check();
  outside.add(x);
  for (Alarm& alarm : outside.alarms()) alarms.push_back(std::move(alarm));
  return alarms;
}

std::vector<Alarm> Model::alarms_of_inputs(const TableView& x) const { return parts_->alarms_of_new_inputs(x); }

std::vector<Alarm> Model::alarms_of_groups(const UnseenGroups& found, const Mismatches& mismatches) const {
  if (found.rows == 0) return {};
  UnseenGroups unseen = found;
  const auto further = parts_->reader.columns_to_predict();
  const bool is_unnamed = unseen.names == std::vector<std::string>{std::string(GroupColumns::other)};
  for (const ColumnMismatches& column : mismatches)
    if (is_unnamed && column.is_categorical && find_column(further, column.column) && !column.texts.empty())
      unseen.names = column.texts;
  constexpr std::size_t maximum = 5;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(maximum, unseen.names.size()); ++i) quoted.push_back("'" + unseen.names[i] + "'");
  const bool pools = parts_->reader.settings().pool_others;
  const std::string consequence =
      pools ? "they get what holds on average over all groups (--other-groups pool)"
            : format_text("their {}: calibrate with rows of these groups{}", parts_->task->describe_unbounded(),
                          parts_->reader.is_by_group() ? ", or with --other-groups pool" : "");
  return {{AlarmKind::unseen_groups,
           format_text("{} {} of groups ({}) without calibration rows: {}{}; {}", counted(unseen.rows, "row"),
                       unseen.rows == 1 ? "is" : "are", describe_groups(), join(quoted, ", "),
                       unseen.names.size() > maximum ? ", ..." : "", consequence),
           "",
           unseen.names,
           {{"rows", static_cast<double>(unseen.rows)}}}};
}

DriftCheck Model::begin_drift_check() const {
  parts_->require_distribution("a check for shift needs");
  if (parts_->calibration_inputs.rows() > 0)
    return drift_check(parts_->reader, parts_->calibration_inputs, parts_->population, parts_->schema,
                       parts_->task->output_names());
  throw Error(
      distribution().rows() == 0
          ? "the model has no calibration rows to compare with; calibrate it"
          : "the model was written before inputs could be compared; calibrate it anew, for example with 'taut calibrate'");
}

void Model::add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context) const {
  const auto seen = parts_->see(table, context.threads);
  const Matrix made = seen->outputs();
  add_to_check(check, parts_->reader, parts_->grouped(table, *seen, made), context.threads);
}

GroupedTable Model::group_rows(const TableView& given, const std::vector<std::string>& by,
                               const ExecutionContext& context) const {
  const TableView table = given.with_missing(options().na);
  return parts_->group_rows(table,
                            *parts_->see(table, usable_rows(table, options(), targets(), HasTargets::all), context.threads), by);
}

GroupedTable ModelParts::group_rows(const TableView& table, const ScoredRows& seen, const std::vector<std::string>& by) const {
  const Matrix made = seen.outputs();
  const GroupedRows rows = grouped(table, seen, made);
  GroupColumns columns(by, "--by", rows, schema, rows);
  columns.find_groups(rows, GroupColumns::Unknown::one_group);
  return {columns.names(), columns.groups_of(rows)};
}

std::vector<Alarm> alarms_of_rows(const ModelParts& parts, const TableView& table, const Rows& rows, int threads) {
  const TableView x = parts.inputs_of(table);
  const auto y = parts.targets(table, rows);
  std::vector<Alarm> alarms = parts.alarms_of_new_inputs(x);
  const auto seen = parts.seen_rows.when_evaluating(row_hashes(x, y, rows, threads));
  for (const auto& more :
       {seen, parts.task->alarms_of_given(table, parts.options), parts.task->alarms_of_targets(y, parts.options)})
    alarms.insert(alarms.end(), more.begin(), more.end());
  return alarms;
}

std::vector<Alarm> Model::alarms_of_rows(const TableView& given, const ExecutionContext& context) const {
  const TableView table = given.with_missing(options().na);
  return taut::alarms_of_rows(*parts_, table, usable_rows(table, options(), targets(), HasTargets::all), context.threads);
}

}  // namespace taut
