// A model of labels as an archive, and back; in the same kind of file as every model. Nothing in it is trusted.
#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/model/storage.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut {

namespace {

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error("the model file's " + what + " do not fit together: it is damaged");
}

void save_class_record(Archive archive, const ClassRecord& record) {
  archive.put("inverse_temperature", record.inverse_temperature);
  archive.put("objective", record.objective);
  archive.put("figures", std::vector<double>{record.without, record.with, record.error});
  archive.put("losses", std::vector<double>{record.loss_without, record.loss_with, record.loss_error});
}

ClassRecord load_class_record(const Archive& archive) {
  ClassRecord record;
  record.inverse_temperature = archive.number("inverse_temperature");
  if (!(record.inverse_temperature > 0 && record.inverse_temperature < infinity)) throw_damaged("probabilities");
  record.objective = archive.text("objective");
  const auto& figures = archive.get<std::vector<double>>("figures");
  if (figures.size() != 3) throw_damaged("figures");
  record.without = figures[0];
  record.with = figures[1];
  record.error = figures[2];
  if (!archive.has("losses")) return record;
  const auto& losses = archive.get<std::vector<double>>("losses");
  if (losses.size() != 3) throw_damaged("figures");
  record.loss_without = losses[0];
  record.loss_with = losses[1];
  record.loss_error = losses[2];
  return record;
}

Column load_labels(const Archive& archive, const FitOptions& options) {
  const auto schema = get_schema(archive);
  if (schema.size() != 1 || schema.front().kind != ColumnKind::category || schema.front().name != options.target)
    throw_damaged("labels");
  const auto& labels = schema.front().categories;
  auto sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  if (labels.size() < 2 || std::ssize(labels) > most_classes || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw_damaged("labels");
  Column target = schema.front();
  target.missing_words = options.na;
  return target;
}

void save_class_calibration(const Archive& archive, const ClassParts& parts) {
  Archive own = archive;
  own.put("notes", parts.notes);
  if (!parts.calibration) return;
  if (parts.by_label) {
    own.put("labels", std::vector<std::int64_t>(parts.calibration_facts.groups.begin(), parts.calibration_facts.groups.end()));
    return;
  }
  parts.reader.save(own, parts.calibration_facts);
  // Inputs stand in the file already; the values that groups know of them stand with the groups.
  std::vector<Column> columns = parts.reader.columns_to_calibrate();
  std::erase_if(columns, [&](const Column& column) { return find_column(parts.schema, column.name).has_value(); });
  put_schema(own.scope("columns"), columns);
}

void load_class_calibration(const Archive& archive, ClassParts& parts) {
  parts.notes = archive.texts("notes");
  if (parts.law.rows() > 0 && !parts.law.has_sides()) throw_damaged("calibration rows");
  RowFacts facts;
  parts.by_label = archive.has("labels");
  if (parts.by_label) {
    const auto& labels = archive.get<std::vector<std::int64_t>>("labels");
    const auto fits = [&](std::int64_t label) { return label >= 0 && label <= parts.classes(); };
    if (std::ssize(labels) != parts.law.rows() || !std::all_of(labels.begin(), labels.end(), fits))
      throw_damaged("calibration rows");
    facts.groups.assign(labels.begin(), labels.end());
  } else if (archive.has("kind")) {
    std::vector<Column> known = parts.schema;
    for (Column column : get_schema(archive.scope("columns"))) {
      if (find_column(known, column.name)) throw_damaged("columns");
      column.missing_words = parts.options.na;
      known.push_back(std::move(column));
    }
    parts.reader = FactReader::load(archive, known, std::ssize(parts.schema), parts.n_outputs(),
                                    static_cast<std::uint64_t>(parts.options.seed));
    facts = parts.reader.load_facts(archive, parts.law.rows());
  } else {
    return;
  }
  check_sure_of_kind(parts.sure, parts.reader.kind(), parts.reader.settings().pool_others);
  std::vector<double> scores;
  for (Index rank = 1; rank <= parts.law.rows(); ++rank) scores.push_back(parts.law.signed_score(rank).score);
  parts.set_law(std::move(scores), std::move(facts));
}

void load_class_time(const Archive& archive, ClassParts& parts) {
  const auto schema = get_schema(archive);
  parts.latest = archive.number("latest");
  if (schema.size() != 1 || schema.front().is_categorical() || schema.front().name != parts.options.order_by ||
      std::isnan(parts.latest))
    throw_damaged("column of times");
  parts.time = schema.front();
}

}  // namespace

std::string ClassModel::to_bytes() const {
  const ClassParts& parts = *parts_;
  Archive archive;
  archive.put("kind", std::string(kind_of_classes));
  archive.put("version", std::string(version));
  parts.options.save(archive.scope("options"));
  parts.class_options.save(archive.scope("class_options"));
  put_record(archive.scope("record"), parts.record);
  save_class_record(archive.scope("classes"), parts.class_record);
  put_schema(archive.scope("columns"), parts.schema);
  put_schema(archive.scope("target"), {parts.target});
  if (!parts.time.name.empty()) {
    put_schema(archive.scope("time"), {parts.time});
    archive.put("time/latest", parts.latest);
  }
  if (parts.stream) parts.stream->save(archive.scope("stream"));
  if (parts.given.empty()) parts.predictor.save(archive);
  if (!parts.mended.empty()) parts.mended.save(archive.scope("mended"));
  if (!parts.shift.empty()) parts.shift.save(archive.scope("shift"));
  parts.law.save(archive.scope("calibration"));
  if (parts.sure > 0) archive.put("calibration/sure", parts.sure);
  if (parts.training.is_known()) parts.training.save(archive.scope("training_sample"));
  save_class_calibration(archive.scope("calibration"), parts);
  if (parts.calibration_inputs.rows() > 0) {
    parts.calibration_inputs.save(archive.scope("calibration/inputs"));
    // A stream has scores of other rows than those that were summed up.
    if (parts.stream) archive.put("calibration/input_rows", static_cast<std::int64_t>(parts.calibration_inputs.rows()));
  }
  if (parts.secret) archive.put("calibration/secret", std::bit_cast<std::int64_t>(*parts.secret));
  if (parts.population.rows() > 0) parts.population.save_with_rows(archive.scope("calibration/population"));
  if (parts.seen_rows.knows_training()) parts.seen_rows.save_training(archive.scope("record/training_rows"));
  if (parts.seen_rows.knows_calibration()) parts.seen_rows.save_calibration(archive.scope("calibration/rows"));
  if (const auto streamed = parts.seen_rows.streamed(); !streamed.empty()) archive.put("stream/row_hashes", streamed);
  return frame(archive.encode());
}

