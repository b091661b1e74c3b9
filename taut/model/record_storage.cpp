// Saves and loads the columns and the record of a model. Nothing in a model file is trusted.
#include <taut/core/error.hpp>
#include <taut/model/model.hpp>
#include <taut/model/parts.hpp>
#include <taut/train/objective_names.hpp>

#include <algorithm>

namespace taut {

namespace {

void load_kinds(const Archive& archive, std::vector<Column>& schema) {
  const auto& kinds = archive.get<std::vector<std::uint8_t>>("kinds");
  const auto& formats = archive.texts("formats");
  const auto& date_orders = archive.get<std::vector<std::uint8_t>>("date_orders");
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's kinds of columns do not fit together: it is damaged");
  };
  require(kinds.size() == schema.size() && formats.size() == schema.size() && date_orders.size() == schema.size());
  for (std::size_t i = 0; i < schema.size(); ++i) {
    require(kinds[i] <= static_cast<std::uint8_t>(ColumnKind::ordered));
    require(date_orders[i] <= static_cast<std::uint8_t>(DateOrder::month_first) && formats[i].size() >= 2);
    const bool was_categorical = schema[i].is_categorical();
    schema[i].kind = static_cast<ColumnKind>(kinds[i]);
    require(schema[i].is_categorical() == was_categorical);
    schema[i].format = {formats[i][0], formats[i][1], formats[i].substr(2), static_cast<DateOrder>(date_orders[i])};
  }
}

// A file of before has no rules of reading: its columns keep the former ones. Other keys are there only if a column needs them.
void load_reading(const Archive& archive, std::vector<Column>& schema) {
  const auto for_each = [&](const std::string& name, std::uint8_t maximum, auto set) {
    if (!archive.has(name)) return;
    const auto& values = archive.get<std::vector<std::uint8_t>>(name);
    if (values.size() != schema.size() || std::any_of(values.begin(), values.end(), [&](auto value) { return value > maximum; }))
      throw Error("the model file's rules of reading do not fit its columns: it is damaged");
    for (std::size_t i = 0; i < schema.size(); ++i) set(schema[i], values[i]);
  };
  for (Column& column : schema) column.reading = ReadingRules::former;
  for_each("reading", 1, [](Column& column, auto value) { column.reading = static_cast<ReadingRules>(value); });
  for_each("folds_case", 1, [](Column& column, auto value) { column.folds_case = value != 0; });
  for_each("short_years", 99, [](Column& column, auto value) { column.format.last_short_year = value; });
  for_each("durations", 1, [](Column& column, auto value) { column.format.is_duration = value != 0; });
}

void save_reading(Archive archive, const std::vector<Column>& schema) {
  const auto put = [&](const std::string& name, std::uint8_t usual, auto value_of) {
    std::vector<std::uint8_t> values;
    for (const Column& column : schema) values.push_back(static_cast<std::uint8_t>(value_of(column)));
    if (std::any_of(values.begin(), values.end(), [&](auto value) { return value != usual; })) archive.put(name, values);
  };
  put("reading", 0, [](const Column& column) { return column.reading; });
  put("folds_case", 0, [](const Column& column) { return column.folds_case; });
  put("short_years", TextFormat::posix_short_year, [](const Column& column) { return column.format.last_short_year; });
  put("durations", 0, [](const Column& column) { return column.format.is_duration; });
}

void save_notes(Archive archive, const std::vector<ColumnNote>& notes) {
  Archive::Texts columns, kinds, words;
  std::vector<std::uint8_t> left_out;
  for (const ColumnNote& note : notes) {
    columns.push_back(note.column);
    kinds.push_back(note.taken_for);
    words.push_back(note.words);
    left_out.push_back(note.is_left_out ? 1 : 0);
  }
  archive.put("columns", columns);
  archive.put("taken_for", kinds);
  archive.put("words", words);
  archive.put("left_out", left_out);
}

std::vector<ColumnNote> load_notes(const Archive& archive) {
  const auto& columns = archive.texts("columns");
  const auto& kinds = archive.texts("taken_for");
  const auto& words = archive.texts("words");
  const auto& left_out = archive.get<std::vector<std::uint8_t>>("left_out");
  if (kinds.size() != columns.size() || words.size() != columns.size() || left_out.size() != columns.size())
    throw Error("the model file's notes on columns do not fit together: it is damaged");
  std::vector<ColumnNote> notes;
  for (std::size_t i = 0; i < columns.size(); ++i) notes.push_back({columns[i], kinds[i], words[i], left_out[i] != 0});
  return notes;
}

void save_stack(Archive archive, const StackRecord& stack) {
  Archive::Texts predictors, scales;
  std::vector<double> errors, weights;
  std::vector<std::uint8_t> dropped;
  for (const StackMemberRecord& member : stack) {
    predictors.push_back(member.predictor);
    scales.push_back(member.scale);
    errors.push_back(member.error);
    weights.push_back(member.weight);
    dropped.push_back(member.dropped ? 1 : 0);
  }
  archive.put("predictors", predictors);
  archive.put("scales", scales);
  archive.put("errors", errors);
  archive.put("weights", weights);
  archive.put("dropped", dropped);
}

StackRecord load_stack(const Archive& archive) {
  const auto& predictors = archive.texts("predictors");
  const auto& scales = archive.texts("scales");
  const auto& errors = archive.get<std::vector<double>>("errors");
  const auto& weights = archive.get<std::vector<double>>("weights");
  const auto& dropped = archive.get<std::vector<std::uint8_t>>("dropped");
  const std::size_t n = predictors.size();
  if (scales.size() != n || errors.size() != n || weights.size() != n || dropped.size() != n)
    throw Error("the model file's members of the stack do not fit together: it is damaged");
  StackRecord stack;
  for (std::size_t k = 0; k < n; ++k) stack.push_back({predictors[k], scales[k], errors[k], weights[k], dropped[k] != 0});
  return stack;
}

}  // namespace

