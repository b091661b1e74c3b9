#include <cli/classes/doors.hpp>
#include <cli/info_json.hpp>
#include <cli/summary.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/model/file.hpp>

#include <cmath>

namespace taut {

namespace {

Json sets_json(const Classifier& model, std::string_view file) {
  const FitRecord& record = model.record();
  const LabelRecord& own = model.label_record();
  Json members = Json::object();
  for (const auto& [name, weight] : model.predictor_members()) members[name] = json_number(weight);
  const auto three = [](double without, double with, double error) {
    return Json{{"without", json_number(without)}, {"with", json_number(with)}, {"standard_error", json_number(error)}};
  };
  const Json losses = three(own.loss_without, own.loss_with, own.loss_error), losses_unknown = three(missing, missing, missing);
  Json options = options_json(model.options()), columns = Json::array();
  add_options(options, model.label_options(), [](const auto& all, auto visit) { for_each_label_option(all, visit); });
  for (const Column& column : model.prediction_schema()) {
    Json one = {{"name", column.name}, {"kind", name_of(column.kind)}};
    if (column.is_categorical()) one["categories"] = column.categories;
    columns.push_back(std::move(one));
  }
  return {{"version", record.version},
          {"format", stored_version(file)},
          {"checksum", checksum_text(stored_checksum(file))},
          {"task", "classes"},
          {"target", model.options().target},
          {"labels", model.labels()},
          {"seed", model.options().seed},
          {"parts",
           {{"predictor", members.empty()      ? "columns"
                          : members.size() > 1 ? "pool"
                                               : members.begin().key()},
            {"predictor_weights", members},
            {"trees", model.trees()},
            {"mended_trees", model.mended_trees()},
            {"temperature", json_number(1 / own.inverse_temperature)},
            {"score", model.label_options().score_in_force()},
            {"transform", own.trained ? "odds" : "fixed"},
            {"objective", own.objective},
            {"members", model.members()}}},
          {"fell_back", record.fell_back},
          {"validation", three(own.without, own.with, own.error)},
          {"mending", members.empty() ? losses : losses_unknown},
          {"pooling", members.empty() ? losses_unknown : losses},
          {"rows",
           {{"source", record.source},
            {"all", record.rows},
            {"predictor", record.predictor_rows},
            {"transform", record.transform_rows},
            {"validation", record.validation_rows},
            {"without_target", record.skipped_rows},
            {"calibration", model.law().rows()}}},
          {"calibration", calibration_json(model)},
          {"stream", stream_json(model)},
          {"columns", columns},
          {"column_notes", notes_json(record)},
          {"options", options}};
}

std::string sets_in_words(const Classifier& model, const std::string& path, std::string_view file) {
  const FitRecord& record = model.record();
  const LabelRecord& own = model.label_record();
  std::string text = path + ": " + model.task().describe_parts(model.parts()) + "\n";
  text += "  written by Taut " + record.version + ", format " + std::to_string(stored_version(file)) + ", checksum " +
          checksum_text(stored_checksum(file)) + "\n";
  text += "  target '" + model.options().target + "', seed " + std::to_string(model.options().seed) + ", " +
          model.task().describe_target(model.parts(), 40) + "\n";
  text += "  probabilities at temperature " + print_rounded(1 / own.inverse_temperature) + "\n";
  const auto members = model.predictor_members();
  if (!std::isnan(own.loss_with) && !members.empty()) {
    const bool alone = members.size() == 1 && members.front().first == "boost";
    text += "  log loss of out-of-fold rows: " + print_rounded(own.loss_without) + " by boosted trees alone, " +
            print_rounded(own.loss_with) + " with logistic regression beside them" + (alone ? ", which is not better" : "") +
            " (error of the difference " + print_rounded(own.loss_error, 2) + ")\n";
    if (!alone)
      for (const auto& [name, weight] : members) text += "    " + name + ": its logits count " + print_rounded(weight, 2) + "\n";
  } else if (!std::isnan(own.loss_with))
    text += "  log loss of validation rows: " + print_rounded(own.loss_without) + " as given, " + print_rounded(own.loss_with) +
            " mended by boosted trees" + (own.mended ? "" : ", which is not better") + " (error of the difference " +
            print_rounded(own.loss_error, 2) + ")\n";
  if (!own.objective.empty())
    text += std::string("  on validation rows: ") +
            (model.options().objective == "conditional" ? "loss of equal coverage " : "mean size ") + print_rounded(own.without) +
            " with one cut-off everywhere, " + print_rounded(own.with) + " with one for each row, trained by " + own.objective +
            " (error of the difference " + print_rounded(own.error, 2) + ")\n";
  text += "  " + counted(record.rows, "row") + " of " + record.source + ": predictor " + print_count(record.predictor_rows) +
          ", transformation " + print_count(record.transform_rows) + ", calibration " + print_count(model.law().rows()) + "\n";
  text += "  columns\n";
  for (const Column& column : model.prediction_schema()) {
    text += "    " + column.name;
    if (column.kind != ColumnKind::number) text += " (" + std::string(name_of(column.kind)) + ")";
    if (const auto example = example_of(column.format); !example.empty()) text += " (written like " + example + ")";
    text += "\n";
  }
  for (const ColumnNote& note : record.columns)
    if (note.is_left_out) text += "    " + note.column + " (" + note.words + ")\n";
  return text + stream_in_words(model) + calibration_in_words(model);
}

}  // namespace

std::string info_of_sets(const Classifier& model, const std::string& path, std::string_view file, bool json) {
  return json ? json_text(sets_json(model, file)) : sets_in_words(model, path, file);
}

}  // namespace taut
