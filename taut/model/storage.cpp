// Saves and loads a model. Nothing in a model file is trusted: every part checks what it reads.
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/model/parts.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut {

namespace {

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error(format_text("the model file's {} do not fit together: it is damaged", what));
}

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
  if (columns.empty() || columns.back().name != parts.target_columns.back().name)
    throw Error("the model file's rows do not fit its options: it is damaged");
  for (Column& column : columns) column.missing_words = parts.options.na;
  columns.back().is_strict = !columns.back().is_categorical();
  parts.history = RowHistory::load(archive, std::move(columns));
}

// A plain calibration consists of its scores, which are saved elsewhere.
void save_calibration(Archive archive, const ModelParts& parts) {
  if (!parts.notes.empty()) archive.put("notes", parts.notes);
  if (!parts.calibration) return;
  if (parts.by_label) {
    archive.put("labels",
                std::vector<std::int64_t>(parts.calibration_facts.groups.begin(), parts.calibration_facts.groups.end()));
    return;
  }
  parts.reader.save(archive, parts.calibration_facts);
  // The inputs are in the file already. The groups save the categories of inputs that they use.
  std::vector<Column> columns = parts.reader.columns_to_calibrate();
  std::erase_if(columns, [&](const Column& column) { return find_column(parts.schema, column.name).has_value(); });
  save_schema(archive.scope("columns"), columns);
}

// For a class-conditional calibration: the groups of calibration rows are the values of their targets.
RowFacts load_target_values(const Archive& archive, const ModelParts& parts) {
  const auto& values = archive.get<std::vector<std::int64_t>>("labels");
  const auto fits = [&](std::int64_t value) { return value >= 0 && value <= parts.task->n_target_values(); };
  if (std::ssize(values) != parts.distribution.rows() || !std::all_of(values.begin(), values.end(), fits))
    throw_damaged("calibration rows");
  RowFacts facts;
  facts.groups.assign(values.begin(), values.end());
  return facts;
}

void load_calibration(const Archive& archive, ModelParts& parts) {
  if (archive.has("notes")) parts.notes = archive.texts("notes");
  parts.by_label = archive.has("labels") && parts.task->n_target_values() > 0;
  if (parts.distribution.rows() > 0 && !parts.distribution.has_sides()) throw_damaged("calibration rows");
  RowFacts facts;
  if (parts.by_label) {
    facts = load_target_values(archive, parts);
  } else if (archive.has("kind")) {
    std::vector<Column> known = parts.schema;
    for (Column column : load_schema(archive.scope("columns"))) {
      if (find_column(known, column.name)) throw_damaged("columns");
      column.missing_words = parts.options.na;
      known.push_back(std::move(column));
    }
    parts.reader = FactReader::load(archive, known, std::ssize(parts.schema), parts.task->n_outputs(),
                                    static_cast<std::uint64_t>(parts.options.seed));
    facts = parts.reader.load_facts(archive, parts.distribution.rows());
  } else {
    return;
  }
  check_sure_of_kind(parts.sure, parts.reader.kind(), parts.reader.settings().pool_others);
  std::vector<SignedScore> scores;
  for (Index rank = 1; rank <= parts.distribution.rows(); ++rank) scores.push_back(parts.distribution.signed_score(rank));
  parts.set_distribution(std::move(scores), std::move(facts));
}

CalibratedAlone load_alone(const Matrix& scores, const ModelParts& parts) {
  if (scores.rows() != parts.distribution.rows() || scores.cols() != parts.n_targets() || !scores.allFinite() ||
      !(scores.array() >= 0).all())
    throw_damaged("calibration rows");
  return {parts.reader, parts.sure, scores, parts.calibration_facts};
}

const TaskEntry& entry_of(std::string_view in_file) {
  for (const TaskEntry& entry : tasks())
    if (entry.in_file == in_file) return entry;
  throw Error(format_text("the model file holds a model of the kind '{}', which this version does not know", in_file));
}

const TaskEntry& entry_of(const Task& task) {
  for (const TaskEntry& entry : tasks())
    if (entry.name == task.name()) return entry;
  throw UsageError(format_text("the task '{}' is not in the list of tasks", task.name()));
}

