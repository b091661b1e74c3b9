// What a caller of an ONNX graph must know, as JSON: which cells it takes, and what its outputs are.
#include <taut/export/exported.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/kinds/kinds.hpp>

namespace taut {

namespace {

std::string texts_as_json(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(json_string(text));
  return "[" + join(quoted, ", ") + "]";
}

std::string column_as_json(const Column& column) {
  std::string text =
      format_text("{}\"name\": {}, \"kind\": {}", "{", json_string(column.name), json_string(std::string(name_of(column.kind))));
  // The code of a category is its position; any other text has the code after the last.
  if (column.is_categorical())
    text += format_text(", \"categories\": {}, \"other\": {}", texts_as_json(column.categories), column.categories.size());
  if (column.kind == ColumnKind::date) text += ", \"unit\": \"seconds since 1970-01-01 UTC\"";
  return text + "}";
}

}  // namespace

std::string onnx_metadata(const Exported& model) {
  std::vector<std::string> columns, levels, names;
  for (const ExportedTarget& target : model.targets) names.push_back(target.name);
  const std::string target = model.has_one_target() ? format_text("\"target\": {}", json_string(names.front()))
                                                    : format_text("\"targets\": {}", texts_as_json(names));
  for (const Column& column : model.columns) columns.push_back(column_as_json(column));
  for (const double level : model.levels) levels.push_back(print_number(level));
  return format_text("{}\"version\": {}, {}, \"columns\": [{}], \"levels\": [{}], \"calibration_rows\": {}{}", "{",
                     json_string(std::string(version)), target, join(columns, ", "), join(levels, ", "), model.calibration_rows,
                     "}");
}

}  // namespace taut