void save_schema(Archive archive, const std::vector<Column>& schema) {
  Archive::Texts names;
  std::vector<std::uint8_t> categorical, kinds, date_orders;
  Archive::Texts formats;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    names.push_back(schema[i].name);
    categorical.push_back(schema[i].is_categorical() ? 1 : 0);
    kinds.push_back(static_cast<std::uint8_t>(schema[i].kind));
    date_orders.push_back(static_cast<std::uint8_t>(schema[i].format.date_order));
    formats.push_back(std::string{schema[i].format.decimal, schema[i].format.thousands} + schema[i].format.unit);
    if (schema[i].is_categorical()) archive.put("levels" + std::to_string(i), schema[i].categories);
  }
  archive.put("names", names);
  archive.put("categories", categorical);
  archive.put("kinds", kinds);
  archive.put("formats", formats);
  archive.put("date_orders", date_orders);
  save_reading(archive, schema);
}

std::vector<Column> load_schema(const Archive& archive) {
  const auto& names = archive.texts("names");
  const auto& kinds = archive.get<std::vector<std::uint8_t>>("categories");
  if (names.size() != kinds.size()) throw Error("the model file's columns do not fit together: it is damaged");
  std::vector<Column> schema;
  for (std::size_t i = 0; i < names.size(); ++i) {
    schema.push_back({names[i], kinds[i] != 0 ? ColumnKind::category : ColumnKind::number});
    if (kinds[i] != 0) schema.back().categories = archive.texts("levels" + std::to_string(i));
  }
  load_kinds(archive, schema);
  load_reading(archive, schema);
  return schema;
}