void save_parts(Archive archive, const ModelParts& parts) {
  parts.options.save(archive.scope("options"));
  save_record(archive.scope("record"), parts.record);
  save_schema(archive.scope("columns"), parts.schema);
  save_schema(archive.scope("target"), parts.target_columns);
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
  parts.task->save(archive);
  parts.distribution.save(archive.scope("calibration"));
  if (parts.sure > 0) archive.put("calibration/sure", parts.sure);
  if (parts.training.is_known()) parts.training.save(archive.scope("training_sample"));
  save_calibration(archive.scope("calibration"), parts);
  if (parts.calibration_inputs.rows() > 0) {
    parts.calibration_inputs.save(archive.scope("calibration/inputs"));
    // The scores of a stream belong to other rows than the summary, so the number of rows is saved too.
    if (parts.stream) archive.put("calibration/input_rows", static_cast<std::int64_t>(parts.calibration_inputs.rows()));
  }
  if (!parts.alone.empty()) archive.put("calibration/alone", parts.alone.scores);
  if (!parts.kept.empty()) parts.kept.save(archive.scope("calibration/kept"));
  if (parts.secret) archive.put("calibration/secret", std::bit_cast<std::int64_t>(*parts.secret));
  if (parts.population.rows() > 0) parts.population.save_with_rows(archive.scope("calibration/population"));
  if (parts.seen_rows.knows_training()) parts.seen_rows.save_training(archive.scope("record/training_rows"));
  if (parts.seen_rows.knows_calibration()) parts.seen_rows.save_calibration(archive.scope("calibration/rows"));
  if (const auto streamed = parts.seen_rows.streamed(); !streamed.empty()) archive.put("stream/row_hashes", streamed);
  for (std::size_t p = 0; p < parts.held_out.size(); ++p)
    save_parts(archive.scope("held_out/" + std::to_string(p)), *parts.held_out[p]);
}

std::unique_ptr<ModelParts> load_parts(const Archive& archive, const TaskEntry& entry, bool whole = true) {
  auto parts = std::make_unique<ModelParts>();
  parts->options = FitOptions::load(archive.scope("options"));
  parts->record = load_record(archive.scope("record"));
  parts->schema = load_schema(archive.scope("columns"));
  for (Column& column : parts->schema) column.missing_words = parts->options.na;
  const std::vector<Column> target = load_schema(archive.scope("target"));
  std::vector<std::string> names;
  for (const Column& column : target) names.push_back(column.name);
  if (target.empty() || join(names, ",") != parts->options.target || (target.size() > 1 && !entry.takes_several_targets))
    throw Error("the model file's target does not fit its options: it is damaged");
  parts->target_columns = target;
  for (Column& column : parts->target_columns) column.missing_words = parts->options.na;
  parts->task = entry.load(archive, *parts);
  if (archive.has_scope("time")) load_time(archive.scope("time"), *parts);
  if (archive.has_scope("past")) load_past(archive.scope("past"), *parts);
  if (archive.has_scope("history")) load_history(archive.scope("history"), *parts);
  if (archive.has_scope("stream")) parts->stream = LevelStream::load(archive.scope("stream"));
  if (archive.has("calibration/sure")) parts->sure = archive.number("calibration/sure");
  parts->distribution = ScoreDistribution::load(archive.scope("calibration")).with_sure(parts->sure);
  const Index outputs = parts->task->n_outputs();
  if (archive.has_scope("training_sample"))
    parts->training = TrainingSample::load(archive.scope("training_sample"), std::ssize(parts->schema), outputs);
  if (archive.has("calibration/secret")) parts->secret = std::bit_cast<std::uint64_t>(archive.integer("calibration/secret"));
  load_calibration(archive.scope("calibration"), *parts);
  if (archive.has("calibration/alone")) parts->alone = load_alone(archive.get<Matrix>("calibration/alone"), *parts);
  if (archive.has_scope("calibration/inputs"))
    parts->calibration_inputs = InputSummary::load(archive.scope("calibration/inputs"), parts->schema, outputs,
                                                   archive.has("calibration/input_rows")
                                                       ? archive.integer_in("calibration/input_rows", 1, std::int64_t{1} << 53)
                                                       : parts->distribution.rows());
  if (archive.has_scope("calibration/kept"))
    parts->kept = parts->task->load_kept(archive.scope("calibration/kept"), parts->reader.settings().groups);
  if (archive.has_scope("calibration/population"))
    parts->population = InputSummary::load_with_rows(archive.scope("calibration/population"), parts->schema, outputs);
  if (archive.has_scope("record/training_rows")) parts->seen_rows.load_training(archive.scope("record/training_rows"));
  if (archive.has_scope("calibration/rows")) parts->seen_rows.load_calibration(archive.scope("calibration/rows"));
  if (archive.has("stream/row_hashes"))
    parts->seen_rows.load_streamed(archive.get<std::vector<std::int64_t>>("stream/row_hashes"));
  for (std::size_t p = 0; whole && archive.has_scope("held_out/" + std::to_string(p)); ++p)
    parts->held_out.push_back(load_parts(archive.scope("held_out/" + std::to_string(p)), entry, false));
  return parts;
}

}  // namespace

std::string Model::to_bytes() const {
  Archive archive;
  if (const auto kind = entry_of(*parts_->task).in_file; !kind.empty()) archive.put("kind", std::string(kind));
  archive.put("version", std::string(version));
  save_parts(archive, *parts_);
  return frame(archive.encode());
}

Model Model::from_bytes(std::string_view bytes) {
  const Archive archive = Archive::decode(unframe(bytes));
  Model model(load_parts(archive, entry_of(archive.has("kind") ? archive.text("kind") : std::string())));
  model.parts_->record.version = archive.text("version");
  return model;
}

void Model::save(const std::string& path) const {
  OutputFile file(path);
  file.write(to_bytes());
  file.commit();
}

Model Model::load(const std::string& path) {
  const std::string bytes = read_file(path, bytes_to_read);
  try {
    return from_bytes(bytes);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace taut
