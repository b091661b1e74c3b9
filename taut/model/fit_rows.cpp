#include <taut/model/fit_rows.hpp>

#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/calibrate/groups/scale_groups.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/kinds/column_names.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/fit/imported.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/model/held_out.hpp>
#include <taut/plan/columns.hpp>
#include <taut/train/objective_names.hpp>

#include <algorithm>

namespace taut {

namespace {

void refuse_constant(std::span<const double> y, const TableView& table, const std::string& target) {
  if (y.empty() || std::any_of(y.begin(), y.end(), [&](double value) { return value != y.front(); })) return;
  throw Error(format_text("{}: the target '{}' is {} in every row that trains: there is nothing to predict", table.source(),
                          target, print_number(y.front())));
}

void refuse_other_kinds(const TableView& table, const Column& target, RowsView rows) {
  const Index position = table.require(target.name);
  const Column& found = table.columns()[static_cast<std::size_t>(position)];
  const std::string start = format_text("{}: the target '{}' ", table.source(), target.name);
  if (found.kind == ColumnKind::date)
    throw Error(start + "is a date; turn it into a number, such as days from a first day, or name another column");
  if (found.kind == ColumnKind::boolean)
    throw Error(
        start +
        "is true or false and no number: name another column, turn it into 0 and 1, or give --task classification for sets of "
        "labels");
  if (!found.is_categorical()) return;
  const ColumnTexts texts = column_texts(table, position, rows);
  if (texts.cells == 0 || readable_cells(texts.texts, target) > 0) return;
  throw Error(
      format_text("{}holds texts, such as {} ({}), and no number: name another column, turn the texts into numbers, or "
                  "give --task classification for prediction sets",
                  start, quoted_cell(texts.texts.front().text), table.describe_row(texts.first_rows.front())));
}

// All unclear columns at once, so that one more run is enough.
void refuse_unclear(const std::vector<InferredColumn>& judged, const TableView& table) {
  std::vector<const InferredColumn*> unclear;
  for (const InferredColumn& one : judged)
    if (one.use == InferredColumn::Use::unclear) unclear.push_back(&one);
  if (unclear.empty()) return;
  if (unclear.size() == 1)
    throw Error(format_text("{}, column '{}': {}", table.source(), unclear.front()->column.name, unclear.front()->words));
  std::string words = format_text("{}: {} are unclear:", table.source(), counted(std::ssize(unclear), "column"));
  for (const InferredColumn* one : unclear) words += format_text("\n  '{}': {}", one->column.name, one->words);
  throw Error(words);
}

// If no column is useful, constant and empty columns are kept as inputs.
std::vector<Column> inputs_among(const std::vector<InferredColumn>& judged) {
  std::vector<Column> schema, constants;
  for (const InferredColumn& one : judged) {
    if (one.use == InferredColumn::Use::input) schema.push_back(one.column);
    if (one.taken_for == "constant" || one.taken_for == "empty") constants.push_back(one.column);
  }
  return schema.empty() ? constants : schema;
}

std::vector<ColumnNote> notes_on(const std::vector<InferredColumn>& judged, const std::vector<Column>& schema) {
  std::vector<ColumnNote> notes;
  for (const InferredColumn& one : judged)
    if (!one.words.empty()) notes.push_back({one.column.name, one.taken_for, one.words, !find_column(schema, one.column.name)});
  return notes;
}

bool has_direction(const Column& column, const FitOptions& options) {
  const InputDirections direction = options.directions_of({column});
  return has_monotone(direction);
}

bool is_constant(const InferredColumn& one) { return one.taken_for == "constant" || one.taken_for == "empty"; }

// A monotone column of numbers is an input even if it looks like an id or counts the rows. Returns whether one was declared.
bool declare_monotone(const std::vector<InferredColumn>& judged, const FitOptions& options, ColumnDeclarations& declarations) {
  const std::size_t declared = declarations.numeric.size();
  for (const InferredColumn& one : judged)
    if (has_direction(one.column, options) && one.use == InferredColumn::Use::left_out && !is_constant(one) &&
        one.column.kind == ColumnKind::number)
      declarations.numeric.push_back(one.column.name);
  return declarations.numeric.size() > declared;
}

void refuse_monotone_categories(const std::vector<InferredColumn>& judged, const FitOptions& options, const TableView& table) {
  for (const InferredColumn& one : judged) {
    if (one.column.kind != ColumnKind::category || is_constant(one) || !has_direction(one.column, options)) continue;
    const auto& texts = one.column.categories;
    throw Error(format_text(
        "{}, column '{}': --{} names it, but it holds categories{}, which have no order; numbers, dates and ordered categories "
        "have one: --ordered '{}:A<B<C' declares an order, --numeric '{}' reads the cells as numbers",
        table.source(), one.column.name,
        std::find(options.increasing.begin(), options.increasing.end(), one.column.name) != options.increasing.end()
            ? "increasing"
            : "decreasing",
        texts.empty() ? std::string() : ", such as " + quoted_cell(texts.front()), one.column.name, one.column.name));
  }
}

// Infers the kinds of the inputs. A named column that counts the rows is kept if rows are in time order, because it is then their
// time, and if there is no other input.
std::vector<InferredColumn> infer_inputs(const TableView& inputs, RowsView rows, const FitOptions& options) {
  ColumnDeclarations declarations = options.declarations();
  auto judged = infer_columns(inputs, rows, declarations);
  if (declare_monotone(judged, options, declarations)) judged = infer_columns(inputs, rows, declarations);
  const bool has_input = std::any_of(judged.begin(), judged.end(),
                                     [](const InferredColumn& one) { return one.use != InferredColumn::Use::left_out; });
  if (has_input && !options.is_in_order()) return judged;
  const std::size_t declared = declarations.numeric.size();
  for (const InferredColumn& one : judged)
    if (one.taken_for == "row number" && !has_no_name(one.column.name)) declarations.numeric.push_back(one.column.name);
  return declarations.numeric.size() == declared ? judged : infer_columns(inputs, rows, declarations);
}

void leave_out_categories(std::vector<InferredColumn>& judged) {
  for (InferredColumn& one : judged) {
    if (one.use == InferredColumn::Use::left_out || one.column.kind != ColumnKind::category) continue;
    one.use = InferredColumn::Use::left_out;
    one.words = "left out: category, nothing is learnt from it where every row calibrates";
  }
}

// A model of another library takes numbers as they are, also those that look like dates.
void keep_numbers(std::vector<InferredColumn>& judged, const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < judged.size(); ++i) {
    InferredColumn& one = judged[i];
    if (one.is_declared || columns[i].kind != ColumnKind::number || one.column.kind != ColumnKind::date) continue;
    one.column.kind = ColumnKind::number;
    one.taken_for = name_of(ColumnKind::number);
    one.words.clear();
  }
}

void refuse_no_inputs(const TableView& table, const std::vector<ColumnNote>& notes, const FitOptions& options) {
  if (options.has_given_predictions()) return;
  std::string words = table.source() + ": no input column is left";
  for (const ColumnNote& note : notes) words += "; '" + note.column + "': " + note.words;
  throw Error(words + "; say what a column is by --categorical, --numeric or --date to keep it");
}

// Throws UsageError if groups are parts of the scale, and the options leave the fit without one.
void refuse_groups_without_scale(const TableView& table, const FitOptions& options) {
  for (const auto& specification : options.by)
    if (!options.adapts() && cuts_the_scale(specification, "--by", table.columns()))
      throw UsageError(
          format_text("--by '{}': with --localizer {} and --transform {} there is one width everywhere, so there is no scale to "
                      "cut; use prediction:5 or a column",
                      specification, options.localizer, options.transform));
}

}  // namespace

