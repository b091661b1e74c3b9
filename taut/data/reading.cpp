#include <taut/data/reading.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>

namespace taut {

Column with_decimal(Column column, char decimal) {
  if (column.kind != ColumnKind::number || column.format.decimal == decimal) return column;
  TextFormat& format = column.format;
  if (format.thousands == 0 || format.thousands == decimal) format.thousands = format.decimal;
  format.decimal = decimal;
  return column;
}

void Reading::check() const {
  if (!decimal.empty() && decimal != "." && decimal != ",")
    throw UsageError(format_text("--decimal is '.' or ',', got '{}'", decimal));
}

std::vector<Column> Reading::applied_to(std::vector<Column> schema) const {
  for (Column& column : schema) {
    if (!decimal.empty()) column = with_decimal(std::move(column), decimal.front());
    for (const auto& word : na)
      if (std::find(column.missing_words.begin(), column.missing_words.end(), word) == column.missing_words.end())
        column.missing_words.push_back(word);
  }
  return schema;
}

std::vector<std::string> Reading::remarks(const std::vector<Column>& schema) const {
  std::vector<std::string> sentences;
  for (const Column& column : schema)
    for (const auto& word : na)
      if (std::find(column.categories.begin(), column.categories.end(), word) != column.categories.end())
        sentences.push_back(format_text(
            "--na: '{}' stays a category of '{}', because the model was trained with it; fit again with --na to change that",
            word, column.name));
  return sentences;
}

}  // namespace taut
