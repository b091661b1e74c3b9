#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>
#include <taut/model/option_words.hpp>
#include <taut/report/set_document.hpp>
#include <taut/report/words.hpp>

#include <type_traits>

namespace taut {

namespace {

FactGroup facts_of_rows(const Classifier& model, const TableView& test) {
  const FitRecord& record = model.record();
  FactGroup group{"The data", {}};
  const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
  add("Target", model.options().target);
  add("Labels", join(model.labels(), ", "));
  add("Fitted on", counted(record.rows, "row") + " of " + record.source);
  if (record.skipped_rows > 0) add("Rows without a target", print_count(record.skipped_rows) + ", left out");
  if (record.predictor_rows > 0) add("Rows for the predictor", print_count(record.predictor_rows));
  if (record.transform_rows > 0) add("Rows for the transformation", print_count(record.transform_rows));
  add("Rows for calibration", print_count(model.law().rows()));
  if (kind_of(model) != CalibrationKind::plain)
    add("Calibration", model.calibration_kind() + (model.groups_in_words().empty() ? "" : " (" + model.groups_in_words() + ")"));
  add("Tested on", counted(test.rows(), "row") + " of " + test.source());
  add("Input columns", print_count(std::ssize(model.input_schema())));
  return group;
}

FactGroup facts_of_parts(const Classifier& model) {
  const LabelRecord& record = model.label_record();
  FactGroup group{"The model", {}};
  const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
  const auto& prefix = model.label_options().probabilities;
  add("Predictor", prefix.empty() ? model.predictor_in_words() : "given, columns '" + prefix + "...'");
  if (record.mended) add("Probabilities", "mended by boosted trees, " + print_count(model.mended_trees()));
  add("Temperature", number_text(1 / record.inverse_temperature));
  add("Score", model.label_options().score_in_force());
  add("Shift of its odds", record.trained              ? "for each row, trained by " + record.objective
                           : model.record().fell_back ? "none: nothing better on validation rows"
                                                      : "none");
  add("Seed", std::to_string(model.options().seed));
  add("Checksum", checksum_text(stored_checksum(model.to_bytes())));
  add("Fitted with", "Taut " + (model.record().version.empty() ? std::string(version) : model.record().version));
  return group;
}

// Options of labels that were given, as one types them.
std::string words_of_class_options(const LabelOptions& options) {
  std::string words;
  const LabelOptions usual;
  std::vector<std::string> defaults;
  const auto text_of = []<class T>(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      return std::string(value ? "yes" : "");
    else
      return value;
  };
  for_each_label_option(usual, [&](const OptionText&, const auto& value) { defaults.push_back(text_of(value)); });
  std::size_t at = 0;
  for_each_label_option(options, [&]<class T>(const OptionText& text, const T& value) {
    if (const std::string own = text_of(value); own != defaults[at++])
      words += std::is_same_v<T, bool> ? " --" + std::string(text.name) : option_word(std::string(text.name), own);
  });
  return words;
}

}  // namespace

std::vector<FactGroup> facts(const Classifier& model, const TableView& test) {
  std::vector<FactGroup> groups = {facts_of_rows(model, test), facts_of_parts(model)};
  if (!model.record().columns.empty()) groups.push_back(column_facts(model.record()));
  groups.push_back(option_facts(model.options()));
  return groups;
}

std::vector<std::string> commands_to_reproduce(const Classifier& model, const TableView& test, const ReportOptions& options) {
  std::string fit = "taut fit " + shell_word(model.record().source);
  visit_option_words(model.options(), [&](const std::string& name, const std::string& value, bool differs) {
    if (differs) fit += is_flag(name) ? " --" + name : option_word(name, value);
  });
  fit += words_of_class_options(model.label_options());
  return {fit + " -o " + shell_word(options.model_file.empty() ? "model.taut" : options.model_file),
          report_command_again(test, options)};
}

}  // namespace taut
