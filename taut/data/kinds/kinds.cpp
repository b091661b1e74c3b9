#include <taut/data/kinds/kinds.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/kinds/column_classifier.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace taut {

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::number:
      return "number";
    case ColumnKind::boolean:
      return "boolean";
    case ColumnKind::date:
      return "date";
    case ColumnKind::category:
      return "category";
    case ColumnKind::ordered:
      return "ordered category";
  }
  return "";
}

std::string_view name_of(InferredColumn::Use use) {
  switch (use) {
    case InferredColumn::Use::input:
      return "input";
    case InferredColumn::Use::left_out:
      return "left out";
    case InferredColumn::Use::unclear:
      return "unclear";
  }
  return "";
}

bool is_code(const Column& column, double cell) {
  return std::isnan(cell) || (cell >= 0 && cell <= column.other_code() && cell == std::floor(cell));
}

std::string declared_name(const std::string& declaration, const TableView& table) {
  return parse_declaration(declaration, table).name;
}

std::vector<InferredColumn> infer_columns(const TableView& table, RowsView rows, const ColumnDeclarations& declarations) {
  const auto count = table.columns().size();
  const DecimalHint decimal = decimal_hint(table, rows, declarations.decimal);
  std::vector<std::optional<InferredColumn>> judged(count);
  const auto declare = [&](const std::string& text, auto classify) {
    const Declared declared = parse_declaration(text, table);
    const Index column = table.require(declared.name);
    auto& own = judged[static_cast<std::size_t>(column)];
    if (own) throw UsageError(format_text("the column '{}' is declared twice; say once what it is", declared.name));
    own = classify(ColumnClassifier(table, column, rows, decimal), declared);
  };
  for (const auto& text : declarations.categorical)
    declare(text, [](ColumnClassifier one, const Declared&) { return one.as_declared_category(); });
  for (const auto& text : declarations.numeric)
    declare(text, [](ColumnClassifier one, const Declared&) { return one.as_declared_number(); });
  for (const auto& text : declarations.date)
    declare(text, [](ColumnClassifier one, const Declared& declared) { return one.as_declared_date(parse_order(declared)); });
  for (const auto& text : declarations.ordered)
    declare(text, [&](ColumnClassifier one, const Declared& declared) {
      const Column& column = table.columns()[static_cast<std::size_t>(table.require(declared.name))];
      return one.as_declared_order(parse_categories(declared, MissingWords(column.missing_words)));
    });
  std::vector<InferredColumn> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(judged[i] ? *judged[i] : ColumnClassifier(table, static_cast<Index>(i), rows, decimal).by_rules());
  return result;
}

std::vector<Column> columns_of(const std::vector<InferredColumn>& judged) {
  std::vector<Column> columns;
  for (const InferredColumn& one : judged) columns.push_back(one.column);
  return columns;
}

Column number_column(const TableView& table, const std::string& name, RowsView rows, char decimal) {
  return ColumnClassifier(table, table.require(name), rows, decimal_hint(table, rows, decimal)).required_number();
}

InferredColumn label_column(const TableView& table, const std::string& name, RowsView rows) {
  return ColumnClassifier(table, table.require(name), rows, {}).as_label();
}

Column column_of_values(const Column& found) {
  Column column = found;
  column.is_inferred = false;
  if (!found.is_categorical()) return column;
  const auto is_word = [](const std::string& text) { return is_missing_cell(text, MissingSet::among_numbers); };
  const auto is_number = [](const std::string& text) { return cell_number(text).has_value(); };
  const auto& texts = found.categories;
  if (found.is_inferred && std::any_of(texts.begin(), texts.end(), is_word) &&
      std::any_of(texts.begin(), texts.end(), is_number) &&
      std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return is_word(text) || is_number(text); })) {
    column.kind = ColumnKind::number;
    column.categories.clear();
    return column;
  }
  std::unordered_set<std::string_view> known;
  column.categories.clear();
  for (const auto& text : texts)
    if (const auto trimmed = trim_cell(text); known.insert(trimmed).second) column.categories.emplace_back(trimmed);
  return column;
}

}  // namespace taut
