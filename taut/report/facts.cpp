#include <taut/report/facts.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/options/options.hpp>
#include <taut/report/document.hpp>

#include <algorithm>

namespace taut {

namespace {

std::string or_else(const std::string& text, const std::string& other) { return text.empty() ? other : text; }

// True if the numbers of rows show that calibration rows came from another file. With cross-fitting, rows are shared between jobs
// (predictor, transformation, validation); otherwise each row has one job.
bool calibrated_elsewhere(const Model& model) {
  const FitRecord& record = model.record();
  const Index calibration = model.distribution().rows();
  const bool trained = record.predictor_rows + record.transform_rows + record.validation_rows > 0;
  if (!trained) return calibration > record.rows;  // the numbers of rows do not show it
  const Index rows = record.rows - record.skipped_rows - record.rows_of_weight_0;
  const Index shared = std::max({record.predictor_rows, record.transform_rows, record.validation_rows});
  const Index separate = record.predictor_rows + record.transform_rows + record.validation_rows;
  const Index partly = record.predictor_rows + std::max(record.transform_rows, record.validation_rows);
  return shared + calibration != rows && separate + calibration != rows && partly + calibration != rows;
}

FactGroup facts_of_data(const ReportContents& contents) {
  const TableView& test = contents.rows.table;
  const Model& model = contents.rows.model;
  const FitRecord& record = model.record();
  FactGroup group{"The data", {}};
  const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
  add("Target", model.options().target);
  contents.add_facts_of_data(group);
  add("Fitted on", format_text("{} of {}", counted(record.rows, "row"), record.source));
  if (record.skipped_rows > 0) add("Rows without a target", print_count(record.skipped_rows) + ", left out");
  if (record.rows_of_weight_0 > 0) add("Rows of weight 0", print_count(record.rows_of_weight_0) + ", left out");
  if (!model.options().sample_weight.empty()) add("Rows count by", model.options().sample_weight);
  if (record.predictor_rows > 0) add("Rows for the predictor", print_count(record.predictor_rows));
  if (record.transform_rows > 0) add("Rows for the transformation", print_count(record.transform_rows));
  if (record.validation_rows > 0) add("Rows for validation", print_count(record.validation_rows));
  add("Rows for calibration",
      print_count(model.distribution().rows()) + (calibrated_elsewhere(model) ? ", from another file" : ""));
  if (kind_of(model) != CalibrationKind::plain)
    add("Calibration", model.describe_groups().empty()
                           ? model.calibration_kind()
                           : format_text("{} ({})", model.calibration_kind(), model.describe_groups()));
  add("Tested on", format_text("{} of {}", counted(test.rows(), "row"), test.source()));
  add("Input columns", print_count(std::ssize(model.input_schema())));
  return group;
}

FactGroup facts_of_model(const ReportContents& contents) {
  const Model& model = contents.rows.model;
  FactGroup group{"The model", {}};
  contents.add_facts_of_model(group);
  group.facts.emplace_back("Seed", std::to_string(model.options().seed));
  group.facts.emplace_back("Checksum", checksum_text(stored_checksum(model.to_bytes())));
  group.facts.emplace_back("Fitted with", "Taut " + or_else(model.record().version, std::string(version)));
  return group;
}

}  // namespace

std::vector<FactGroup> facts(const ReportContents& contents) {
  const Model& model = contents.rows.model;
  std::vector<FactGroup> groups = {facts_of_data(contents), facts_of_model(contents)};
  if (!model.record().columns.empty()) {
    FactGroup& group = groups.emplace_back("Columns that are not plain numbers");
    for (const ColumnNote& note : model.record().columns) group.facts.emplace_back(note.column, note.words);
  }
  FactGroup& group = groups.emplace_back("All options of the fit");
  visit_option_texts(model.options(), [&](const std::string& name, const std::string& value, bool) {
    group.facts.emplace_back("--" + name, value.empty() ? "(default)" : value);
  });
  return groups;
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

std::string option_word(const std::string& name, const std::string& value) {
  return " --" + name + (value.starts_with('-') ? "=" : " ") + shell_word(value);
}

std::vector<std::string> commands_to_reproduce(const ReportContents& contents) {
  const Model& model = contents.rows.model;
  const ReportOptions& options = contents.options;
  const std::string file = shell_word(or_else(options.model_file, "model.taut"));
  std::string fit = "taut fit " + shell_word(model.record().source);
  visit_option_texts(model.options(), [&](const std::string& name, const std::string& value, bool differs) {
    if (differs) fit += is_flag(name) ? " --" + name : option_word(name, value);
  });
  fit += contents.own_options();
  if (calibrated_elsewhere(model)) fit += " --calibrate-with CALIBRATION.csv";
  std::string report = format_text("taut report {} {} --confidence {}", file, shell_word(contents.rows.table.source()),
                                   print_number(options.confidence));
  if (!options.by.empty()) report += " --by " + shell_word(join(options.by, ","));
  if (!options.unit.empty()) report += " --unit " + shell_word(options.unit);
  if (!options.title.empty()) report += " --title " + shell_word(options.title);
  return {fit + " -o " + file, report + " -o " + shell_word(or_else(options.report_file, "report.html"))};
}

}  // namespace taut
