#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/model/file.hpp>
#include <taut/model/stream_report.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>

namespace taut {

namespace {

Value columns_of(const Model& model) {
  return value_list(model.prediction_schema(), [](const Column& column) {
    Value one = Value::object({{"name", column.name}, {"kind", name_of(column.kind)}});
    if (const auto example = example_of(column.format); !example.empty()) one.set("format", example);
    if (column.is_categorical()) one.set("categories", column.categories);
    return one;
  });
}

Value rows_of(const Model& model) {
  const FitRecord& record = model.record();
  return Value::object({{"source", record.source},
                        {"all", record.rows},
                        {"predictor", record.predictor_rows},
                        {"transform", record.transform_rows},
                        {"validation", record.validation_rows},
                        {"without_target", record.skipped_rows},
                        {"of_weight_0", record.rows_of_weight_0},
                        {"calibration", model.calibration_rows()}});
}

// The coverage guarantee at the usual levels, if it is the same for all rows.
Value levels_of(const Model& model) {
  Value::List levels;
  const CalibrationKind kind = kind_of(model);
  for (const double level : usual_levels(model))
    if (kind == CalibrationKind::plain)
      levels.push_back(
          Value::object({{"confidence", level},
                         {"sure", model.sure()},
                         {"rank", model.distribution().rank(level)},
                         {"delivered", model.options().is_in_order() ? missing : model.distribution().delivered(level)}}));
    else if (kind == CalibrationKind::held_out)
      levels.push_back(Value::object({{"confidence", level}, {"at_worst", model.worst_coverage(level)}}));
  return levels;
}

// Which calibration rows count for a new row.
Value calibration_of(const Model& model) {
  const Value groups = value_list(model.calibration_groups(), [](const GroupSize& group) {
    return Value::object({{"name", group.name}, {"rows", group.rows}});
  });
  return Value::object({{"kind", model.calibration_kind()},
                        {"by", model.describe_groups()},
                        {"groups", groups},
                        {"notes", model.calibration_notes()}});
}

// The state of the stream; null if nothing was streamed.
Value stream_of(const Model& model) {
  const LevelStream* stream = model.stream_state();
  if (stream == nullptr) return {};
  Value facts = facts_of(*stream);
  facts.set("scores", std::ssize(stream->scores()));
  facts.set("time", model.time().name);
  facts.set("latest", model.time().name.empty() ? Value() : Value(describe_time(model.latest_time(), model.time())));
  return facts;
}

// The kinds that were inferred for the columns of the training table.
Value notes_of(const FitRecord& record) {
  return value_list(record.columns, [](const ColumnNote& note) {
    return Value::object(
        {{"name", note.column}, {"kind", note.taken_for}, {"left_out", note.is_left_out}, {"words", note.words}});
  });
}

Value options_of(const FitOptions& options) {
  Value facts = Value::object();
  for_each_option(options, [&facts](const OptionText& text, const auto& value) {
    if (text.stored != Stored::never) facts.set(fact_name(text), value);
  });
  return facts;
}

Value info_of(const Model& model, std::string_view file) {
  const FitRecord& record = model.record();
  Value facts = Value::object({{"version", record.version},
                               {"format", stored_version(file)},
                               {"checksum", checksum_text(stored_checksum(file))},
                               {"task", model.task().name()},
                               {"target", model.options().target},
                               {"seed", model.options().seed},
                               {"fell_back", record.fell_back},
                               {"rows", rows_of(model)},
                               {"levels", levels_of(model)},
                               {"calibration", calibration_of(model)},
                               {"stream", stream_of(model)},
                               {"columns", columns_of(model)},
                               {"column_notes", notes_of(record)},
                               {"options", options_of(model.options())}});
  facts.merge(model.facts());
  return facts;
}

std::string describe_columns(const Model& model) {
  constexpr std::size_t max_categories = 8;
  std::string text;
  for (const Column& column : model.prediction_schema()) {
    text += "    " + column.name;
    if (column.is_categorical()) {
      const auto shown = std::span(column.categories).first(std::min(max_categories, column.categories.size()));
      text += " (" + print_count(static_cast<long long>(column.categories.size())) + " categories: " + join(shown, ", ") +
              (shown.size() < column.categories.size() ? ", ..." : "") + ")";
    }
    if (column.kind == ColumnKind::boolean || column.kind == ColumnKind::date)
      text += " (" + std::string(name_of(column.kind)) + ")";
    if (const auto example = example_of(column.format); !example.empty()) text += " (written like " + example + ")";
    text += "\n";
  }
  for (const ColumnNote& note : model.record().columns)
    if (note.is_left_out) text += "    " + note.column + " (" + note.words + ")\n";
  std::string notes;
  for (const ColumnNote& note : model.record().columns)
    if (!note.is_left_out) notes += "    " + note.column + ": " + note.words + "\n";
  return text + (notes.empty() ? "" : "  how columns were read\n" + notes);
}

std::string describe_stream(const Model& model) {
  std::string text;
  if (!model.time().name.empty())
    text += format_text("  rows up to {} by '{}'\n", describe_time(model.latest_time(), model.time()), model.time().name);
  const LevelStream* stream = model.stream_state();
  if (stream == nullptr || stream->rows() == 0) return text;
  text += format_text("  a stream of {}, {} learnt from, by {}{}; for", counted(stream->rows(), "row"),
                      counted(stream->targets(), "target"), stream->settings().controller,
                      stream->settings().at_least ? ", at least the level" : "");
  for (std::size_t i = 0; i < stream->levels().size(); ++i)
    text += (i == 0 ? " " : ", ") + print_number(stream->levels()[i]) + " it now uses " + print_rounded(stream->asked()[i], 4);
  return text + "\n";
}

std::string describe(const Model& model, const std::string& path, std::string_view file) {
  const std::string format = example_of(model.target().format), target = model.describe_target(40);
  const FitRecord& record = model.record();
  std::string rows = describe_rows(model);
  if (record.skipped_rows > 0) rows += format_text(" ({} without a target left out)", counted(record.skipped_rows, "row"));
  for (const auto& line : describe_weights(model))
    if (!line.ends_with("without a target left out")) rows += "\n  " + line;
  if (const auto quality = model.describe_out_of_fold(); !quality.empty()) rows += "\n  " + quality;
  return format_text(
      "{}: {}\n  written by Taut {}, format {}, checksum {}\n  target '{}'{}, seed {}{}\n  {}\n  columns\n{}{}{}{}", path,
      model.describe_parts(), record.version, stored_version(file), checksum_text(stored_checksum(file)), model.options().target,
      format.empty() ? "" : format_text(" (written like {})", format), model.options().seed, target.empty() ? "" : ", " + target,
      rows, describe_columns(model), model.describe_fit(), describe_stream(model), describe_calibration(model));
}

class Info final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.flag({"json", "", "for programs: everything that the file contains, as JSON"}, json_);
  }

  void run(Terminal&) override {
    const Model model = Model::load(model_);
    const std::string file = read_whole_file(model_);
    write_result(json_ ? json_text(json_of(info_of(model, file))) : describe(model, model_, file));
  }

 private:
  std::string model_;
  bool json_ = false;
};

}  // namespace

Listed<Command> info_command() {
  return listed_command<Info>("info", "shows what a model file contains", "taut info houses.taut");
}

}  // namespace taut
