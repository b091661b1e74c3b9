// A model as an archive, and back. Nothing in a model file is trusted: every part checks what it reads.
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/storage.hpp>
#include <taut/train/level_names.hpp>

#include <bit>
#include <cmath>

namespace taut {

namespace {

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
}

// Files of 0.1 know numbers and categories only, and plain numbers.
void load_kinds(const Archive& archive, std::vector<Column>& schema) {
  if (!archive.has("kinds")) return;
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
  return schema;
}

Column load_target(const Archive& archive, const FitOptions& options) {
  const auto schema = load_schema(archive);
  if (schema.size() != 1 || schema.front().is_categorical() || schema.front().name != options.target)
    throw Error("the model file's target does not fit its options: it is damaged");
  return schema.front();
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

void save_record(Archive archive, const FitRecord& record) {
  save_notes(archive.scope("notes"), record.columns);
  archive.put("skipped_rows", static_cast<std::int64_t>(record.skipped_rows));
  archive.put("source", record.source);
  archive.put("rows", static_cast<std::int64_t>(record.rows));
  archive.put("predictor_rows", static_cast<std::int64_t>(record.predictor_rows));
  archive.put("transform_rows", static_cast<std::int64_t>(record.transform_rows));
  archive.put("validation_rows", static_cast<std::int64_t>(record.validation_rows));
  if (!record.stack.empty()) save_stack(archive.scope("stack"), record.stack);
  archive.put("fell_back", static_cast<std::int64_t>(record.fell_back));
  archive.put("validation_curve", record.validation_curve);
  archive.put("best_epoch", static_cast<std::int64_t>(record.best_epoch));
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
  if (archive.has_scope("notes")) {  // added later
    record.columns = load_notes(archive.scope("notes"));
    record.skipped_rows = archive.integer("skipped_rows");
  }
  if (archive.has_scope("stack")) record.stack = load_stack(archive.scope("stack"));
  record.rows = archive.integer("rows");
  record.predictor_rows = archive.integer("predictor_rows");
  record.transform_rows = archive.integer("transform_rows");
  record.validation_rows = archive.integer("validation_rows");
  record.fell_back = archive.integer_in("fell_back", 0, 1) == 1;
  record.validation_curve = archive.get<std::vector<double>>("validation_curve");
  record.best_epoch = archive.integer("best_epoch");
  const auto& names = archive.texts("candidates");
  const auto& sides = archive.get<std::vector<std::int32_t>>("candidate_sides");
  const auto& losses = archive.get<std::vector<double>>("candidate_figures");
  const auto& kept = archive.get<std::vector<std::int32_t>>("candidate_kept");
  if (sides.size() != names.size() || losses.size() != names.size() || kept.size() != names.size())
    throw Error("the model file's candidates do not fit together: it is damaged");
  for (std::size_t i = 0; i < names.size(); ++i)
    record.candidates.push_back({spell_out_levels(names[i], Spelling::alpha), sides[i], losses[i], kept[i] != 0});
  if (!archive.has("candidate_transforms")) return record;  // written before classes competed
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

}  // namespace

void put_schema(const Archive& archive, const std::vector<Column>& schema) { save_schema(archive, schema); }
std::vector<Column> get_schema(const Archive& archive) { return load_schema(archive); }
void put_record(const Archive& archive, const FitRecord& record) { save_record(archive, record); }
FitRecord get_record(const Archive& archive) { return load_record(archive); }

namespace {

void load_time(const Archive& archive, ModelParts& parts) {
  const auto schema = load_schema(archive);
  parts.latest = archive.number("latest");
  if (schema.size() != 1 || schema.front().is_categorical() || schema.front().name != parts.options.order_by ||
      std::isnan(parts.latest))
    throw Error("the model file's column of times does not fit its options: it is damaged");
  parts.time = schema.front();
}

void load_past(const Archive& archive, ModelParts& parts) {
  auto sources = load_schema(archive);
  for (Column& column : sources) column.missing_words = parts.options.na;
  parts.past = PastInputs::load(archive, std::move(sources), parts.options);
}

void load_history(const Archive& archive, ModelParts& parts) {
  auto columns = load_schema(archive);
  if (columns.empty() || columns.back().name != parts.options.target)
    throw Error("the model file's rows do not fit its options: it is damaged");
  for (Column& column : columns) column.missing_words = parts.options.na;
  columns.back().is_strict = true;
  parts.history = RowHistory::load(archive, std::move(columns));
}

// Plain calibration needs nothing but its scores.
void save_calibration(Archive archive, const ModelParts& parts) {
  if (!parts.calibration) return;
  parts.reader.save(archive, parts.calibration_facts);
  // Inputs stand in the file already; the values that groups know of them stand with the groups.
  std::vector<Column> columns = parts.reader.columns_to_calibrate();
  std::erase_if(columns, [&](const Column& column) { return find_column(parts.schema, column.name).has_value(); });
  save_schema(archive.scope("columns"), columns);
  archive.put("notes", parts.notes);
}

void load_calibration(const Archive& archive, ModelParts& parts) {
  if (!archive.has("kind")) return;
  if (!parts.law.has_sides()) throw Error("the model file's calibration rows do not fit together: it is damaged");
  std::vector<Column> known = parts.schema;
  for (Column column : load_schema(archive.scope("columns"))) {
    if (find_column(known, column.name)) throw Error("the model file's columns do not fit together: it is damaged");
    column.missing_words = parts.options.na;
    known.push_back(std::move(column));
  }
  parts.reader = FactReader::load(archive, known, std::ssize(parts.schema), 1 + parts.score.n_log_scales(),
                                  static_cast<std::uint64_t>(parts.options.seed));
  parts.notes = archive.texts("notes");
  check_sure_of_kind(parts.sure, parts.reader.kind(), parts.reader.settings().pool_others);
  std::vector<SignedScore> scores;
  for (Index rank = 1; rank <= parts.law.rows(); ++rank) scores.push_back(parts.law.signed_score(rank));
  parts.set_law(std::move(scores), parts.reader.load_facts(archive, parts.law.rows()));
}

void save_parts(Archive archive, const ModelParts& parts) {
  parts.options.save(archive.scope("options"));
  save_record(archive.scope("record"), parts.record);
  save_schema(archive.scope("columns"), parts.schema);
  save_schema(archive.scope("target"), {parts.target});
  if (!parts.time.name.empty()) {
    save_schema(archive.scope("time"), {parts.time});
    archive.put("time/latest", parts.latest);
  }
  if (!parts.past.empty()) {
    save_schema(archive.scope("past"), parts.past.sources());
    parts.past.save(archive.scope("past"));
  }
  if (parts.history) {
    save_schema(archive.scope("history"), parts.history->columns());
    parts.history->save(archive.scope("history"));
  }
  if (parts.stream) parts.stream->save(archive.scope("stream"));
  if (!parts.options.has_given_predictions()) parts.predictor.save(archive.scope("predictor"));
  parts.score.save(archive);
  if (parts.range.takes_products()) archive.put("y_step_products", std::int64_t{1});
  parts.law.save(archive.scope("calibration"));
  if (parts.sure > 0) archive.put("calibration/sure", parts.sure);
  if (parts.training.is_known()) parts.training.save(archive.scope("training_sample"));
  save_calibration(archive.scope("calibration"), parts);
  if (parts.calibration_inputs.rows() > 0) {
    parts.calibration_inputs.save(archive.scope("calibration/inputs"));
    // A stream has scores of other rows than those that were summed up.
    if (parts.stream) archive.put("calibration/input_rows", static_cast<std::int64_t>(parts.calibration_inputs.rows()));
  }
  if (!parts.kept.empty()) parts.kept.save(archive.scope("calibration/kept"));
  if (parts.secret) archive.put("calibration/secret", std::bit_cast<std::int64_t>(*parts.secret));
  if (parts.population.rows() > 0) parts.population.save_with_rows(archive.scope("calibration/population"));
  if (parts.seen_rows.knows_training()) parts.seen_rows.save_training(archive.scope("record/training_rows"));
  if (parts.seen_rows.knows_calibration()) parts.seen_rows.save_calibration(archive.scope("calibration/rows"));
  if (const auto streamed = parts.seen_rows.streamed(); !streamed.empty()) archive.put("stream/row_hashes", streamed);
  for (std::size_t p = 0; p < parts.held_out.size(); ++p)
    save_parts(archive.scope("held_out/" + std::to_string(p)), *parts.held_out[p]);
}

std::unique_ptr<ModelParts> load_parts(const Archive& archive, bool whole = true) {
  auto parts = std::make_unique<ModelParts>();
  parts->options = FitOptions::load(archive.scope("options"));
  parts->record = load_record(archive.scope("record"));
  parts->schema = load_schema(archive.scope("columns"));
  parts->target = {parts->options.target};
  if (archive.has_scope("target")) parts->target = load_target(archive.scope("target"), parts->options);
  if (archive.has_scope("time")) load_time(archive.scope("time"), *parts);
  if (archive.has_scope("past")) load_past(archive.scope("past"), *parts);
  if (archive.has_scope("history")) load_history(archive.scope("history"), *parts);
  if (archive.has_scope("stream")) parts->stream = LevelStream::load(archive.scope("stream"));
  for (Column& column : parts->schema) column.missing_words = parts->options.na;
  parts->target.missing_words = parts->options.na;
  if (!parts->options.has_given_predictions()) parts->predictor = PointPredictor::load(archive.scope("predictor"), parts->schema);
  parts->score = ScoreModel::load(archive, parts->schema, parts->options.predicts_ends());
  const auto multiples = archive.has("y_step_products") ? TargetRange::Multiples::products_too : TargetRange::Multiples::decimals;
  parts->range = TargetRange(parts->options.y_min, parts->options.y_max, parts->options.y_step, multiples);
  if (archive.has("calibration/sure")) parts->sure = archive.number("calibration/sure");
  parts->law = Law::load(archive.scope("calibration")).with_sure(parts->sure);
  // Older files lack these.
  if (archive.has_scope("training_sample"))
    parts->training =
        TrainingSample::load(archive.scope("training_sample"), std::ssize(parts->schema), 1 + parts->score.n_log_scales());
  if (archive.has("calibration/secret")) parts->secret = std::bit_cast<std::uint64_t>(archive.integer("calibration/secret"));
  load_calibration(archive.scope("calibration"), *parts);
  if (archive.has_scope("calibration/inputs"))
    parts->calibration_inputs = InputSummary::load(
        archive.scope("calibration/inputs"), parts->schema, 1 + parts->score.n_log_scales(),
        archive.has("calibration/input_rows") ? archive.integer_in("calibration/input_rows", 1, std::int64_t{1} << 53)
                                              : parts->law.rows());
  if (archive.has_scope("calibration/kept"))
    parts->kept = KeptRows::load(archive.scope("calibration/kept"), parts->score, parts->options.predicts_ends(),
                                 parts->reader.settings().groups);
  if (archive.has_scope("calibration/population"))
    parts->population =
        InputSummary::load_with_rows(archive.scope("calibration/population"), parts->schema, 1 + parts->score.n_log_scales());
  if (archive.has_scope("record/training_rows")) parts->seen_rows.load_training(archive.scope("record/training_rows"));
  if (archive.has_scope("calibration/rows")) parts->seen_rows.load_calibration(archive.scope("calibration/rows"));
  if (archive.has("stream/row_hashes"))
    parts->seen_rows.load_streamed(archive.get<std::vector<std::int64_t>>("stream/row_hashes"));
  for (std::size_t p = 0; whole && archive.has_scope("held_out/" + std::to_string(p)); ++p)
    parts->held_out.push_back(load_parts(archive.scope("held_out/" + std::to_string(p)), false));
  return parts;
}

}  // namespace

std::string Model::to_bytes() const {
  Archive archive;
  archive.put("version", std::string(version));
  save_parts(archive, *parts_);
  return frame(archive.encode());
}

Model Model::from_bytes(std::string_view bytes) {
  const Archive archive = Archive::decode(unframe(bytes));
  if (archive.has("kind"))
    throw HoldsClasses(
        "the model predicts labels, not numbers; it answers to every command but explain and export to C or ONNX, and in "
        "Python to ConformalClassifier");
  Model model(load_parts(archive));
  model.parts_->record.version = archive.text("version");
  return model;
}

void Model::save(const std::string& path) const {
  OutputFile file(path);
  file.write(to_bytes());
  file.commit();
}

Model Model::load(const std::string& path) {
  const std::string bytes = read_file(path, bytes_worth_reading);
  try {
    return from_bytes(bytes);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace taut