void save_record(Archive archive, const FitRecord& record) {
  save_notes(archive.scope("notes"), record.columns);
  archive.put("skipped_rows", static_cast<std::int64_t>(record.skipped_rows));
  if (record.rows_of_weight_0 > 0) archive.put("rows_of_weight_0", static_cast<std::int64_t>(record.rows_of_weight_0));
  archive.put("source", record.source);
  archive.put("rows", static_cast<std::int64_t>(record.rows));
  archive.put("predictor_rows", static_cast<std::int64_t>(record.predictor_rows));
  archive.put("transform_rows", static_cast<std::int64_t>(record.transform_rows));
  archive.put("validation_rows", static_cast<std::int64_t>(record.validation_rows));
  if (!record.stack.empty()) save_stack(archive.scope("stack"), record.stack);
  archive.put("fell_back", static_cast<std::int64_t>(record.fell_back));
  archive.put("validation_curve", record.validation_curve);
  archive.put("best_epoch", static_cast<std::int64_t>(record.best_epoch));
  if (const OutOfFoldRecord& own = record.out_of_fold; own.rows > 0) {
    archive.put("out_of_fold_rows", static_cast<std::int64_t>(own.rows));
    archive.put("out_of_fold", std::vector<double>{own.found, own.constant});
  }
  Archive::Texts names, transforms;
  std::vector<std::int32_t> sides, kept;
  std::vector<double> losses, errors;
  for (const auto& candidate : record.candidates) {
    transforms.push_back(candidate.transform);
    errors.push_back(candidate.standard_error);
    names.push_back(candidate.name);
    sides.push_back(candidate.sides);
    losses.push_back(candidate.validation_loss);
    kept.push_back(candidate.kept ? 1 : 0);
  }
  archive.put("candidates", names);
  archive.put("candidate_sides", sides);
  archive.put("candidate_figures", losses);
  archive.put("candidate_kept", kept);
  archive.put("candidate_transforms", transforms);
  archive.put("candidate_errors", errors);
}

FitRecord load_record(const Archive& archive) {
  FitRecord record;
  record.source = archive.text("source");
  record.columns = load_notes(archive.scope("notes"));
  record.skipped_rows = archive.integer("skipped_rows");
  if (archive.has("rows_of_weight_0")) record.rows_of_weight_0 = archive.integer("rows_of_weight_0");
  if (archive.has_scope("stack")) record.stack = load_stack(archive.scope("stack"));
  record.rows = archive.integer("rows");
  record.predictor_rows = archive.integer("predictor_rows");
  record.transform_rows = archive.integer("transform_rows");
  record.validation_rows = archive.integer("validation_rows");
  record.fell_back = archive.integer_in("fell_back", 0, 1) == 1;
  record.validation_curve = archive.get<std::vector<double>>("validation_curve");
  record.best_epoch = archive.integer("best_epoch");
  if (archive.has("out_of_fold_rows")) {
    const auto& figures = archive.get<std::vector<double>>("out_of_fold");
    if (figures.size() != 2) throw Error("the model file's out-of-fold figures do not fit together: it is damaged");
    record.out_of_fold = {archive.integer("out_of_fold_rows"), figures[0], figures[1]};
  }
  const auto& names = archive.texts("candidates");
  const auto& sides = archive.get<std::vector<std::int32_t>>("candidate_sides");
  const auto& losses = archive.get<std::vector<double>>("candidate_figures");
  const auto& kept = archive.get<std::vector<std::int32_t>>("candidate_kept");
  if (sides.size() != names.size() || losses.size() != names.size() || kept.size() != names.size())
    throw Error("the model file's candidates do not fit together: it is damaged");
  for (std::size_t i = 0; i < names.size(); ++i)
    record.candidates.push_back({spell_out_levels(names[i], Spelling::alpha), sides[i], losses[i], kept[i] != 0});
  const auto& transforms = archive.texts("candidate_transforms");
  const auto& errors = archive.get<std::vector<double>>("candidate_errors");
  if (transforms.size() != names.size() || errors.size() != names.size())
    throw Error("the model file's candidates do not fit together: it is damaged");
  for (std::size_t i = 0; i < names.size(); ++i) {
    record.candidates[i].transform = transforms[i];
    record.candidates[i].standard_error = errors[i];
  }
  return record;
}

}  // namespace taut