std::vector<double> FitRows::targets(RowsView rows) const { return pick(y, rows); }
std::vector<double> FitRows::weights_of(RowsView rows) const { return pick_weights(weights, rows); }
std::vector<double> FitRows::exposures_of(RowsView rows) const { return pick_weights(exposure, rows); }

std::vector<double> FitRows::rates() const {
  std::vector<double> result = y;
  for (std::size_t i = 0; i < exposure.size(); ++i) result[i] /= exposure[i];
  return result;
}

FitInputs fit_inputs(const TableView& table, const FitOptions& options, const RowPlan& plan, const ExecutionContext& context,
                     const ForeignModel* foreign, std::vector<std::string>* names) {
  const TableView inputs = table.matched(input_columns(table, options));
  auto judged = infer_inputs(inputs, plan.describing(), options);
  if (plan.selection_rows().empty()) leave_out_categories(judged);
  if (foreign != nullptr) {
    *names = columns_of_foreign(*foreign, inputs.columns(), table.source());
    keep_numbers(judged, inputs.columns());
    fit_to_foreign(*foreign, *names, judged, table.source());
    if (!foreign->has_names)
      context.tell(format_text("the model has no names of columns: its {} are taken in the order of the table",
                               counted(std::ssize(*names), "column")));
    for (const auto& note : foreign->notes) context.tell(note);
  }
  refuse_unclear(judged, table);
  refuse_monotone_categories(judged, options, table);
  const auto schema = inputs_among(judged);
  auto notes = notes_on(judged, schema);
  if (schema.empty()) refuse_no_inputs(table, notes, options);
  GroupColumns::check(options.by, "--by", table, schema);  // now that kinds are known, and before anything is trained
  refuse_groups_without_scale(table, options);
  return {schema, std::move(notes), inputs.matched(schema)};
}