ClassModel ClassModel::from_bytes(std::string_view bytes) {
  const Archive archive = Archive::decode(unframe(bytes));
  if (!archive.has("kind") || archive.text("kind") != kind_of_classes)
    throw Error("the model does not predict labels; open it as a model of numbers");
  auto parts = std::make_unique<ClassParts>();
  parts->options = FitOptions::load(archive.scope("options"));
  parts->class_options = ClassOptions::load(archive.scope("class_options"));
  parts->record = get_record(archive.scope("record"));
  parts->record.version = archive.text("version");
  parts->class_record = load_class_record(archive.scope("classes"));
  parts->schema = get_schema(archive.scope("columns"));
  for (Column& column : parts->schema) column.missing_words = parts->options.na;
  parts->target = load_labels(archive.scope("target"), parts->options);
  parts->score = class_scores().make(parts->class_options.score_in_force());
  if (const auto& prefix = parts->class_options.probabilities; prefix.empty())
    parts->predictor = ClassPredictor::load(archive, parts->schema, parts->classes());
  else
    for (const auto& label : parts->target.categories) parts->given.push_back(prefix + label);
  if (archive.has_scope("mended")) parts->mended = MendedLogits::load(archive.scope("mended"), parts->schema, parts->classes());
  parts->class_record.mended = !parts->mended.empty();
  if (archive.has_scope("shift")) parts->shift = SetShift::load(archive.scope("shift"), parts->schema);
  parts->class_record.trained = !parts->shift.empty();
  if (archive.has("calibration/sure")) parts->sure = archive.number("calibration/sure");
  parts->law = Law::load(archive.scope("calibration")).with_sure(parts->sure);
  if (archive.has_scope("training_sample"))
    parts->training = TrainingSample::load(archive.scope("training_sample"), std::ssize(parts->schema), parts->n_outputs());
  if (archive.has("calibration/secret")) parts->secret = std::bit_cast<std::uint64_t>(archive.integer("calibration/secret"));
  load_class_calibration(archive.scope("calibration"), *parts);
  if (archive.has_scope("time")) load_class_time(archive.scope("time"), *parts);
  if (archive.has_scope("stream")) parts->stream = LevelStream::load(archive.scope("stream"));
  if (archive.has_scope("calibration/inputs"))
    parts->calibration_inputs = InputSummary::load(archive.scope("calibration/inputs"), parts->schema, parts->n_outputs(),
                                                   archive.has("calibration/input_rows")
                                                       ? archive.integer_in("calibration/input_rows", 1, std::int64_t{1} << 53)
                                                       : parts->law.rows());
  if (archive.has_scope("calibration/population"))
    parts->population = InputSummary::load_with_rows(archive.scope("calibration/population"), parts->schema, parts->n_outputs());
  if (archive.has_scope("record/training_rows")) parts->seen_rows.load_training(archive.scope("record/training_rows"));
  if (archive.has_scope("calibration/rows")) parts->seen_rows.load_calibration(archive.scope("calibration/rows"));
  if (archive.has("stream/row_hashes"))
    parts->seen_rows.load_streamed(archive.get<std::vector<std::int64_t>>("stream/row_hashes"));
  return ClassModel(std::move(parts));
}

void ClassModel::save(const std::string& path) const {
  OutputFile file(path);
  file.write(to_bytes());
  file.commit();
}

ClassModel ClassModel::load(const std::string& path) {
  const std::string bytes = read_file(path, bytes_worth_reading);
  try {
    return from_bytes(bytes);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

AnyModel load_any_model(const std::string& path) {
  const std::string bytes = read_file(path, bytes_worth_reading);
  try {
    try {
      return Model::from_bytes(bytes);
    } catch (const HoldsClasses&) {
      return ClassModel::from_bytes(bytes);
    }
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

std::vector<Column> ClassModel::input_schema() const { return parts_->schema; }

std::vector<Column> ClassParts::prediction_schema() const {
  std::vector<Column> result = schema;
  for (const auto& name : given) result.push_back({.name = name, .is_strict = true});
  add_columns(result, reader.columns_to_predict());
  return result;
}

std::vector<Column> ClassModel::prediction_schema() const { return parts_->prediction_schema(); }

std::vector<Column> ClassModel::evaluation_schema() const {
  std::vector<Column> schema = prediction_schema();
  schema.push_back(parts_->target);
  return schema;
}

std::vector<Column> ClassModel::calibration_schema() const {
  std::vector<Column> schema = evaluation_schema();
  add_columns(schema, parts_->reader.columns_to_calibrate());
  if (!parts_->time.name.empty()) add_columns(schema, {parts_->time});
  return schema;
}

}  // namespace taut
