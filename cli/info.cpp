#include <cli/classes/doors.hpp>
#include <cli/command.hpp>
#include <cli/info_json.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/model/file.hpp>
#include <taut/task/any_model.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

Json columns_json(const Regressor& model) {
  Json json = Json::array();
  for (const Column& column : model.prediction_schema()) {
    Json one = {{"name", column.name}, {"kind", name_of(column.kind)}};
    if (column.format != TextFormat{}) one["format"] = example_of(column.format);
    if (column.is_categorical()) one["categories"] = column.categories;
    json.push_back(std::move(one));
  }
  return json;
}

Json parts_json(const Regressor& model) {
  const FitOptions& options = model.options();
  Json json = {{"predictor", options.has_given_predictions() ? "column" : options.predictor},
               {"transform", model.transform_name()},
               {"localizer", model.transform().n_params() == 0 ? "none" : options.localizer},
               {"members", model.members()},
               {"sides", model.sides()},
               {"exponents", numbers_json(model.exponents())}};
  if (const ForeignModel* foreign = model.imported())
    json["imported"] = {{"library", foreign->library}, {"version", foreign->version},    {"objective", foreign->objective},
                        {"source", foreign->source},   {"trees", foreign->trees.size()}, {"notes", foreign->notes}};
  return json;
}

Json rows_json(const Regressor& model) {
  const FitRecord& record = model.record();
  return {{"source", record.source},
          {"all", record.rows},
          {"predictor", record.predictor_rows},
          {"transform", record.transform_rows},
          {"validation", record.validation_rows},
          {"without_target", record.skipped_rows},
          {"calibration", model.calibration_rows()}};
}

Json stack_json(const FitRecord& record) {
  Json json = Json::array();
  for (const StackMemberRecord& member : record.stack)
    json.push_back({{"predictor", member.predictor},
                    {"target_scale", member.scale},
                    {"error", json_number(member.error)},
                    {"weight", json_number(member.weight)},
                    {"dropped", member.dropped}});
  return json;
}

Json candidates_json(const FitRecord& record) {
  Json json = Json::array();
  for (const auto& candidate : record.candidates)
    json.push_back({{"name", candidate.name},
                    {"transform", candidate.transform},
                    {"sides", candidate.sides},
                    {"validation_loss", json_number(candidate.validation_loss)},
                    {"standard_error", json_number(candidate.standard_error)},
                    {"kept", candidate.kept}});
  return json;
}

Json levels_json(const Regressor& model) {
  Json json = Json::array();
  for (const double level : usual_levels(model))
    if (kind_of(model) == CalibrationKind::plain)
      json.push_back({{"confidence", level},
                      {"sure", model.sure()},
                      {"rank", model.law().rank(level)},
                      {"delivered", model.options().is_in_order() ? Json() : Json(json_number(model.law().delivered(level)))}});
    else if (kind_of(model) == CalibrationKind::held_out)
      json.push_back({{"confidence", level}, {"at_worst", model.worst_coverage(level)}});
  return json;
}

Json everything(const Regressor& model, std::string_view file) {
  const FitRecord& record = model.record();
  return {{"version", record.version},
          {"format", stored_version(file)},
          {"checksum", checksum_text(stored_checksum(file))},
          {"target", model.options().target},
          {"seed", model.options().seed},
          {"parts", parts_json(model)},
          {"fell_back", record.fell_back},
          {"rows", rows_json(model)},
          {"levels", levels_json(model)},
          {"calibration", calibration_json(model)},
          {"stream", stream_json(model)},
          {"columns", columns_json(model)},
          {"column_notes", notes_json(record)},
          {"options", options_json(model.options())},
          {"stack", stack_json(record)},
          {"candidates", candidates_json(record)},
          {"validation_curve", numbers_json(record.validation_curve)},
          {"best_epoch", record.best_epoch}};
}

std::string columns_in_words(const Regressor& model) {
  constexpr std::size_t most_categories = 8;
  std::string text;
  for (const Column& column : model.prediction_schema()) {
    text += "    " + column.name;
    if (column.is_categorical()) {
      const auto shown = std::span(column.categories).first(std::min(most_categories, column.categories.size()));
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
  return text;
}

std::string stack_in_words(const FitRecord& record) {
  if (record.stack.empty()) return "";
  TextTable table;
  table.row({"  predictor", "target", "error", "weight"});
  for (const StackMemberRecord& member : record.stack)
    table.row({"  " + member.predictor, member.scale, print_rounded(member.error, 4), print_rounded(member.weight, 2)},
              member.dropped ? "dropped: it lost on a part of the rows" : "");
  return table.text();
}

// Infinite where validation rows are too few for a standard error.
std::string error_in_words(double error) {
  if (std::isinf(error)) return "unknown: too few rows";
  return error > 0 ? print_rounded(error, 2) : "";
}

std::string limits_in_words(const Regressor& model) {
  std::string text;
  for (const LimitedMember& member : model.limited_members())
    text += "  predictions of " + member.predictor + " are held between " + print_rounded(member.lower, 5) + " and " +
            print_rounded(member.upper, 5) + ", near the training targets\n";
  return text;
}

std::string candidates_in_words(const FitRecord& record) {
  const auto& candidates = record.candidates;
  if (candidates.empty()) return "";
  const bool compete = std::any_of(candidates.begin(), candidates.end(), [](const auto& one) { return one.standard_error > 0; });
  TextTable table;
  table.row({"  candidate", "class", "sides", "validation loss", compete ? "error of the difference" : ""});
  for (const auto& one : candidates)
    table.row({"  " + one.name, one.transform, std::to_string(one.sides), print_rounded(one.validation_loss, 5),
               error_in_words(one.standard_error)},
              one.kept ? "kept" : "");
  return table.text();
}

std::string in_words(const Regressor& model, const std::string& path, std::string_view file) {
  const FitRecord& record = model.record();
  std::string text = path + ": " + model.task().describe_parts(model.parts()) + "\n";
  text += "  written by Taut " + record.version + ", format " + std::to_string(stored_version(file)) + ", checksum " +
          checksum_text(stored_checksum(file)) + "\n";
  const std::string format = example_of(model.target().format);
  text += "  target '" + model.options().target + "'" + (format.empty() ? "" : " (written like " + format + ")") + ", seed " +
          std::to_string(model.options().seed) + "\n";
  text += "  " + rows_in_words(model) + "\n";
  text += "  columns\n" + columns_in_words(model) + stack_in_words(record) + limits_in_words(model) + candidates_in_words(record);
  if (!record.validation_curve.empty())
    text += "  best after " + print_count(record.best_epoch) + " of " +
            print_count(static_cast<long long>(record.validation_curve.size()) - 1) + " epochs or rounds\n";
  return text + stream_in_words(model) + calibration_in_words(model);
}

class Info final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.flag({"json", "", "for programs: everything that the file knows, as JSON"}, json_);
  }

  void run(Terminal&) override {
    const AnyModel any = load_any_model(model_);
    const std::string file = read_whole_file(model_);
    if (const auto* sets = std::get_if<Classifier>(&any)) return write_result(info_of_sets(*sets, model_, file, json_));
    const Regressor& model = std::get<Regressor>(any);
    write_result(json_ ? json_text(everything(model, file)) : in_words(model, model_, file));
  }

 private:
  std::string model_;
  bool json_ = false;
};

}  // namespace

Listed<Command> info_command() { return listed_command<Info>("info", "shows what a model file knows", "taut info houses.taut"); }

}  // namespace taut
