#include <taut/report/facts.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/model/option_words.hpp>
#include <taut/report/words.hpp>

#include <algorithm>

namespace taut {

namespace {

std::string or_else(const std::string& text, const std::string& other) { return text.empty() ? other : text; }

// Cross-fitted jobs share their rows; without folds every row has one job. Other calibration rows came from another file.
bool calibrated_elsewhere(const Regressor& model) {
  const FitRecord& record = model.record();
  const Index calibration = model.law().rows();
  const bool trained = record.predictor_rows + record.transform_rows + record.validation_rows > 0;
  if (!trained) return calibration > record.rows;  // rows without a job: the numbers do not tell
  const Index rows = record.rows - record.skipped_rows;
  const Index shared = std::max({record.predictor_rows, record.transform_rows, record.validation_rows});
  const Index separate = record.predictor_rows + record.transform_rows + record.validation_rows;
  const Index partly = record.predictor_rows + std::max(record.transform_rows, record.validation_rows);
  return shared + calibration != rows && separate + calibration != rows && partly + calibration != rows;
}

FactGroup parts(const Regressor& model) {
  const FitOptions& options = model.options();
  const FitRecord& record = model.record();
  FactGroup group{"The model", {}};
  const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
  const auto given = options.prediction_columns();
  add("Predictor", given.empty()       ? options.predictor
                   : given.size() == 1 ? "given, column '" + given[0] + "'"
                                       : "given, columns '" + given[0] + "' and '" + given[1] + "'");
  const bool fixed = model.transform().n_params() == 0;
  add("Transformation",
      fixed ? (record.fell_back ? "one width everywhere: nothing better on validation rows" : "one width everywhere")
            : model.transform_name());
  if (!fixed) {
    const Index members = model.members();
    add("Localizer", options.localizer + (members > 1 ? ", mean of " + std::to_string(members) : ""));
    add("Objective", options.objective_in_force(model.transform_name()));
    add("Sides", model.exponents().empty() ? "a " + model.transform_name() + " without a scale"
                 : model.sides() == 2      ? "a scale for each end"
                                           : "one scale for both ends");
  }
  add("Seed", std::to_string(options.seed));
  add("Checksum", checksum_text(stored_checksum(model.to_bytes())));
  add("Fitted with", "Taut " + or_else(record.version, std::string(version)));
  return group;
}

FactGroup data(const Regressor& model, const TableView& test) {
  const FitRecord& record = model.record();
  FactGroup group{"The data", {}};
  const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
  add("Target", model.options().target);
  add("Fitted on", counted(record.rows, "row") + " of " + record.source);
  if (record.skipped_rows > 0) add("Rows without a target", print_count(record.skipped_rows) + ", left out");
  if (record.predictor_rows > 0) add("Rows for the predictor", print_count(record.predictor_rows));
  if (record.transform_rows > 0) add("Rows for the transformation", print_count(record.transform_rows));
  if (record.validation_rows > 0) add("Rows for validation", print_count(record.validation_rows));
  add("Rows for calibration", print_count(model.law().rows()) + (calibrated_elsewhere(model) ? ", from another file" : ""));
  if (kind_of(model) != CalibrationKind::plain)
    add("Calibration", model.calibration_kind() + (model.groups_in_words().empty() ? "" : " (" + model.groups_in_words() + ")"));
  add("Tested on", counted(test.rows(), "row") + " of " + test.source());
  add("Input columns",
      print_count(std::ssize(model.input_schema())));
  return group;
}

}  // namespace

FactGroup column_facts(const FitRecord& record) {
  FactGroup group{"Columns that are not plain numbers", {}};
  for (const ColumnNote& note : record.columns) group.facts.emplace_back(note.column, note.words);
  return group;
}

FactGroup option_facts(const FitOptions& options) {
  FactGroup group{"All options of the fit", {}};
  visit_option_words(options, [&](const std::string& name, const std::string& value, bool) {
    group.facts.emplace_back("--" + name, value.empty() ? "(its own default)" : value);
  });
  return group;
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:,=+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<FactGroup> facts(const Regressor& model, const TableView& test, const ReportOptions&) {
  std::vector<FactGroup> groups = {data(model, test), parts(model)};
  if (!model.record().columns.empty()) groups.push_back(column_facts(model.record()));
  groups.push_back(option_facts(model.options()));
  return groups;
}

std::vector<std::string> commands_to_reproduce(const Regressor& model, const TableView& test, const ReportOptions& options) {
  const std::string file = or_else(options.model_file, "model.taut");
  std::string fit = "taut fit " + shell_word(model.record().source);
  visit_option_words(model.options(), [&](const std::string& name, const std::string& value, bool differs) {
    if (differs) fit += is_flag(name) ? " --" + name : option_word(name, value);
  });
  if (calibrated_elsewhere(model)) fit += " --calibrate-with CALIBRATION.csv";
  return {fit + " -o " + shell_word(file), report_command_again(test, options)};
}

std::string option_word(const std::string& name, const std::string& value) {
  return " --" + name + (value.starts_with('-') ? "=" : " ") + shell_word(value);
}

std::string report_command_again(const TableView& test, const ReportOptions& options) {
  std::string report = "taut report " + shell_word(or_else(options.model_file, "model.taut")) + " " +
                       shell_word(test.source()) + " --confidence " + print_number(options.confidence);
  if (!options.by.empty()) report += " --by " + shell_word(join(options.by, ","));
  if (!options.unit.empty()) report += " --unit " + shell_word(options.unit);
  if (!options.title.empty()) report += " --title " + shell_word(options.title);
  return report + " -o " + shell_word(or_else(options.report_file, "report.html"));
}

}  // namespace taut
