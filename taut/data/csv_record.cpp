#include <taut/data/csv_record.hpp>

#include <taut/core/error.hpp>
#include <taut/data/text_format.hpp>

#include <cmath>

namespace taut {

Categories::Categories(const std::vector<std::string>& texts) {
  for (const auto& text : texts) find_or_add(text);
}

double Categories::find(std::string_view text) const {
  auto found = codes_.find(text);
  if (found == codes_.end()) found = codes_.find(category_key(text));
  return found == codes_.end() ? other_code() : found->second;
}

double Categories::find_or_add(std::string_view text) {
  const auto found = codes_.find(text);
  if (found != codes_.end()) return found->second;
  const auto code = static_cast<double>(codes_.size());
  codes_.emplace(text, code);
  return code;
}

std::vector<std::string> Categories::in_order() const {
  std::vector<std::string> texts(codes_.size());
  for (const auto& [text, code] : codes_) texts[static_cast<std::size_t>(code)] = text;
  return texts;
}

RecordParser::RecordParser(CsvScanner& scanner, const std::vector<std::string>& names, std::vector<FieldPlan> plan,
                           Mismatches mismatches)
    : scanner_(scanner), names_(names), plan_(std::move(plan)), mismatches_(std::move(mismatches)) {
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

void RecordParser::end_run_at(std::size_t field) {
  runs_[field] = 0;
  for (std::size_t i = field; i-- > 0 && i + static_cast<std::size_t>(runs_[i]) > field;)
    runs_[i] = static_cast<Index>(field - i);
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
  if (field < plan_.size()) fail_too_few();
  if (scanner_.more()) fail_too_many();
}

void RecordParser::parse_field(std::size_t field, double* row, std::string* kept) {
  FieldPlan& plan = plan_[field];
  const std::string_view text = scanner_.field();
  if (plan.kept >= 0) kept[plan.kept] = text;
  if (plan.kind == FieldPlan::Kind::skip) return;
  double& cell = row[plan.column];
  if (plan.kind == FieldPlan::Kind::number) {
    cell = number(field, text);
  } else {
    cell = is_missing_cell(text) ? missing : category(plan, text);
  }
}

double RecordParser::category(FieldPlan& plan, std::string_view text) {
  if (!plan.kind_is_known) return plan.categories.find_or_add(text);
  const double code = plan.categories.find(text);
  if (code == plan.categories.other_code()) mismatches_[static_cast<std::size_t>(plan.column)].add(text);
  return code;
}

double RecordParser::number(std::size_t field, std::string_view text) {
  FieldPlan& plan = plan_[field];
  if (const auto value = plan.kind_is_known ? read_text(text, plan.known) : cell_number(text)) return *value;
  if (is_missing_cell(text)) return missing;
  if (plan.kind_is_known && !plan.is_strict) {
    mismatches_[static_cast<std::size_t>(plan.column)].add(text);
    return missing;
  }
  if (plan.kind_is_known)
    throw Error(
        scanner_.where() + ", column '" + names_[field] + "': found " + quoted_cell(text) +
        ", but this column holds numbers; allowed are numbers such as 12.5 or 1e-3, and for a missing value an empty cell, "
        "NA, NaN or null");
  plan.kind = FieldPlan::Kind::category;
  turned_.push_back(plan.column);
  end_run_at(field);
  return plan.categories.find_or_add(text);
}

void RecordParser::fail_too_few() const {
  throw Error(scanner_.where() + ": found " + std::to_string(scanner_.position()) + " fields, but the header names " +
              std::to_string(names_.size()) + " columns; column '" + names_[static_cast<std::size_t>(scanner_.position())] +
              "' and all after it are not there: add what is missing, or delete the line");
}

void RecordParser::fail_too_many() {
  const std::string extra = quoted_cell(scanner_.field());
  while (scanner_.more()) scanner_.field();
  const std::string delimiter = scanner_.delimiter() == '\t' ? "tab" : std::string(1, scanner_.delimiter());
  throw Error(scanner_.where() + ": found " + std::to_string(scanner_.position()) + " fields, but the header names " +
              std::to_string(names_.size()) + " columns; the first one too many, after column '" + names_.back() + "', is " +
              extra + ": put quotes around a text that holds the delimiter '" + delimiter + "', or delete the line");
}

}  // namespace taut
