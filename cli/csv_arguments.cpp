#include <cli/csv_arguments.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/data/table_file.hpp>

namespace taut {

void CsvArguments::add(Arguments& arguments) {
  arguments.option({"delimiter", "CHAR", "what separates the cells, or 'tab'; found out where not given"}, delimiter_);
}

void read_by(const FitOptions& options, CsvOptions& csv) {
  csv.as_texts = options.decimal == ",";
  csv.na = options.na;
  // Their texts are needed as they are written: 01 is another zip code than 1.
  csv.categories = options.categorical;
  for (const auto& text : options.date) {
    const bool has_order = text.ends_with(":dmy") || text.ends_with(":mdy") || text.ends_with(":ymd");
    csv.categories.push_back(has_order ? text.substr(0, text.size() - 4) : text);
  }
  for (const auto& text : options.ordered) csv.categories.push_back(text.substr(0, text.rfind(':')));
}

TableView open_whole_table(const Model& model, const std::string& path, CsvOptions csv) {
  read_by(model.options(), csv);
  for (const Column& column : model.input_schema())
    if (column.is_categorical()) csv.categories.push_back(column.name);
  if (model.target().is_categorical()) csv.categories.push_back(model.target().name);
  return open_table(path, csv);
}

void refuse_standard_input(const std::string& path) {
  if (path == "-")
    throw UsageError(
        "--check-shift: the model counts groups of rows (--keep-together), and finds them in a second reading of the rows; give "
        "a file instead of standard input");
}

TableView open_test_rows(const Model& model, const std::string& path, const CsvOptions& csv, bool whole) {
  // Which rows belong together is told by texts that the model need not know.
  return whole || kind_of(model) == CalibrationKind::hierarchical ? open_whole_table(model, path, csv)
                                                             : open_table_as(model.evaluation_schema(), path, csv);
}

CsvOptions CsvArguments::options(const ExecutionContext& context) const {
  CsvOptions options;
  options.context = &context;
  if (delimiter_.empty()) return options;
  const std::string text = delimiter_ == "tab" || delimiter_ == "\\t" ? "\t" : delimiter_;
  if (text.size() != 1) throw UsageError("--delimiter takes one character or 'tab', got '" + delimiter_ + "'");
  options.delimiter = text.front();
  return options;
}

}  // namespace taut