FitRows fit_rows(const FitRequest& request, std::vector<std::string>* names) {
  const Traced traced("kinds");
  const auto& [table, options, plan, context, foreign, held_out, prepared] = request;
  const Rows describing = plan.describing();
  FitInputs inputs = prepared != nullptr ? *prepared : fit_inputs(table, options, plan, context, foreign, names);

  const Column target = number_column(table, options.target, describing, options.declarations().decimal);
  refuse_other_kinds(table, target, describing);
  if (const auto example = example_of(target.format); !example.empty())
    inputs.notes.insert(inputs.notes.begin(), {target.name, "target", "the target, written like " + example, false});
  const auto y = numbers_of(table, target, describing, "target");
  const bool any_chooses = !plan.selection_rows().empty();
  if (any_chooses) refuse_constant(y, table, options.target);
  const TargetRange range = possible_targets(options, y);
  for (const auto& hint : {level_hint(options.objective), few_rows_hint(options, plan)})
    if (!hint.empty()) context.tell(hint);
  if (options.may_cross()) {
    const Index crossed = predictions_of(table, options, describing).crossed();
    for (const Alarm& alarm : alarms_of_crossed(crossed, std::ssize(describing), options)) context.tell(alarm.words);
  }

  const Rows usable = rows_of_fit(table, options, target);
  const auto targets = targets_of(table, target, usable, range);
  std::vector<double> y_of_row(static_cast<std::size_t>(table.rows()), missing);
  for (std::size_t i = 0; i < usable.size(); ++i) y_of_row[static_cast<std::size_t>(usable[i])] = targets[i];
  FitRows rows{table, inputs.schema, target, inputs.notes, inputs.x, range, y_of_row, {}};
  rows.weights = rows.weights_of_f = weights_of_fit(table, options, plan.selection_rows());
  if (!options.exposure.empty()) {
    rows.exposure.assign(static_cast<std::size_t>(table.rows()), missing);
    const auto found = exposures(table, options.exposure, usable);
    for (std::size_t i = 0; i < usable.size(); ++i) rows.exposure[static_cast<std::size_t>(usable[i])] = found[i];
    rows.weights_of_f = weights_by_exposure(rows.weights, rows.exposure, plan.selection_rows());
  }
  if (prepared == nullptr)
    choose_number_or_category(inputs, request, pick(rows.rates(), plan.predictor),
                              pick_weights(rows.weights_of_f, plan.predictor));
  rows.schema = inputs.schema;
  rows.notes = inputs.notes;
  rows.x = inputs.x;
  return rows;
}

}  // namespace taut
