#include <taut/data/csv_record.hpp>

#include <taut/core/error.hpp>
#include <taut/data/csv_file.hpp>
#include <taut/data/text_format.hpp>

#include <algorithm>
#include <utility>

namespace taut {

CsvOptions options_for(const std::vector<Column>& schema, CsvOptions options) {
  for (const Column& column : schema)
    for (const auto& word : column.missing_words)
      if (std::find(options.na.begin(), options.na.end(), word) == options.na.end()) options.na.push_back(word);
  return options;
}

std::vector<FieldPlan> plan_for(const CsvFile& file, const std::vector<Column>& schema, const std::vector<std::string>& keep,
                                const std::vector<std::string>& optional) {
  std::vector<FieldPlan> plan(file.names().size());
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!file.has(schema[i].name) && std::find(optional.begin(), optional.end(), schema[i].name) != optional.end()) continue;
    FieldPlan& field = plan[file.position_of(schema[i].name)];
    field.kind = schema[i].is_categorical() ? FieldPlan::Kind::category : FieldPlan::Kind::number;
    field.kind_is_known = true;
    field.column = static_cast<Index>(i);
    field.known = {.name = {}, .kind = schema[i].kind, .format = schema[i].format};
    field.is_strict = schema[i].is_strict;
    field.categories = Categories(schema[i].categories);
  }
  for (std::size_t i = 0; i < keep.size(); ++i) {
    FieldPlan& field = plan[file.position_of(keep[i])];
    if (field.kept >= 0) throw UsageError("the column '" + keep[i] + "' is to be kept twice; name it once");
    field.kept = static_cast<Index>(i);
  }
  return plan;
}

RecordParser::RecordParser(const CsvFormat& format, const std::vector<FieldPlan>& plan, Mismatches mismatches)
    : format_(format), scanner_(format), plan_(plan), added_(plan.size()), mismatches_(std::move(mismatches)) {
  find_runs();
}

void RecordParser::find_runs() {
  runs_.assign(plan_.size() + 1, 0);
  for (std::size_t i = plan_.size(); i-- > 0;) {
    if (!plan_[i].reads_plain_numbers() || plan_[i].kept >= 0) continue;
    const bool goes_on = i + 1 < plan_.size() && plan_[i + 1].column == plan_[i].column + 1;
    runs_[i] = 1 + (goes_on ? runs_[i + 1] : 0);
  }
}

void RecordParser::parse(double* row, std::string* kept) {
  std::size_t field = 0;
  while (field < plan_.size() && scanner_.more()) {
    if (runs_[field] > 0) {
      const Index read = scanner_.numbers(row + plan_[field].column, runs_[field]);
      field += static_cast<std::size_t>(read);
      if (read > 0) continue;
    }
    parse_field(field++, row, kept);
  }
  if (field < plan_.size()) fill_optional(field, row, kept);
  if (scanner_.more()) fail_too_many();
}

void RecordParser::parse_field(std::size_t field, double* row, std::string* kept) {
  const FieldPlan& plan = plan_[field];
  const std::string_view text = scanner_.field();
  if (plan.kept >= 0) kept[plan.kept] = text;
  if (plan.kind == FieldPlan::Kind::skip) return;
  row[plan.column] = plan.kind == FieldPlan::Kind::number ? number(field, text) : category(field, text);
}

// A text that is a known category is that, even if it is also a word for a missing cell: a model may have learnt 'None'.
double RecordParser::category(std::size_t field, std::string_view text) {
  const FieldPlan& plan = plan_[field];
  const double code = plan.categories.find(text);
  if (code != plan.categories.other_code()) return code;
  if (format_.missing_words(text)) return missing;
  if (!plan.kind_is_known) return code + added_[field].find_or_add(text);
  if (const double other_spelling = plan.categories.find(category_key(text)); other_spelling != code) return other_spelling;
  mismatches_[static_cast<std::size_t>(plan.column)].add(text);
  return code;
}

double RecordParser::number(std::size_t field, std::string_view text) {
  const FieldPlan& plan = plan_[field];
  if (format_.missing_words(text)) return missing;
  if (const auto value = plan.kind_is_known ? read_text(text, plan.known) : cell_number(text))
    return plan.known.kind == ColumnKind::number && format_.missing_words.is_number(*value) ? missing : *value;
  if (plan.kind_is_known && plan.is_strict) fail_no_number(field, text);
  if (plan.kind_is_known)
    mismatches_[static_cast<std::size_t>(plan.column)].add(text);
  else if (runs_[field] > 0)
    turn(field);
  return missing;
}

// The field leaves its run, so that it is not asked for a number first.
void RecordParser::turn(std::size_t field) {
  turned_.push_back(field);
  runs_[field] = 0;
  for (std::size_t i = field; i-- > 0 && i + static_cast<std::size_t>(runs_[i]) > field;)
    runs_[i] = static_cast<Index>(field - i);
}

void RecordParser::fill_optional(std::size_t field, double* row, std::string* kept) const {
  if (field + format_.optional < plan_.size()) fail_too_few();
  for (; field < plan_.size(); ++field) {
    if (plan_[field].column >= 0) row[plan_[field].column] = missing;
    if (plan_[field].kept >= 0) kept[plan_[field].kept].clear();
  }
}

void RecordParser::fail_no_number(std::size_t field, std::string_view text) const {
  throw Error(scanner_.where() + ", column '" + format_.names[field] + "': found " + quoted_cell(text) +
              ", but this column holds numbers; allowed are numbers such as 12.5 or 1e-3, and for a missing value " +
              std::string(missing_cells_in_words));
}

void RecordParser::fail_too_few() const {
  throw Error(scanner_.where() + ": found " + std::to_string(scanner_.position()) + " fields, but the header names " +
              std::to_string(format_.names.size()) + " columns; column '" +
              format_.names[static_cast<std::size_t>(scanner_.position())] +
              "' and all after it are not there: add what is missing, or delete the line");
}

void RecordParser::fail_too_many() {
  const std::string extra = quoted_cell(scanner_.field());
  try {
    while (scanner_.more()) scanner_.field();
  } catch (const Error&) {  // the line has another fault beyond; this one comes first
  }
  const std::string delimiter = scanner_.delimiter() == '\t' ? "tab" : std::string(1, scanner_.delimiter());
  throw Error(scanner_.where() + ": found " + std::to_string(scanner_.position()) + " fields, but the header names " +
              std::to_string(format_.names.size()) + " columns; the first one too many, after column '" + format_.names.back() +
              "', is " + extra + ": put quotes around a text that holds the delimiter '" + delimiter + "', or delete the line");
}

}  // namespace taut
