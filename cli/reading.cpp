// How commands read files: the options of CSV files, and those of new rows for a model.
#include <cli/arguments.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/table_file.hpp>

#include <algorithm>

namespace taut {

void CsvArguments::add(Arguments& arguments) {
  arguments.option(
      {"delimiter", "CHAR", "the character between cells, 'tab', or 'blanks' for runs of blanks; detected if not given"},
      delimiter_);
  arguments.flag({"no-header", "", "the first line is a row; the columns are named column1, column2, ... by their position"},
                 no_header_);
}

CsvOptions CsvArguments::options(const ExecutionContext& context) const {
  CsvOptions options;
  options.context = &context;
  options.has_header = !no_header_;
  options.has_blanks = delimiter_ == "blanks";
  if (delimiter_.empty() || options.has_blanks) return options;
  const std::string text = delimiter_ == "tab" || delimiter_ == "\\t" ? "\t" : delimiter_;
  if (text.size() != 1) throw UsageError(format_text("--delimiter takes one character, 'tab' or 'blanks', got '{}'", delimiter_));
  options.delimiter = text.front();
  return options;
}

void set_csv_options(const FitOptions& options, CsvOptions& csv) {
  csv.as_texts = options.decimal == ",";
  csv.na = options.na;
  // The cells of these columns keep their text: the zip codes 01 and 1 differ.
  csv.categories = options.categorical;
  for (const auto& text : options.date) {
    const bool has_order = text.ends_with(":dmy") || text.ends_with(":mdy") || text.ends_with(":ymd");
    csv.categories.push_back(has_order ? text.substr(0, text.size() - 4) : text);
  }
  for (const auto& text : options.ordered) csv.categories.push_back(text.substr(0, text.rfind(':')));
}

namespace {

// The table in which the columns of the model are read with other decimal points. Other columns keep their texts.
TableView with_columns_read(const TableView& table, const Model& model, const Reading& reading) {
  std::vector<Column> known, others;
  for (const Column& column : reading.applied_to(model.calibration_schema()))
    if (find_column(table.columns(), column.name)) known.push_back(column);
  for (const Column& column : table.columns())
    if (!find_column(known, column.name)) others.push_back(column);
  TableView result = table.matched(known);
  result.append(table.matched(others));
  return result;
}

}  // namespace

TableView open_whole_table(const Model& model, const std::string& path, CsvOptions csv, const Reading& reading) {
  set_csv_options(model.options(), csv);
  csv.na.insert(csv.na.end(), reading.na.begin(), reading.na.end());
  for (const Column& column : model.input_schema())
    if (column.is_categorical()) csv.categories.push_back(column.name);
  if (model.target().is_categorical()) csv.categories.push_back(model.target().name);
  if (!reading.decimal.empty()) csv.as_texts = true;
  const TableView table = open_table(path, csv).with_missing(reading.na);
  return reading.decimal.empty() ? table : with_columns_read(table, model, reading);
}

void NewRowsArguments::add(Arguments& arguments) {
  arguments.option({"decimal", "CHAR", "the decimal point of numbers in these rows, '.' or ','; if not given, as in the fit"},
                   reading_.decimal);
  arguments.option({"na", "TEXT,...", "further texts that mean a missing cell in these rows, besides those of the fit"},
                   reading_.na);
  csv_.add(arguments);
}

CsvOptions NewRowsArguments::options(const ExecutionContext& context) const {
  reading_.check();
  CsvOptions csv = csv_.options(context);
  csv.na = reading_.na;
  return csv;
}

std::vector<Column> NewRowsArguments::applied_to(const std::vector<Column>& schema, const ExecutionContext& context) const {
  for (const auto& words : reading_.remarks(schema)) context.tell(words);
  return reading_.applied_to(schema);
}

TableView NewRowsArguments::open_as(const std::vector<Column>& schema, const std::string& path,
                                    const ExecutionContext& context) const {
  const CsvOptions csv = options(context);
  return open_table_as(applied_to(schema, context), path, csv);
}

TableView NewRowsArguments::open_whole(const Model& model, const std::string& path, const ExecutionContext& context) const {
  const CsvOptions csv = options(context);
  for (const auto& words : reading_.remarks(model.evaluation_schema())) context.tell(words);
  return open_whole_table(model, path, csv, reading_);
}

TableView NewRowsArguments::open_test_rows(const Model& model, const std::string& path, const ExecutionContext& context,
                                           bool whole) const {
  // Groups of rows are identified by a column that the model itself may not use.
  return whole || kind_of(model) == CalibrationKind::hierarchical ? open_whole(model, path, context)
                                                                  : open_as(model.evaluation_schema(), path, context);
}

void add_skip_missing_target(Arguments& arguments, bool& value) {
  arguments.flag({"skip-missing-target", "", "leave out rows without a target instead of stopping, and count them"}, value);
}

}  // namespace taut
